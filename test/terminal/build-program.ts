import { join, resolve } from 'node:path';
import { build } from 'esbuild';
import { scratchFolder } from '../support/world.ts';

/** Bundles the console over data in memory as the real one is bundled, and gives the path of the program. */
export async function buildProgram(): Promise<string> {
  const outfile = join(scratchFolder('edgectl-console'), 'console.mjs');
  await build({
    entryPoints: [resolve(import.meta.dirname, 'console-program.tsx')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22.22',
    minify: true,
    logLevel: 'error',
    define: { 'process.env.NODE_ENV': '"production"', EDGECTL_VERSION: '"0.0.0"' },
    external: ['miniflare', 'esbuild'],
    alias: { 'react-devtools-core': resolve('components/console/no-devtools.ts') },
    banner: { js: "import {createRequire as __cr} from 'node:module';const require=__cr(import.meta.url);" },
  });
  return outfile;
}
