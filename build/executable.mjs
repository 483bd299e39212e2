// Builds standalone executables: Node with the program's files embedded.
//
//   node build/executable.mjs                 for this platform, with V8's compiled code: dist-executable/edgectl
//   node build/executable.mjs --all FOLDER    for each platform, without compiled code: FOLDER/edgectl-VERSION-PLATFORM
//
// V8 accepts compiled code only from the same platform: an executable for another platform cannot contain any.
import { execFile } from 'node:child_process';
import { copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { executableName, extension, nodeBuilds, nodeFor, nodeLicense, ownPlatform } from './node-builds.mjs';
import { plain } from './packs.mjs';
import { buildProgram } from './program.mjs';

const run = promisify(execFile);
const folder = `dist-executable-${process.pid}`;
const [, , every, destination] = process.argv;

/**
 * Flags that set the memory for young objects, in MiB. Startup creates about two MiB of objects, so this size prevents a garbage collection
 * during startup, which takes 5 to 8 % of the time of `kv key get --local`. V8 accepts compiled code only under the flags with which the
 * code was compiled.
 */
const flags = ['--min-semi-space-size=4'];

async function buildExecutables() {
  try {
    await mkdir(folder);
    const parts = await programParts();
    if (every === '--all') await buildForAll(parts);
    else await buildForThis(parts);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function buildForAll(parts) {
  for (const platform of Object.keys(nodeBuilds.platforms)) {
    const name = executableName(platform);
    await rename(await makeExecutable(name, platform, parts), join(destination, name));
  }
}

async function buildForThis(parts) {
  const first = await makeExecutable('first', ownPlatform, parts);
  const assets = { ...parts.assets, ...(await compiledBy(first)) };
  const made = await makeExecutable('edgectl', ownPlatform, { ...parts, assets });
  await mkdir('dist-executable', { recursive: true });
  await rename(made, join('dist-executable', `edgectl${extension(ownPlatform)}`));
}

/** Returns the script that Node runs, and the embedded files by name. */
async function programParts() {
  await buildProgram(folder, { embedded: true });
  const main = join(folder, 'main.cjs');
  const entryPoints = [join(folder, 'edgectl.cjs')];
  await build({ entryPoints, outfile: main, bundle: true, minify: true, platform: 'node', format: 'cjs' });
  const packs = (await readdir(join(folder, 'packs'))).sort();
  const assets = Object.fromEntries(packs.map((name) => [name, join(folder, 'packs', name)]));
  return { main, assets: { ...assets, ...(await licenceAssets()) } };
}

/** Returns the output of `edgectl licenses`. */
async function licenceAssets() {
  const node = join(folder, 'LICENSE-node');
  await writeFile(node, await nodeLicense());
  return { LICENSE: 'LICENSE', 'THIRD-PARTY-NOTICES': 'THIRD-PARTY-NOTICES', 'LICENSE-node': node };
}

/**
 * Makes an executable from Node for a platform, a script and assets: https://nodejs.org/api/single-executable-applications.html. The Node
 * of this platform builds executables for any platform.
 */
async function makeExecutable(name, platform, { main, assets }) {
  const config = {
    // Node writes the path of the script into the executable. A relative path makes builds reproducible.
    main: relative(folder, main),
    output: name,
    assets: Object.fromEntries(Object.entries(assets).map(([asset, path]) => [asset, resolve(path)])),
    disableExperimentalSEAWarning: true,
    execArgv: flags,
    executable: resolve(await strippedNode(platform)),
    useCodeCache: name === 'first' || name === 'edgectl',
  };
  await writeFile(join(folder, `${name}.json`), JSON.stringify(config));
  await run(resolve(await nodeFor(ownPlatform)), [...flags, '--build-sea', `${name}.json`], { cwd: folder });
  return join(folder, name);
}

/**
 * Returns the path of Node without debug information, which is a fifth of Node for Linux. Only Node for this machine is stripped, because
 * its `strip` may not support other formats. A release without `strip` fails, because its hashes would differ.
 */
async function strippedNode(platform) {
  const original = await nodeFor(platform);
  if (platform !== ownPlatform || process.platform !== 'linux') return original;
  const stripped = join(folder, 'node');
  await copyFile(original, stripped);
  return run('strip', [stripped]).then(
    () => stripped,
    (error) => {
      if (every === '--all') throw error;
      return original;
    },
  );
}

/**
 * Returns V8's compiled code for the most common commands, as assets. With these assets, the first start is as fast as later starts and
 * does not search the user's cache. The assets equal the code that an executable without assets would cache after a few commands.
 */
async function compiledBy(executable) {
  const home = resolve(folder, 'home');
  const env = { PATH: process.env.PATH, HOME: home };
  await mkdir(home);
  const file = resolve(executable);
  const cache = join(home, '.cache', 'edgectl');
  const edgectl = async (...args) => {
    const { stdout } = await run(file, args, { cwd: home, env });
    // Marks all files as not yet run: otherwise, code first called by the next command would never be saved.
    for (const { path, head, code } of await keptIn(cache)) await keep(path, { ...head, ran: [] }, code);
    return stdout;
  };
  const served = ['sandbox', 'exec', '--dir', join(home, 'sandbox'), '--', file];
  const created = await edgectl(...served, 'kv', 'namespace', 'create', 'SESSIONS', '--json');
  const namespace = ['--namespace-id', JSON.parse(created).id];
  for (const words of [['put', 'greeting', 'hello'], ['get', 'greeting'], ['list']]) {
    const command = ['kv', 'key', ...words, ...namespace];
    await edgectl(...command, '--local', '--persist-to', join(home, 'data'));
    await edgectl(...served, ...command);
  }
  await edgectl('completion', 'words', '--', 'kv', 'key', 'get', '');
  const entries = (await keptIn(cache)).map(async ({ name, code }) => {
    const asset = `${name.slice(0, name.indexOf('-'))}.code`;
    await writeFile(join(folder, asset), code);
    return [asset, join(folder, asset)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** Returns the files in which `src/load.cjs` has saved compiled code for the packs that any start may read. */
async function keptIn(cache) {
  const names = await readdir(cache);
  const those = names.filter((name) => plain.some((pack) => name.startsWith(`${pack}.cjs-`)));
  return Promise.all(
    those.map(async (name) => {
      const path = join(cache, name);
      const twice = await readFile(path);
      const once = twice.subarray(0, twice.length / 2);
      const end = once.indexOf('\n');
      return { name, path, head: JSON.parse(once.subarray(0, end)), code: once.subarray(end + 1) };
    }),
  );
}

/** Rewrites a file of compiled code, in the format of `src/load.cjs`. */
async function keep(path, head, code) {
  const once = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), code]);
  await writeFile(path, Buffer.concat([once, once]));
}

await buildExecutables();
