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

/**
 * Puts our way to change a line of the screen in the place of Ink's. The build fails where Ink has its own elsewhere:
 * the console would be drawn all the same, at many times the bytes.
 * @type {import('esbuild').Plugin}
 */
const ownLineUpdate = {
  name: 'own-line-update',
  setup(build) {
    let replaced = 0;
    build.onResolve({ filter: /\/line-update\.js$/ }, ({ importer }) => {
      if (!/[\\/]ink[\\/]build[\\/]/.test(importer)) return undefined;
      replaced += 1;
      return { path: join(root, 'components/terminal/line-update.ts') };
    });
    build.onEnd(() =>
      replaced > 0 ? undefined : { errors: [{ text: 'Ink has no line-update.js any more.' }] },
    );
  },
};

/** Those for the console, which is one ES module: Ink needs top-level await. */
export const consoleOptions = {
  ...common,
  format: /** @type {const} */ ('esm'),
  alias: { 'react-devtools-core': join(root, 'components/console/no-devtools.ts') },
  plugins: [ownLineUpdate],
  banner: { js: "import {createRequire as __cr} from 'node:module';const require=__cr(import.meta.url);" },
};
