// How the program is bundled: for dist by build.mjs, and for the console that tests run over data in memory.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = import.meta.dirname;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The version in package.json, as JavaScript. */
export const versionLiteral = JSON.stringify(version);

/** Options of esbuild for every bundle. */
export const common = {
  bundle: true,
  platform: /** @type {const} */ ('node'),
  target: 'node22.22',
  minify: true,
  keepNames: false,
  legalComments: /** @type {const} */ ('none'),
  logLevel: /** @type {const} */ ('warning'),
  define: { EDGECTL_VERSION: versionLiteral, 'process.env.NODE_ENV': '"production"' },
  // jsonc-parser's CommonJS form hides its parts from bundlers.
  mainFields: ['module', 'main'],
  external: ['miniflare', 'esbuild'],
};

/** Those for the console, which is one ES module: Ink needs top-level await. */
export const consoleOptions = {
  ...common,
  format: /** @type {const} */ ('esm'),
  alias: { 'react-devtools-core': join(root, 'components/console/no-devtools.ts') },
  banner: { js: "import {createRequire as __cr} from 'node:module';const require=__cr(import.meta.url);" },
};
