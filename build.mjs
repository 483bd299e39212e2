// Builds dist: the program as small CommonJS files that load each other late (CommonJS starts 8 ms sooner than ES
// modules), and the console as one ES module (Ink needs top-level await).

import { execFile } from 'node:child_process';
import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { build, transform } from 'esbuild';
import { writeNotices } from './build-notices.mjs';
import { common, consoleOptions, versionLiteral } from './build-options.mjs';

const outdir = `dist-${process.pid}`;
const sources = [
  'src',
  'components',
  'build.mjs',
  'build-notices.mjs',
  'build-options.mjs',
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

/**
 * esbuild splits ES modules only, so it bundles into those first; then each file becomes CommonJS by itself. What reading
 * a key loads is put into one file: some fifty small ones cost a quarter of the start.
 */
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
    plugins: [consoleBeside],
  });
  const files = await Promise.all(
    outputFiles.map(async ({ path, text }) => [basename(path), await commonJs(text)]),
  );
  const packed = hotFiles(metafile.outputs);
  const code = new Map(files);
  await mkdir(join(outdir, 'chunks'), { recursive: true });
  await writeFile(join(outdir, 'program.cjs'), pack(packed, code));
  for (const [name, text] of code) {
    if (name === 'program.cjs') continue;
    const stub = `module.exports=require("../program.cjs").load(${JSON.stringify(name)});`;
    const folder = ['sandbox.cjs', 'diagnosis.cjs'].includes(name) ? outdir : join(outdir, 'chunks');
    await writeFile(join(folder, name), packed.has(name) ? stub : text);
  }
  await writeFile(join(outdir, 'edgectl.cjs'), await entry());
  await chmod(join(outdir, 'edgectl.cjs'), 0o755);
  return Object.keys(metafile.inputs);
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

/** Modules that reading a key loads, on local data or from a platform; got, conf and the like stay files of their own. */
const hotModules = [
  'src/main.ts',
  'src/cli/run.ts',
  'src/cli/commands/kv/key.ts',
  'src/services/session/open-session.ts',
  'src/config/find.ts',
  'src/profiles/credentials.ts',
  'src/sandbox/http/app.ts',
  'src/sandbox/http/running.ts',
];

/** Names of the files of those modules, and of all that these load at once. */
function hotFiles(outputs) {
  const found = new Set();
  const waiting = Object.keys(outputs).filter((path) => hotModules.includes(outputs[path].entryPoint));
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(basename(path))) continue;
    found.add(basename(path));
    const { imports } = outputs[path];
    waiting.push(
      ...imports
        .filter(({ kind, external }) => kind === 'import-statement' && !external)
        .map((one) => one.path),
    );
  }
  return found;
}

/** One file of several: each a function that runs when it is first asked for. Others reach them through `load`. */
function pack(names, code) {
  const bodies = [...names].map((name) => {
    const text = code
      .get(name)
      .replace(/\brequire\("\.\/(?:chunks\/)?([^"/]+\.cjs)"\)/g, (_, file) =>
        names.has(file) ? `load(${JSON.stringify(file)})` : `require("./chunks/${file}")`,
      );
    return `${JSON.stringify(name)}(module,exports){${text}}`;
  });
  return [
    `"use strict";const files={${bodies.join(',\n')}};`,
    'const loaded=new Map();',
    'const load=(name)=>{let module=loaded.get(name);',
    'if(module===undefined){module={exports:{}};loaded.set(name,module);files[name](module,module.exports)}',
    'return module.exports};',
    'module.exports={load};',
  ].join('');
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
