import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { consoleOptions } from '../../build/options.mjs';
import { cacheFolder } from '../support/program.ts';

/** The environment of the program: a PATH, and the code that another run of it has compiled. */
export const programEnvironment = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: cacheFolder(),
};

/**
 * Bundles the console over data in memory as the real one is bundled, and gives the path of the program. All files of a run
 * have the same one: a build takes as long as four consoles, and a program in another place is compiled anew.
 */
export async function buildProgram(): Promise<string> {
  // The temporary folder is the run's own.
  const shared = join(tmpdir(), 'console-program');
  if (!existsSync(shared)) await buildInto(shared);
  return join(shared, 'console.mjs');
}

/** The folder is there at once with all that is in it; where another process was faster, its own stays. */
async function buildInto(shared: string): Promise<void> {
  const folder = mkdtempSync(`${shared}-`);
  const entryPoints = [resolve(import.meta.dirname, 'console-program.tsx')];
  const outfile = join(folder, 'console.mjs');
  await build({ ...consoleOptions, entryPoints, outfile, logLevel: 'error' });
  try {
    renameSync(folder, shared);
  } catch (error) {
    rmSync(folder, { recursive: true });
    if (!existsSync(shared)) throw error;
  }
}
