// Builds dist: small CommonJS files that load each other late (CommonJS starts 8 ms sooner than ES modules), and what only
// the console loads as ES modules (Ink needs top-level await).

import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build, transform } from 'esbuild';
import { writeNotices } from './build-notices.mjs';
import { distOptions, requireInModule, versionLiteral } from './build-options.mjs';
import { makePacks } from './build-packs.mjs';

const outdir = `dist-${process.pid}`;
const sources = [
  'src',
  'components',
  'build.mjs',
  'build-lighter.mjs',
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
    const [bundled] = await Promise.all([buildProgram(), buildTypes()]);
    await writeNotices(bundled);
    await rm('dist', { recursive: true, force: true });
    await rename(outdir, 'dist');
  } finally {
    await rm(outdir, { recursive: true, force: true });
  }
}

/**
 * esbuild splits ES modules only, so it bundles into those first. Then each file becomes CommonJS by itself, but for those
 * that the console alone has: Ink needs top-level await.
 */
async function buildProgram() {
  const { outputFiles, metafile } = await build({ ...distOptions, write: false, metafile: true });
  const ofConsole = consoleOnly(metafile.outputs);
  await mkdir(join(outdir, 'chunks'), { recursive: true });
  const files = new Map();
  for (const { path, text } of outputFiles) {
    const name = basename(path);
    if (ofConsole.has(name)) await writeFile(outputPath(inModule(name)), consoleModule(text, ofConsole));
    else
      files.set(name, { esm: text, commonJs: await commonJs(text.replaceAll('console.cjs', 'console.mjs')) });
  }
  await writeProgram(metafile.outputs, files);
  return Object.keys(metafile.inputs);
}

/** Names of the files that nothing but the console loads. */
function consoleOnly(outputs) {
  const names = (entries, edge) =>
    new Set([...reached(outputs, entries, edge)].map((path) => basename(path)));
  const shared = names(
    ['program.cjs', 'sandbox.cjs', 'diagnosis.cjs'],
    ({ path }) => basename(path) !== 'console.cjs',
  );
  const all = names(['console.cjs'], () => true);
  return all.difference(shared);
}

/** Paths of these entries and of all that they load, at once or late, along the edges that are followed. */
function reached(outputs, entries, isFollowed) {
  const found = new Set();
  const waiting = Object.keys(outputs).filter((path) => entries.includes(basename(path)));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue;
    found.add(path);
    const edges = outputs[path].imports.filter((edge) => !edge.external && isFollowed(edge));
    waiting.push(...edges.map((edge) => edge.path));
  }
  return found;
}

/** Packs, files that are in none, and of each that is in one the file by which others reach it. */
async function writeProgram(outputs, files) {
  const { packs, known } = makePacks(outputs, files);
  for (const [name, text] of packs) await writeFile(join(outdir, name), text);
  for (const [name, { commonJs }] of files) {
    if (name === 'program.cjs') continue;
    const stub = `module.exports=require("../load.cjs").load(${JSON.stringify(name)});`;
    await writeFile(outputPath(name), name in known.packOf ? stub : commonJs);
  }
  await writeFile(join(outdir, 'load.cjs'), await loader(known));
  await writeFile(join(outdir, 'edgectl.cjs'), await entry());
  await chmod(join(outdir, 'edgectl.cjs'), 0o755);
}

const atRoot = ['sandbox.cjs', 'diagnosis.cjs', 'console.mjs'];

function outputPath(name) {
  return join(outdir, atRoot.includes(name) ? '' : 'chunks', name);
}

function inModule(name) {
  return name.replace(/\.cjs$/, '.mjs');
}

/** A file of the console: what it shares with the commands it requires, so that both have the same. */
function consoleModule(text, ofConsole) {
  const loaded = lateRequires(
    text
      .replace(/\bimport(\s*|\s*(\{[^}]*\})\s*from\s*)"(\.[^"]+\.cjs)"/g, (_, clause, names, path) => {
        if (ofConsole.has(basename(path))) return `import${clause}"${inModule(path)}"`;
        const required = `require("${path}")`;
        return names === undefined ? required : `const${names.replace(/\s+as\s+/g, ':')}=${required}`;
      })
      .replace(/\bimport\("(\.[^"]+\.cjs)"\)/g, (whole, path) =>
        ofConsole.has(basename(path)) ? `import("${inModule(path)}")` : whole,
      ),
  );
  return `${requireInModule}${loaded}`;
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
