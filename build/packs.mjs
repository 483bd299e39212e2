// Packs program files that are loaded together into one file. Gain, with `src/load.cjs`: 48 ms of processor time for `kv key get --local`,
// compared with one file for each esbuild chunk and Node's compile cache (39 ms more than `node -e 0` instead of 87 ms, medians of 60
// interleaved runs). Of these 48 ms, loading Node's modules lazily (`lateBuiltins`) gains 12 ms. Bench: npm run bench -- startup. To remove
// the packs: write the files of `buildProgram` unchanged, so that they `require` each other, and call `module.enableCompileCache` with the
// user's own folder in `src/entry.cjs`.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';

/** The entry modules of each pack, including everything that these modules load synchronously. A file is in the first pack that needs it. */
const made = {
  // Needed by every command, and by each shell completion.
  program: [
    'src/main.ts',
    'src/cli/run.ts',
    'src/cli/commands/installation/completion.ts',
    'src/config/project.ts',
    'src/config/toml.ts',
    'src/services/session/config-options.ts',
  ],
  // Also needed to read a key from local data or from a platform.
  reading: [
    'src/cli/commands/kv/key.ts',
    'src/services/session/open-session.ts',
    'src/config/find.ts',
    'src/config/bindings.ts',
    'src/profiles/credentials.ts',
    'src/services/session/credential-input.ts',
    'src/profiles/bound.ts',
    'src/services/session/settings.ts',
    'src/sandbox/http/app.ts',
    'src/sandbox/http/running.ts',
  ],
  // Needed for a platform call: got, and the audit log of writes.
  remote: ['src/v4/remote.ts', 'src/services/guard/recorded-writes.ts'],
  // Large modules that few commands need.
  certificates: ['src/sandbox/hostnames/certificates.ts'],
  yaml: ['src/services/sandbox/yaml.ts'],
};

/** Packs that are not compressed: code that every start loads must not wait for `node:zlib`. */
export const plain = ['program', 'reading', 'remote'];

/**
 * Returns the packs of a build: their bytes by file name, and the data about the packs that `src/load.cjs` needs. `outputs` are the outputs
 * in esbuild's metafile; `files` contain, by base name, the code as an ES module and as CommonJS. Code that only some starts need is
 * compressed, unless `isLarge` is set: its size then does not matter, because V8's compiled code is cached and the source is seldom read.
 */
export function makePacks(outputs, files, { isLarge = false } = {}) {
  const packOf = namedPacks(outputs, files);
  const ids = Object.fromEntries([...files.keys()].map((name, id) => [name, id]));
  const names = [...new Set(Object.values(packOf))];
  const written = names.map((pack) => {
    const inside = [...files.keys()].filter((name) => packOf[name] === pack);
    const text = Buffer.from(packText(inside, files, ids), 'latin1');
    const isPlain = isLarge || plain.includes(pack);
    return { file: isPlain ? `${pack}.cjs` : `${pack}.cjs.zst`, bytes: isPlain ? text : compressed(text) };
  });
  const known = {
    packs: written.map(({ file, bytes }) => [file, createHash('sha256').update(bytes).digest('hex')]),
    packOf: [...files.keys()].map((name) => names.indexOf(packOf[name])),
    program: ids['program.cjs'],
  };
  return { packs: written, known, ids };
}

function compressed(bytes) {
  return zstdCompressSync(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 19 } });
}

/**
 * Returns the pack of each file: its configured pack, or the pack of the only noun whose modules load the file, or the pack shared by
 * several nouns.
 */
function namedPacks(outputs, files) {
  const packOf = {};
  for (const [pack, modules] of Object.entries(made)) {
    for (const name of filesOf(outputs, modules)) if (files.has(name)) packOf[name] ??= pack;
  }
  const loaders = new Map([...files.keys()].map((name) => [name, new Set()]));
  for (const { entryPoint } of Object.values(outputs)) {
    if (entryPoint === undefined) continue;
    for (const name of filesOf(outputs, [entryPoint])) loaders.get(name)?.add(nounOf(entryPoint));
  }
  for (const [name, those] of loaders) packOf[name] ??= those.size === 1 ? [...those][0] : 'shared';
  return packOf;
}

/** Nouns with much code that other commands should not load. */
const nouns = ['hostnames', 'kv', 'objects', 'sandbox', 'seed', 'demo', 's3', 'workers'];

function nounOf(module) {
  if (module.startsWith('components/')) return 'console';
  const noun = /^src\/(?:cli\/commands|\w+)\/(\w+)\//.exec(module)?.[1];
  return nouns.includes(noun) ? noun : 'shared';
}
/** Returns the file names of modules, and of everything that these modules load synchronously. */
function filesOf(outputs, modules) {
  const found = new Set();
  const waiting = Object.keys(outputs).filter((path) => modules.includes(outputs[path].entryPoint));
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

/** Returns a JavaScript expression: a function that returns the files. Each file is a function that runs when the file is first used. */
function packText(names, files, ids) {
  const bodies = names.map((name) => {
    const { esm, commonJs } = files.get(name);
    const text = packedImports(lateBuiltins(esm, commonJs), ids).replace(
      /\bimport\(("[^"]+")\)/g,
      'lateModule($1)',
    );
    return `${ids[name]}(module,exports){${text}}`;
  });
  const text = `"use strict";(function({require,load,lateModule,builtin},__filename){return{${bodies.join(',\n')}}})`;
  // The pack is read as Latin-1, which needs no decoding. esbuild escapes other characters, except in regular expressions.
  return text.replace(/[\u0080-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** Returns CommonJS code that loads packed files by number with `load`. */
export function packedImports(text, ids) {
  return text.replace(
    /\brequire\("\.{1,2}\/(?:chunks\/)?([^"/]+\.cjs)"\)/g,
    (_, file) => `load(${ids[file]})`,
  );
}

/** Loads each Node module when one of its exports is first used: the module crypto alone takes a fifth of a bare startup. */
function lateBuiltins(esm, commonJs) {
  const used = importsOf(esm);
  return commonJs.replace(
    /(?<![\w$])([\w$]+)=(?:require\("(node:[\w/]+)"\)|[\w$]+\(require\("(node:[\w/]+)"\)(?:,1)?\))/g,
    (whole, variable, bare, wrapped) => {
      const id = bare ?? wrapped;
      const names = used.get(id);
      return names === undefined || names.has('*')
        ? whole
        : `${variable}=builtin("${id}",${JSON.stringify([...names])})`;
    },
  );
}

/** Returns the imports of a minified ES module from Node's modules: names by module, `*` for a whole module. */
function importsOf(esm) {
  const used = new Map();
  for (const [, bound, id] of esm.matchAll(/\bimport\s*([^"'();]+?)\s*from\s*"(node:[\w/]+)"/g)) {
    const names = used.get(id) ?? used.set(id, new Set()).get(id);
    const [, first = '', braces = ''] = /^([^{]*?),?(?:\{(.*)\})?$/s.exec(bound);
    if (first.startsWith('*')) names.add('*');
    else if (first !== '') names.add('default');
    for (const one of braces.split(',').filter(Boolean)) names.add(one.trim().split(/\s/)[0]);
  }
  return used;
}
