// Puts files of the program that are loaded together into one. Gain, with `src/load.cjs`: 48 ms of processor time for `kv key
// get --local` compared with one file for each chunk of esbuild and Node's compile cache (87 and 39 ms more than `node -e 0`,
// medians of 60 interleaved runs). Of these, Node's modules that are loaded late (`lateBuiltins`) gain 12 ms. Bench: npm run
// bench -- startup. To remove: write the files of `buildProgram` unchanged, with `require` of each other, and call
// `module.enableCompileCache` with the user's own folder in `src/entry.cjs`.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { constants, zstdCompressSync } from 'node:zlib';

/** The entry modules of a pack, with everything that they load synchronously. A file is in the first pack that needs it. */
const made = {
  // What every command loads, and what a shell waits for at each Tab.
  program: [
    'src/main.ts',
    'src/cli/run.ts',
    'src/cli/commands/installation/completion.ts',
    'src/config/project.ts',
    'src/config/toml.ts',
    'src/services/session/config-options.ts',
  ],
  // What reading a key loads besides, on local data or from a platform.
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
  // What a call of a platform takes: got.
  remote: ['src/v4/remote.ts'],
  // Large ones that few commands load.
  certificates: ['src/sandbox/hostnames/certificates.ts'],
  yaml: ['src/services/sandbox/yaml.ts'],
};

/** These are not compressed, because code that is loaded at every start must not wait for `node:zlib`. */
export const plain = ['program', 'reading', 'remote'];

/**
 * The packs of a build: bytes by file name, and what `src/load.cjs` knows of them. `outputs` are those of esbuild's
 * metafile; `files` have, by their base name, the text as an ES module and as CommonJS. Code that is not there for every
 * start is compressed, unless `isLarge` says that size does not matter: V8's code of it is kept, so that its text is seldom read.
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

/** The pack of each file: one that is made for it, or that of the one noun whose modules load it, or one for what several do. */
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

/** Nouns with so much separate code that other commands should not load it. */
const nouns = ['hostnames', 'kv', 'objects', 'sandbox', 'seed', 'demo', 's3', 'workers'];

function nounOf(module) {
  if (module.startsWith('components/')) return 'console';
  const noun = /^src\/(?:cli\/commands|\w+)\/(\w+)\//.exec(module)?.[1];
  return nouns.includes(noun) ? noun : 'shared';
}
/** Names of the files of modules, and of everything that these load synchronously. */
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

/** An expression: a function that gives the files, each a function that runs when it is first asked for. */
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
  // It is read as Latin-1, which needs no decoding. esbuild escapes what is beyond it but for regular expressions.
  return text.replace(/[\u0080-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

/** CommonJS that takes files of ours by their number, from `load`. */
export function packedImports(text, ids) {
  return text.replace(
    /\brequire\("\.{1,2}\/(?:chunks\/)?([^"/]+\.cjs)"\)/g,
    (_, file) => `load(${ids[file]})`,
  );
}

/** Modules of Node's are loaded where the first of their exports is used: crypto alone costs a fifth of a bare start. */
function lateBuiltins(esm, commonJs) {
  const used = importsOf(esm);
  return commonJs.replace(
    /\b([\w$]+)=(?:require\("(node:[\w/]+)"\)|[\w$]+\(require\("(node:[\w/]+)"\)(?:,1)?\))/g,
    (whole, variable, bare, wrapped) => {
      const id = bare ?? wrapped;
      const names = used.get(id);
      return names === undefined || names.has('*')
        ? whole
        : `${variable}=builtin("${id}",${JSON.stringify([...names])})`;
    },
  );
}

/** What a minified ES module imports of Node's modules: names by module, `*` for all of one. */
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
