// Builds dist: the program, the types of the modules that other programs import, and the licence notices.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { writeManual } from './build/manual.mjs';
import { writeNotices } from './build/notices.mjs';
import { buildProgram } from './build/program.mjs';

const outdir = `dist-${process.pid}`;
const sources = ['src', 'components', 'build.mjs', 'build', 'package.json', 'package-lock.json'];

/** Builds next to `dist`, and moves the result to `dist` at the end. If a build fails, `dist` keeps the last successful build. */
async function buildAll() {
  try {
    await mkdir(outdir);
    const [bundled] = await Promise.all([buildProgram(outdir), buildTypes()]);
    await writeNotices(bundled);
    await writeManual(join(outdir, 'man'));
    await rm('dist', { recursive: true, force: true });
    await rename(outdir, 'dist');
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}

/**
 * Emits the types of the exported modules. The code of these modules is bundled with the program. The compiler itself prints its errors.
 */
async function buildTypes() {
  const types = ['-p', 'tsconfig.types.json', '--outDir', join(outdir, 'types')];
  const compiler = spawn(join('node_modules', '.bin', 'tsc'), types, { stdio: 'inherit' });
  const [code] = await once(compiler, 'exit');
  if (code !== 0) throw new FailedBuild();
}

/** The compiler has already printed the reason. */
class FailedBuild extends Error {}

async function isFresh() {
  try {
    const built = (await stat('dist/edgectl.cjs')).mtimeMs;
    const times = await Promise.all(sources.map(newest));
    return times.every((time) => time <= built);
  } catch {
    return false;
  }
}

async function newest(path) {
  const found = await stat(path);
  if (!found.isDirectory()) return found.mtimeMs;
  const names = await readdir(path);
  const times = await Promise.all(names.map((name) => newest(join(path, name))));
  return Math.max(found.mtimeMs, ...times);
}

if (!(process.argv.includes('--if-stale') && (await isFresh()))) {
  await buildAll().catch((error) => {
    if (!(error instanceof FailedBuild)) throw error;
    process.exitCode = 1;
  });
}
