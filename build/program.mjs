// Builds the program as packs of CommonJS files that load each other lazily. CommonJS starts 8 ms faster than ES modules.
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';
import { distOptions, versionLiteral } from './options.mjs';
import { makePacks, packedImports } from './packs.mjs';

/**
 * Builds into an existing folder, and returns the paths of all bundled files. With `embedded`, packs are read from the executable that
 * contains them. esbuild splits only ES modules, and therefore bundles into ES modules first. Each resulting file is then converted to
 * CommonJS separately.
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

/** Entries that other programs import. The export names of these entries must be visible in the form that esbuild writes. */
const libraries = ['sandbox.cjs', 'diagnosis.cjs'];

async function commonJs(name, text) {
  const { code } = await transform(lateRequires(shortened(name, text)), {
    format: 'cjs',
    platform: 'node',
    target: 'node22.22',
    minify: true,
    define: { 'import.meta.url': '__edgectlFileUrl' },
    // Without the prefix, a pack treats the import as a plain module that is not loaded lazily.
    banner: text.includes('import.meta.url')
      ? 'const __edgectlFileUrl=require("url").pathToFileURL(__filename).href;'
      : '',
  });
  return code;
}

/**
 * Shortens esbuild's export code, which takes half a kilobyte per file. Only files that other programs import by name need the full code.
 */
function shortened(name, text) {
  if (libraries.includes(name)) return text;
  return name === 'console.cjs' ? awaited(text) : exportsInShort(text, 'module.exports=');
}

/** Makes a file export a promise of its exports, because Ink needs top-level await. Lazy imports await the promise. */
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

/** Replaces `import()` of packed files with a lazy `require`, because `import()` would load the ES module loader first. */
function lateRequires(text) {
  return text.replace(/\bimport\(("\.[^"]+\.cjs")\)/g, 'Promise.resolve().then(()=>require($1))');
}

/** Returns the first file that runs. The first file rejects an old Node version with one sentence and answers --version, before anything
 * else is loaded. */
async function entry() {
  const source = await readFile('src/entry.cjs', 'utf8');
  return source.replaceAll('EDGECTL_VERSION', versionLiteral);
}

async function loader(known, embedded) {
  // A CommonJS file cannot import, and esbuild checks names only in imports. Here, each `require` becomes an import, so that the build
  // fails if a name is wrong.
  const source = await readFile('src/load.cjs', 'utf8');
  const contents = source.replace(/^const (\{.*\}) = require\(('\..*\.ts')\);$/gm, 'import $1 from $2;');
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: 'src', sourcefile: 'load.cjs' },
    bundle: true,
    write: false,
    format: 'cjs',
    platform: 'node',
    target: 'node22.22',
    minify: true,
    // Node prints the source line of an uncaught error, so lines must be short.
    lineLimit: 160,
    define: { EDGECTL_PACKS: JSON.stringify(known), EDGECTL_EMBEDDED: String(embedded) },
  });
  return outputFiles[0].text;
}
