// Puts files of the program that a command loads together into one: some fifty small ones cost a quarter of the start.
import { createHash } from 'node:crypto';
import { basename } from 'node:path';

/** The modules that each pack is made for, with all that these load at once. A file is in the first that needs it. */
const packed = {
  // What reading a key loads, on local data or from a platform.
  'program.cjs': [
    'src/main.ts',
    'src/cli/run.ts',
    'src/cli/commands/kv/key.ts',
    'src/services/session/open-session.ts',
    'src/config/find.ts',
    'src/profiles/credentials.ts',
    'src/services/session/settings.ts',
    'src/sandbox/http/app.ts',
    'src/sandbox/http/running.ts',
  ],
  // What a call of a platform takes: got.
  'remote.cjs': ['src/v4/remote.ts'],
  // What the console has in common with commands.
  'panes.cjs': ['components/console/run-console.tsx'],
};

/**
 * The packs of a build: text by name, and what `src/load.cjs` knows of them. `outputs` are those of esbuild's metafile;
 * `files` have, by their base name, the text as an ES module and as CommonJS. With
 * `embedded` one more pack takes all that are in none.
 */
export function makePacks(outputs, files, embedded) {
  const packOf = {};
  for (const [pack, modules] of Object.entries(packed)) {
    for (const name of filesOf(outputs, modules)) if (files.has(name)) packOf[name] ??= pack;
  }
  if (embedded) for (const name of files.keys()) packOf[name] ??= 'others.cjs';
  const packs = [...new Set(Object.values(packOf))].map((pack) => {
    const names = Object.keys(packOf).filter((name) => packOf[name] === pack);
    return [pack, packText(names, files, packOf)];
  });
  const digests = packs.map(([name, text]) => [name, createHash('sha256').update(text).digest('hex')]);
  return { packs: new Map(packs), known: { packOf, digests: Object.fromEntries(digests) } };
}

/** Names of the files of modules, and of all that these load at once. */
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
function packText(names, files, packOf) {
  const bodies = names.map((name) => {
    const { esm, commonJs } = files.get(name);
    const text = lateBuiltins(esm, commonJs)
      .replace(/\brequire\("\.\/(?:chunks\/)?([^"/]+\.cjs)"\)/g, (_, file) =>
        file in packOf ? `load("${file}")` : `late("./chunks/${file}")`,
      )
      .replace(/\bimport\(("[^"]+")\)/g, 'lateModule($1)');
    return `${JSON.stringify(name)}(module,exports){${text}}`;
  });
  const text = `"use strict";(function({require,load,late,lateModule,builtin},__filename){return{${bodies.join(',\n')}}})`;
  // It is read as Latin-1, which needs no decoding. esbuild escapes what is beyond it but for regular expressions.
  return text.replace(/[\u0080-\uffff]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
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
