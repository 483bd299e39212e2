// Builds the standalone executable for the machine that it runs on: Node itself with the program's files in it.
import { execFile } from 'node:child_process';
import { chmod, copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { buildProgram } from './program.mjs';

const run = promisify(execFile);
const folder = `dist-executable-${process.pid}`;
const blob = join(folder, 'blob');
const target = join('dist-executable', process.platform === 'win32' ? 'edgectl.exe' : 'edgectl');

/** What Node looks for in itself: https://nodejs.org/api/single-executable-applications.html */
const fuse = [
  ...['--sentinel-fuse', 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2'],
  ...(process.platform === 'darwin' ? ['--macho-segment-name', 'NODE_SEA'] : []),
];

async function buildExecutable() {
  try {
    await mkdir(folder);
    await buildProgram(folder, { embedded: true });
    await makeBlob();
    const made = join(folder, 'edgectl');
    await copyFile(process.execPath, made);
    // What debuggers read is a fifth of it; without the tool it stays in.
    if (process.platform === 'linux') await run('strip', [made]).catch(() => undefined);
    await chmod(made, 0o755);
    // It warns of sections that it does not touch; what it says is told where it fails.
    await run(join('node_modules', '.bin', 'postject'), [made, 'NODE_SEA_BLOB', blob, ...fuse]);
    await mkdir('dist-executable', { recursive: true });
    await rename(made, target);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The first two files as one, which Node runs, and each pack, an asset under its name. */
async function makeBlob() {
  const main = join(folder, 'main.cjs');
  const entryPoints = [join(folder, 'edgectl.cjs')];
  await build({ entryPoints, outfile: main, bundle: true, minify: true, platform: 'node', format: 'cjs' });
  const packs = await readdir(join(folder, 'packs'));
  const config = {
    main,
    output: blob,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: Object.fromEntries(packs.map((name) => [name, join(folder, 'packs', name)])),
  };
  const configFile = join(folder, 'config.json');
  await writeFile(configFile, JSON.stringify(config));
  await run(process.execPath, ['--experimental-sea-config', configFile]);
}

await buildExecutable();
