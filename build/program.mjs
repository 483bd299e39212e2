// The program as packs of CommonJS files that load each other late: CommonJS starts 8 ms sooner than ES modules.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';
import { distOptions, versionLiteral } from './options.mjs';
import { makePacks, packedImports } from './packs.mjs';

/**
 * Builds into an existing folder, and returns the paths of all bundled files. With `embedded`, packs are read from the
 * executable that contains them.
 *
 * esbuild splits only ES modules, so it bundles into those first. Then each file is converted to CommonJS separately.
 */
export async function buildProgram(outdir, { embedded = false } = {}) {
  const { outputFiles, metafile } = await build({ ...distOptions, write: false, metafile: true });
  const files = new Map();
  for (const { path, text } of outputFiles) {
    const name = basename(path);
    files.set(name, { esm: text, commonJs: await commonJs(name, text) });
  }
  const { packs, known, ids } = makePacks(metafile.outputs, files, { isLarge: embedded });
  await mkdir(join(outdir, 'packs'));
  for (const { file, bytes } of packs) await writeFile(join(outdir, 'packs', file), bytes);
  for (const name of libraries) {
    const text = packedImports(files.get(name).commonJs, ids);
    await writeFile(join(outdir, name), `const{load}=require("./load.cjs");${text}`);
  }
  await writeFile(join(outdir, 'load.cjs'), await loader(known, embedded));
  await writeFile(join(outdir, 'edgectl.cjs'), await entry());
  await chmod(join(outdir, 'edgectl.cjs'), 0o755);
  return Object.keys(metafile.inputs);
}

/** What other programs import. They see the names of exports as esbuild writes them. */
const libraries = ['sandbox.cjs', 'diagnosis.cjs'];

async function commonJs(name, text) {
  const { code } = await transform(lateRequires(shortened(name, text)), {
    format: 'cjs',
    platform: 'node',
    target: 'node22.22',
    minify: true,
    define: { 'import.meta.url': '__edgectlFileUrl' },
    // Without the prefix, a pack treats it as a plain module and not as one to be loaded late.
    banner: text.includes('import.meta.url')
      ? 'const __edgectlFileUrl=require("url").pathToFileURL(__filename).href;'
      : '',
  });
  return code;
}

/** As esbuild has them, the exports of a file take half a kilobyte; only who imports by name from outside needs that. */
function shortened(name, text) {
  if (libraries.includes(name)) return text;
  return name === 'console.cjs' ? awaited(text) : exportsInShort(text, 'module.exports=');
}

/** Ink needs top-level await: what is exported is a promise of the exports, for which those who load it late wait. */
function awaited(text) {
  const imports = [];
  const body = text.replace(/\bimport(?:[^"'();]*?\bfrom)?"(?:node:|\.)[^"]*";?/g, (one) => {
    imports.push(one.replace(/;?$/, ';'));
    return '';
  });
  return `${imports.join('')}module.exports=(async()=>{${exportsInShort(body, 'return')}})();`;
}

function exportsInShort(text, lead) {
  return text.replace(/\bexport\s*\{([^}]*)\};?\s*$/, (_, names) => {
    const getters = names.split(',').map((one) => {
      const [, inside, outside = inside] = /^\s*([\w$]+)(?:\s+as\s+([\w$]+))?\s*$/.exec(one);
      return `get ${outside}(){return ${inside}}`;
    });
    return `${lead}{${getters.join(',')}};`;
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
  const { outputFiles } = await build({
    stdin: { contents: await readFile('src/load.cjs', 'utf8'), resolveDir: 'src', sourcefile: 'load.cjs' },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node22.22',
    minify: true,
    // Node prints the line that an uncaught error comes from.
    lineLimit: 160,
    define: { EDGECTL_PACKS: JSON.stringify(known), EDGECTL_EMBEDDED: String(embedded) },
  });
  return outputFiles[0].text;
}
