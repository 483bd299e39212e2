'use strict';
// Runs the files that the build has packed together, and keeps V8's compiled code of what they used.
//
// Gain: 16 ms of processor time for `kv key get --local` over Node's own compile cache on the same packs (55 and 39 ms more
// than `node -e 0`, medians of 60 interleaved runs; no cache: 68 ms). Node's cache keeps no function that is called only
// after its file was compiled, which is nearly all of them. Bench: npm run bench -- startup.
// To remove: let `openPack` require the pack after `module.enableCompileCache`, and have packs start with `module.exports=`;
// `broughtScript` and the code in `build/executable.mjs` go as well, and the tests of kept code in test/startup.test.ts.
const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');
const { doubtAbout, readFound } = require('./files/found.ts');

const {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} = fs;
const { dirname, isAbsolute, join } = path;

// `entry.cjs` has checked this before; programs that import `edgectl/sandbox` begin here.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 22)) {
  throw new Error(`edgectl needs Node 22.22 or newer; this is ${process.versions.node}.`);
}

/** The packs, each a file and a digest of it; the pack of each file of the program, by number; the file that is the program. */
const { packs: known, packOf, program } = EDGECTL_PACKS;

/** In the user's own cache folder: in Node's default, a shared one, another user could put code of theirs. */
const cacheFolder = cacheFolderOf(process.env);

const modules = new Map();
const opened = new Map();
const keeps = [];

/** The exports of a packed file, which runs when it is first asked for. */
function load(id) {
  let module = modules.get(id);
  if (module === undefined) {
    module = { exports: {} };
    modules.set(id, module);
    filesOf(packOf[id])[id](module, module.exports);
  }
  return module.exports;
}

/** As `import()`, which a script of `node:vm` has not, or with a warning. It would load the ES module loader for Node's own. */
async function lateModule(id) {
  if (id.startsWith('node:')) return require(id);
  // Node keeps the compiled code of what is in no pack. It checks no owner, and makes its folders with the user's umask.
  if (cacheFolder !== undefined && isOwnFolder(cacheFolder)) {
    const folder = join(cacheFolder, 'node');
    if (isOwnFolder(folder)) require('node:module').enableCompileCache(folder);
  }
  return import(id);
}

/** Modules of Node's that nearly all files use, and that are loaded already. */
const atHand = { 'node:fs': fs, 'node:path': path };

/** Of a module of Node's, the exports with these names; it is loaded when the first of them is used. */
function builtin(id, names) {
  if (atHand[id] !== undefined && !names.includes('default')) return atHand[id];
  const lazy = {};
  for (const name of names) {
    const get = () => {
      const module = require(id);
      const value = name === 'default' ? module : module[name];
      Object.defineProperty(lazy, name, { value });
      return value;
    };
    Object.defineProperty(lazy, name, { configurable: true, get });
  }
  return lazy;
}

function filesOf(pack) {
  let files = opened.get(pack);
  if (files === undefined) {
    files = openPack(pack);
    opened.set(pack, files);
  }
  return files;
}

function openPack(pack) {
  const [name] = known[pack];
  const filename = join(__dirname, 'packs', name);
  const text = textOf(name, filename);
  const script = broughtScript(name, text, filename) ?? keptScript(pack, text, filename);
  return script.runInThisContext()({ require, load, lateModule, builtin }, filename);
}

/** A pack with the compiled code that the executable brings; undefined where it brings none, or V8 has other flags. */
function broughtScript(name, text, filename) {
  if (!EDGECTL_EMBEDDED) return undefined;
  const cachedData = assetOf(`${name}.code`);
  if (cachedData === undefined) return undefined;
  const script = new Script(text, { filename, cachedData });
  return script.cachedDataRejected ? undefined : script;
}

/** A pack with the compiled code that an earlier start has kept, and that is kept at the end of this one. */
function keptScript(pack, text, filename) {
  const [name, digest] = known[pack];
  const kept = keptCode(name, digest);
  const script = new Script(text, { filename, cachedData: kept?.code });
  const before = kept === undefined || script.cachedDataRejected ? undefined : kept;
  const tag = before === undefined ? codeTag() : before.tag;
  if (cacheFolder !== undefined) keepAtExit(() => keepCode(pack, script, tag, before?.ran ?? []));
  return script;
}

/** One listener for all packs: Node warns of more than ten, in the middle of the console. */
function keepAtExit(keep) {
  keeps.push(keep);
  if (keeps.length > 1) return;
  process.once('exit', () => {
    for (const one of keeps) one();
  });
}

/** It is Latin-1, which needs no decoding. */
function textOf(name, filename) {
  const bytes = EDGECTL_EMBEDDED ? assetOf(name) : readFileSync(filename);
  return (name.endsWith('.zst') ? require('node:zlib').zstdDecompressSync(bytes) : bytes).latin1Slice();
}

/** Bytes that the executable has in itself, where they lie; undefined where it has none of that name. */
function assetOf(name) {
  try {
    return Buffer.from(require('node:sea').getRawAsset(name));
  } catch {
    return undefined;
  }
}

/** What V8 goes by when it takes code again: its version, its flags and the processor. */
function codeTag() {
  return require('node:v8').cachedDataVersionTag();
}

/**
 * The compiled code of a pack, and the files that had run when it was kept. It stands twice in its file: V8 takes what is
 * damaged, and crashes or never ends. To compare takes no time; a checksum would load `node:zlib`, a tenth of a start.
 */
function keptCode(name, digest) {
  if (cacheFolder === undefined) return undefined;
  try {
    const twice = readFound('compiled-code', keptPath(name))?.bytes;
    if (twice === undefined) return undefined;
    const bytes = twice.subarray(0, twice.length / 2);
    if (!bytes.equals(twice.subarray(bytes.length))) return undefined;
    const end = bytes.indexOf('\n');
    const head = JSON.parse(bytes.latin1Slice(0, end));
    return head.digest === digest ? { ...head, code: bytes.subarray(end + 1) } : undefined;
  } catch {
    return undefined;
  }
}

/** Keeps what is compiled now, where a file has run that had not when it was last kept. */
function keepCode(pack, script, tag, before) {
  const [name, digest] = known[pack];
  const now = [...modules.keys()].filter((id) => packOf[id] === pack);
  if (now.every((id) => before.includes(id))) return;
  try {
    // Flags that were set meanwhile (`heap.ts`) would make it of no use to a process that begins.
    if (codeTag() !== tag) return;
    const head = JSON.stringify({ digest, tag, ran: [...new Set([...before, ...now])] });
    const bytes = [Buffer.from(`${head}\n`), script.createCachedData()];
    if (!isOwnFolder(cacheFolder)) return;
    removeLeftovers(cacheFolder);
    replace(keptPath(name), Buffer.concat([...bytes, ...bytes]));
  } catch {
    // A start without it is slower, and that is all.
  }
}

/** Makes a folder level by level, as `files/folders.ts` does: Node's recursive form never returns below `/proc`. */
function makeFolder(folder) {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** Removes the unfinished files of processes that were killed while they kept code. */
function removeLeftovers(folder) {
  for (const name of readdirSync(folder)) {
    const pid = /\.code\.([1-9]\d*)$/.exec(name)?.[1];
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true });
  }
}

function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** Replaces a file as a whole or not at all, also where the power fails. */
function replace(path, bytes) {
  const made = `${path}.${process.pid}`;
  const file = openSync(made, 'wx', 0o600);
  try {
    try {
      writeFileSync(file, bytes);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(made, path);
  } catch (error) {
    rmSync(made, { force: true });
    throw error;
  }
}

/** One file for each Node: another version of ours takes its place. */
function keptPath(name) {
  return join(cacheFolder, `${name}-${process.version}-${process.arch}.code`);
}

function cacheFolderOf({ HOME, XDG_CACHE_HOME }) {
  const folder = [XDG_CACHE_HOME, HOME && `${HOME}/.cache`].find((one) => one && isAbsolute(one));
  return folder && join(folder, 'edgectl');
}

/** Makes a folder unless it exists, and returns whether nobody else can put files in it. */
function isOwnFolder(folder) {
  try {
    makeFolder(folder);
    return doubtAbout('cache-folder', folder) === undefined;
  } catch {
    return false;
  }
}

module.exports = { load, program };
