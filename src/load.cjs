'use strict';
// Runs the files that the build has packed together, and caches V8's compiled code of the functions that ran.
//
// Gain: 16 ms of processor time for `kv key get --local` over Node's own compile cache on the same packs (55 and 39 ms more than
// `node -e 0`, medians of 60 interleaved runs; no cache: 68 ms). Node's cache does not save functions that are first called after their
// file was compiled, and nearly all functions are. Bench: npm run bench -- startup. To remove: let `openPack` require the pack after
// `module.enableCompileCache`, and have packs start with `module.exports=`; also delete `broughtScript`, the code in
// `build/executable.mjs`, and the tests of cached code in test/startup.test.ts.
const fs = require('node:fs');
const path = require('node:path');
const { Script } = require('node:vm');
const { findDoubt, readFound } = require('./files/found.ts');

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

// `entry.cjs` has already checked the version, but programs that import `edgectl/sandbox` start here.
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 22)) {
  throw new Error(`edgectl needs Node 22.22 or newer; this is ${process.versions.node}.`);
}

/** The packs, with the file and digest of each; the number of the pack that contains each program file; and the main file. */
const { packs: known, packOf, program } = EDGECTL_PACKS;

/** The user's own cache folder. Node's default folder is shared, so another user could plant code there. */
const cacheFolder = findCacheFolder(process.env);

const modules = new Map();
const opened = new Map();
const keeps = [];

/** Returns the exports of a packed file. The file runs when it is first used. */
function load(id) {
  let module = modules.get(id);
  if (module === undefined) {
    module = { exports: {} };
    modules.set(id, module);
    loadPack(packOf[id])[id](module, module.exports);
  }
  return module.exports;
}

/**
 * Replaces `import()`, which is not available in scripts of `node:vm`, or prints a warning there. For Node's own modules, `import()` would
 * also load the ES module loader.
 */
async function lateModule(id) {
  if (id.startsWith('node:')) return require(id);
  // Lets Node cache the compiled code of modules outside the packs. The folder is checked first, because Node does not check its owner, and
  // creates folders with the user's umask.
  if (cacheFolder !== undefined && isOwnFolder(cacheFolder)) {
    const folder = join(cacheFolder, 'node');
    if (isOwnFolder(folder)) require('node:module').enableCompileCache(folder);
  }
  return import(id);
}

/** Node modules that nearly all files use, and that have already been loaded. */
const atHand = { 'node:fs': fs, 'node:path': path };

/** Returns the named exports of a Node module. The module is loaded when an export is first used. */
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

function loadPack(pack) {
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
  const text = readText(name, filename);
  const script = broughtScript(name, text, filename) ?? keptScript(pack, text, filename);
  return script.runInThisContext()({ require, load, lateModule, builtin }, filename);
}

/** Returns a pack with the compiled code in the executable; undefined if the executable contains no such code, or V8 has other flags. */
function broughtScript(name, text, filename) {
  if (!EDGECTL_EMBEDDED) return undefined;
  const cachedData = readAsset(`${name}.code`);
  if (cachedData === undefined) return undefined;
  const script = new Script(text, { filename, cachedData });
  return script.cachedDataRejected ? undefined : script;
}

/** Returns a pack with the compiled code from the cache, if any. Updates the cache when the process exits. */
function keptScript(pack, text, filename) {
  const [name, digest] = known[pack];
  const kept = keptCode(name, digest);
  const script = new Script(text, { filename, cachedData: kept?.code });
  const before = kept === undefined || script.cachedDataRejected ? undefined : kept;
  const tag = before === undefined ? codeTag() : before.tag;
  if (cacheFolder !== undefined) keepAtExit(() => keepCode(pack, script, tag, before?.ran ?? []));
  return script;
}

/** All packs share one listener, because Node would print a warning over the console if there were more than ten. */
function keepAtExit(keep) {
  keeps.push(keep);
  if (keeps.length > 1) return;
  process.once('exit', () => {
    for (const one of keeps) one();
  });
}

/** Reads the pack as Latin-1, which needs no decoding. */
function readText(name, filename) {
  const bytes = EDGECTL_EMBEDDED ? readAsset(name) : readFileSync(filename);
  return (name.endsWith('.zst') ? require('node:zlib').zstdDecompressSync(bytes) : bytes).latin1Slice();
}

/** Returns the bytes of an asset in the executable, without a copy; undefined if the executable has no such asset. */
function readAsset(name) {
  try {
    return Buffer.from(require('node:sea').getRawAsset(name));
  } catch {
    return undefined;
  }
}

/** Returns a number for the properties that V8 compares before it accepts compiled code: its version, its flags and the processor. */
function codeTag() {
  return require('node:v8').cachedDataVersionTag();
}

/**
 * Returns the compiled code of a pack, and the files that had run when the code was saved. The cache file contains the code twice, because
 * V8 accepts damaged code and then crashes or hangs. Comparing both copies takes almost no time, but a checksum would load `node:zlib`,
 * which takes a tenth of the time of a bare startup.
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

/** Saves the compiled code if any file has run for the first time since the last save. */
function keepCode(pack, script, tag, before) {
  const [name, digest] = known[pack];
  const now = [...modules.keys()].filter((id) => packOf[id] === pack);
  if (now.every((id) => before.includes(id))) return;
  try {
    // Does not save code after flags were set (`heap.ts`), because a new process could not use it.
    if (codeTag() !== tag) return;
    const head = JSON.stringify({ digest, tag, ran: [...new Set([...before, ...now])] });
    const bytes = [Buffer.from(`${head}\n`), script.createCachedData()];
    if (!isOwnFolder(cacheFolder)) return;
    removeLeftovers(cacheFolder);
    replace(keptPath(name), Buffer.concat([...bytes, ...bytes]));
  } catch {
    // Ignores a failure, because startup works without the cache, only more slowly.
  }
}

/** Creates a folder level by level, like `files/folders.ts`, because Node's recursive option never returns below `/proc`. */
function makeFolder(folder) {
  if (statSync(folder, { throwIfNoEntry: false }) !== undefined) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

/** Deletes the unfinished files of processes that were killed while saving code. */
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

/** Replaces a file atomically, even across a power failure. */
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

/**
 * Returns the path of the cache file. Each pack has one file per Node version and processor; a new version of edgectl replaces the file.
 */
function keptPath(name) {
  return join(cacheFolder, `${name}-${process.version}-${process.arch}.code`);
}

function findCacheFolder({ HOME, XDG_CACHE_HOME }) {
  const folder = [XDG_CACHE_HOME, HOME && `${HOME}/.cache`].find((one) => one && isAbsolute(one));
  return folder && join(folder, 'edgectl');
}

/** Creates a folder unless it exists, and returns whether only this user can create files in it. */
function isOwnFolder(folder) {
  try {
    makeFolder(folder);
    return findDoubt('cache-folder', folder) === undefined;
  } catch {
    return false;
  }
}

module.exports = { load, program };
