// Builds dist: the program as small CommonJS files that load each other late (CommonJS starts 8 ms sooner than ES
// modules), and the console as one ES module (Ink needs top-level await).

import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build, transform } from 'esbuild';
import { lighterGot } from './build-got.mjs';
import { writeNotices } from './build-notices.mjs';
import { common, consoleOptions, versionLiteral } from './build-options.mjs';
import { makePacks } from './build-packs.mjs';

const outdir = `dist-${process.pid}`;
const sources = [
  'src',
  'components',
  'build.mjs',
  'build-got.mjs',
  'build-notices.mjs',
  'build-options.mjs',
  'build-packs.mjs',
  'package.json',
  'package-lock.json',
];

/** Builds beside `dist` and puts it in its place at the end, so that a failed build leaves the last good one. */
async function buildAll() {
  try {
    await mkdir(outdir);
    const [program, console] = await Promise.all([buildProgram(), buildConsole(), buildTypes()]);
    await writeNotices([...program, ...console]);
    await rm('dist', { recursive: true, force: true });
    await rename(outdir, 'dist');
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}

/** esbuild splits ES modules only, so it bundles into those first; then each file becomes CommonJS by itself. */
async function buildProgram() {
  const { outputFiles, metafile } = await build({
    ...common,
    entryPoints: {
      program: 'src/main.ts',
      sandbox: 'src/library/sandbox.ts',
      diagnosis: 'src/library/diagnosis.ts',
    },
    format: 'esm',
    splitting: true,
    write: false,
    metafile: true,
    outdir,
    outExtension: { '.js': '.cjs' },
    chunkNames: 'chunks/[name]-[hash]',
    plugins: [consoleBeside, lighterGot],
  });
  const files = await Promise.all(
    outputFiles.map(async ({ path, text }) => [
      basename(path),
      { esm: text, commonJs: await commonJs(text) },
    ]),
  );
  await writeProgram(metafile.outputs, new Map(files));
  return Object.keys(metafile.inputs);
}

/** Packs, files that are in none, and of each that is in one the file by which others reach it. */
async function writeProgram(outputs, files) {
  const { packs, known } = makePacks(outputs, files);
  await mkdir(join(outdir, 'chunks'), { recursive: true });
  for (const [name, text] of packs) await writeFile(join(outdir, name), text);
  for (const [name, { commonJs }] of files) {
    if (name === 'program.cjs') continue;
    const stub = `module.exports=require("../load.cjs").load(${JSON.stringify(name)});`;
    const folder = ['sandbox.cjs', 'diagnosis.cjs'].includes(name) ? outdir : join(outdir, 'chunks');
    await writeFile(join(folder, name), name in known.packOf ? stub : commonJs);
  }
  await writeFile(join(outdir, 'load.cjs'), await loader(known));
  await writeFile(join(outdir, 'edgectl.cjs'), await entry());
  await chmod(join(outdir, 'edgectl.cjs'), 0o755);
}

async function commonJs(text) {
  const { code } = await transform(lateRequires(text), {
    format: 'cjs',
    platform: 'node',
    target: 'node22.22',
    minify: true,
    define: { 'import.meta.url': '__edgectlFileUrl' },
    banner: text.includes('import.meta.url')
      ? 'const __edgectlFileUrl=require("node:url").pathToFileURL(__filename).href;'
      : '',
  });
  return code;
}

/** Our own files are loaded late by `require`; `import()` of them would load the ES module loader first. */
function lateRequires(text) {
  return text.replace(/\bimport\(("\.[^"]+\.cjs")\)/g, 'Promise.resolve().then(()=>require($1))');
}

/** The console is a bundle of its own beside the program. */
const consoleBeside = {
  name: 'console-beside',
  setup(build) {
    build.onResolve({ filter: /components\/console\/run-console\.tsx$/ }, () => ({
      path: './console.mjs',
      external: true,
    }));
  },
};

/** The first file: refuses an old Node in one sentence and answers --version, before anything else is loaded. */
async function entry() {
  const source = await readFile('src/entry.cjs', 'utf8');
  return source.replaceAll('EDGECTL_VERSION', versionLiteral);
}

async function loader(known) {
  const source = await readFile('src/load.cjs', 'utf8');
  const { code } = await transform(source, {
    minify: true,
    define: { EDGECTL_PACKS: JSON.stringify(known) },
  });
  return code;
}

async function buildConsole() {
  const { metafile } = await build({
    ...consoleOptions,
    metafile: true,
    entryPoints: { console: 'components/console/run-console.tsx' },
    splitting: true,
    outdir,
    outExtension: { '.js': '.mjs' },
    chunkNames: 'chunks/[name]-[hash]',
  });
  return Object.keys(metafile.inputs);
}

/** Types of what other programs import; its code shares the files of the program. */
async function buildTypes() {
  const types = ['-p', 'tsconfig.types.json', '--outDir', join(outdir, 'types')];
  await promisify(execFile)(join('node_modules', '.bin', 'tsc'), types);
}

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

if (!(process.argv.includes('--if-stale') && (await isFresh()))) await buildAll();
