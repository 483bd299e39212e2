// Builds the standalone executable for the machine that it runs on: Node itself with the program's files in it.
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { plain } from './packs.mjs';
import { buildProgram } from './program.mjs';

const run = promisify(execFile);
const folder = `dist-executable-${process.pid}`;
const target = join('dist-executable', process.platform === 'win32' ? 'edgectl.exe' : 'edgectl');

/** What Node looks for in itself: https://nodejs.org/api/single-executable-applications.html */
const fuse = [
  ...['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'],
  ...(process.platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : []),
];

/**
 * Room for young objects, of which a start makes more than a megabyte: none is collected before its end. V8 takes code only
 * under the flags that it was made with.
 */
const flags = ['--min-semi-space-size=2'];

async function buildExecutable() {
  try {
    await mkdir(folder);
    await buildProgram(folder, { embedded: true });
    const packs = await readdir(join(folder, 'packs'));
    const assets = Object.fromEntries(packs.map((name) => [name, join(folder, 'packs', name)]));
    const main = await oneFile();
    const first = await makeExecutable('first', main, assets);
    const made = await makeExecutable('edgectl', main, { ...assets, ...(await compiledBy(first)) });
    await mkdir('dist-executable', { recursive: true });
    await rename(made, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first two files as one, which Node runs. */
async function oneFile() {
  const main = join(folder, 'main.cjs');
  const entryPoints = [join(folder, 'edgectl.cjs')];
  await build({ entryPoints, outfile: main, bundle: true, minify: true, platform: 'node', format: 'cjs' });
  return main;
}

/** Node with a file that it runs in it, and assets: paths by the names under which the program finds them. */
async function makeExecutable(name, main, assets) {
  const made = join(folder, name);
  const blob = `${made}.blob`;
  const config = {
    ...{ main, output: blob, assets, disableExperimentalSEAWarning: true, useCodeCache: true },
    execArgv: flags,
  };
  const configFile = `${made}.json`;
  await writeFile(configFile, JSON.stringify(config));
  await run(process.execPath, [...flags, '--experimental-sea-config', configFile]);
  await copyFile(process.execPath, made);
  // What debuggers read is a fifth of it; without the tool it stays in.
  if (process.platform === 'linux') await run('strip', [made]).catch(() => undefined);
  await chmod(made, 0o755);
  // It warns about sections that it does not change; its output is shown if it fails.
  await run(join('node_modules', '.bin', 'postject'), [made, 'NODE_SEA_BLOB', blob, ...fuse]);
  return made;
}

/**
 * V8's compiled code of what most starts run, as assets, so that the first start is as quick as all others, and none looks
 * for it in the user's cache. It is what an executable without any keeps there once it has run a few commands.
 */
async function compiledBy(executable) {
  const home = resolve(folder, 'home');
  const env = { PATH: process.env.PATH, HOME: home };
  await mkdir(home);
  const file = resolve(executable);
  const cache = join(home, '.cache', 'edgectl');
  const edgectl = async (...args) => {
    const { stdout } = await run(file, args, { cwd: home, env });
    // As if no file had run: of one that has, nothing is kept that the next command is the first to call.
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

/** The files of compiled code that `src/load.cjs` has saved for packs that every start may read. */
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

/** Writes one again, in the format of `src/load.cjs`. */
async function keep(path, head, code) {
  const once = Buffer.concat([Buffer.from(`${JSON.stringify(head)}\n`), code]);
  await writeFile(path, Buffer.concat([once, once]));
}

await buildExecutable();
