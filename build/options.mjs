// Bundler options for dist (build.mjs), and for the console that tests run with in-memory data.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { lighterPackages } from './lighter.mjs';

const root = dirname(import.meta.dirname);
const { name, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** The version in package.json, as JavaScript. */
export const versionLiteral = JSON.stringify(version);

/**
 * The time of the build in seconds since the UNIX epoch: SOURCE_DATE_EPOCH (https://reproducible-builds.org/specs/source-date-epoch/), or
 * otherwise the time of the commit, which makes two builds of a commit equal. Outside a checkout, the value is the current time.
 */
export const buildSeconds = findBuildSeconds();

function findBuildSeconds() {
  const given = process.env.SOURCE_DATE_EPOCH;
  if (given !== undefined && given !== '') return Number(given);
  const { status, stdout } = spawnSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' });
  return status === 0 ? Number(stdout) : Math.floor(Date.now() / 1000);
}

/** The date of the build as a JavaScript literal. */
export const dateLiteral = JSON.stringify(new Date(buildSeconds * 1000).toISOString().slice(0, 10));

/** esbuild options for every bundle. */
export const common = {
  bundle: true,
  platform: /** @type {const} */ ('node'),
  target: 'node22.22',
  minify: true,
  keepNames: false,
  legalComments: /** @type {const} */ ('none'),
  logLevel: /** @type {const} */ ('warning'),
  define: {
    EDGECTL_VERSION: versionLiteral,
    EDGECTL_PACKAGE: JSON.stringify(name),
    EDGECTL_DATE: dateLiteral,
    'process.env.NODE_ENV': '"production"',
  },
  // The ES module form is preferred, because bundlers cannot find the parts of jsonc-parser in the CommonJS form.
  mainFields: ['module', 'main'],
  external: ['miniflare', 'esbuild'],
};

/** Ink modules that are replaced by modules in `components/kit/terminal/ink`. */
const replaced = ['./line-update.js', './output.js', './sanitize-ansi.js', 'widest-line'];

/** Returns the module that replaces an Ink module; undefined for all other modules. */
export function ownInkModule(path, importer) {
  if (!replaced.includes(path) || !/[\\/]ink[\\/]build[\\/]/.test(importer)) return undefined;
  return join(root, 'components/kit/terminal/ink', `${path.replace(/^\.\/|\.js$/g, '')}.ts`);
}

/**
 * A plugin that replaces Ink's modules that build and write a frame. The build fails if another copy of Ink exists, because the console
 * would work, but would write many times the bytes and take much longer.
 *
 * @type {import('esbuild').Plugin}
 */
const ownInkModules = {
  name: 'own-ink-modules',
  setup(build) {
    const found = new Set();
    build.onResolve({ filter: /^(?:\.\/[a-z-]+\.js|widest-line)$/ }, ({ path, importer }) => {
      const own = ownInkModule(path, importer);
      if (own === undefined) return undefined;
      found.add(path);
      return { path: own };
    });
    build.onEnd(() => {
      const missing = replaced.filter((path) => !found.has(path));
      return { errors: missing.map((path) => ({ text: `Ink no longer loads ${path} any more.` })) };
    });
  },
};

/**
 * Imports a file as text if its name ends in `?raw`, as Vite does in the tests. A script is bundled with all its imports, because a browser
 * loads the script as one file.
 *
 * @type {import('esbuild').Plugin}
 */
const rawTexts = {
  name: 'raw-texts',
  setup(bundle) {
    bundle.onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.slice(0, -'?raw'.length)),
      namespace: 'raw',
    }));
    bundle.onLoad({ filter: /./, namespace: 'raw' }, async ({ path }) => ({
      contents: path.endsWith('.js') ? await scriptOf(path) : readFileSync(path, 'utf8'),
      loader: 'text',
    }));
  },
};

async function scriptOf(path) {
  const options = { bundle: true, minify: true, format: /** @type {const} */ ('esm'), write: false };
  const { outputFiles } = await build({ ...options, entryPoints: [path], target: 'es2022' });
  return outputFiles[0].text;
}

/** Options for dist. The console is one of the entries: code shared by the console and the commands is included only once. */
export const distOptions = {
  ...common,
  entryPoints: {
    program: 'src/main.ts',
    sandbox: 'src/library/sandbox.ts',
    diagnosis: 'src/library/diagnosis.ts',
    console: 'components/app/run-console.tsx',
  },
  format: /** @type {const} */ ('esm'),
  splitting: true,
  outdir: 'dist',
  outExtension: { '.js': '.cjs' },
  chunkNames: 'chunks/[name]-[hash]',
  plugins: [lighterPackages, ownInkModules, rawTexts],
};

/** Options for a console that is a single ES module. */
export const consoleOptions = {
  ...common,
  format: /** @type {const} */ ('esm'),
  alias: { 'react-devtools-core': join(root, 'components/app/no-devtools.ts') },
  plugins: [ownInkModules, rawTexts],
  // Defines `require` in an ES module.
  banner: { js: "import{createRequire as __cr}from'node:module';const require=__cr(import.meta.url);" },
};
