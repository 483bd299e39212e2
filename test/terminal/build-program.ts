import { existsSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import process from 'node:process';
import { build } from 'esbuild';
import { consoleOptions } from '../../build/options.mjs';
import { cacheFolder } from '../support/program.ts';

/** The environment of the program: PATH, and the folder of its compiled code. */
export const programEnvironment = {
  PATH: process.env['PATH'] ?? '',
  NODE_COMPILE_CACHE: cacheFolder(),
};

/**
 * Bundles the console with in-memory data in the same way as the real console, and returns the path of the program. All test files of a run
 * share the program, because a build takes as long as four consoles, and a program at another path would be compiled again.
 */
export async function buildProgram(): Promise<string> {
  // The temporary folder belongs to this run.
  const shared = join(tmpdir(), 'console-program');
  if (!existsSync(shared)) await buildInto(shared);
  return join(shared, 'console.mjs');
}

/** Builds into a new folder that appears atomically with its content. If another process was faster, its folder is used. */
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
