import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { consoleOptions } from '../../build/options.mjs';
import { scratchFolder } from '../support/world.ts';

/** Bundles the console over data in memory as the real one is bundled, and gives the path of the program. */
export async function buildProgram(): Promise<string> {
  const outfile = join(scratchFolder('edgectl-console'), 'console.mjs');
  const entryPoints = [resolve(import.meta.dirname, 'console-program.tsx')];
  await build({ ...consoleOptions, entryPoints, outfile, logLevel: 'error' });
  return outfile;
}
