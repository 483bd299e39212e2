// The program as small CommonJS files that load each other late (CommonJS starts 8 ms sooner than ES modules), and what
// only the console loads as ES modules (Ink needs top-level await).
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';
import { distOptions, requireInModule, versionLiteral } from './options.mjs';
import { makePacks } from './packs.mjs';

/**
 * Builds into a folder, which has to be there, and gives the paths of all files that were bundled. With `embedded`, all
 * CommonJS is in packs, which are read from the executable that they are put in.
 *
 * esbuild splits ES modules only, so it bundles into those first. Then each file becomes CommonJS by itself, but for those
 * that the console alone has: Ink needs top-level await.
 */
export async function buildProgram(outdir, { embedded = false } = {}) {
  const { outputFiles, metafile } = await build({ ...distOptions, write: false, metafile: true });
  const ofConsole = consoleOnly(metafile.outputs);
  await mkdir(join(outdir, 'chunks'), { recursive: true });
  const files = new Map();
  for (const { path, text } of outputFiles) {
    const name = basename(path);
    if (ofConsole.has(name))
      await writeFile(outputPath(outdir, inModule(name)), consoleModule(text, ofConsole));
    else
      files.set(name, {
        esm: text,
        commonJs: await commonJs(name, text.replaceAll('console.cjs', 'console.mjs')),
      });
  }
  await writeProgram(outdir, makePacks(metafile.outputs, files, embedded), files, embedded);
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
async function writeProgram(outdir, { packs, known }, files, embedded) {
  for (const [name, text] of packs) await writeFile(join(outdir, name), text);
  for (const [name, { commonJs }] of files) {
    if (name === 'program.cjs') continue;
    const stub = `module.exports=require("../load.cjs").load(${JSON.stringify(name)});`;
    await writeFile(outputPath(outdir, name), name in known.packOf ? stub : commonJs);
  }
  await writeFile(join(outdir, 'load.cjs'), await loader(known, embedded));
  await writeFile(join(outdir, 'edgectl.cjs'), await entry());
  await chmod(join(outdir, 'edgectl.cjs'), 0o755);
}

const atRoot = ['sandbox.cjs', 'diagnosis.cjs', 'console.mjs'];

function outputPath(outdir, name) {
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

async function commonJs(name, text) {
  const exported = atRoot.includes(name) ? text : exportsInShort(text);
  const { code } = await transform(lateRequires(exported), {
    format: 'cjs',
    platform: 'node',
    target: 'node22.22',
    minify: true,
    define: { 'import.meta.url': '__edgectlFileUrl' },
    // Without the prefix, a pack takes it as it stands and not as one to be loaded late.
    banner: text.includes('import.meta.url')
      ? 'const __edgectlFileUrl=require("url").pathToFileURL(__filename).href;'
      : '',
  });
  return code;
}

/** As esbuild has them, the exports of a file take half a kilobyte; only who imports by name from outside needs that. */
function exportsInShort(text) {
  return text.replace(/\bexport\s*\{([^}]*)\};?\s*$/, (_, names) => {
    const getters = names.split(',').map((one) => {
      const [, inside, outside = inside] = /^\s*([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(one);
      return `get ${outside}(){return ${inside}}`;
    });
    return `module.exports={${getters.join(',')}};`;
  });
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

async function loader(known, embedded) {
  const source = await readFile('src/load.cjs', 'utf8');
  const { code } = await transform(source, {
    minify: true,
    define: { EDGECTL_PACKS: JSON.stringify(known), EDGECTL_EMBEDDED: String(embedded) },
  });
  return code;
}
