import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, relative } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import {
  checkFolders,
  checkTree,
  createFile,
  ensureFile,
  findFile,
  note,
  openFile,
  readSmall,
  readWhole,
} from '../../src/store/inside.ts';
import { readLease, takeLease } from '../../src/store/lease.ts';
import { bucketPaths } from '../../src/store/objects/paths.ts';
import { type DataPaths, kvPaths } from '../../src/store/paths.ts';
import { openRegistry } from '../../src/store/registry.ts';
import { openToRead, openToWrite } from '../../src/store/sqlite.ts';
import { scratchFolder } from '../support/world.ts';
import { bucket, get, openObjects, put } from './objects-scratch.ts';
import { bytes, namespace, openStore, outside, text } from './scratch.ts';

const secret = 'a private key of the user';

let root: string;
/** A folder outside the root: the target of an attack. */
let home: string;
let victim: string;
beforeEach(() => {
  root = scratchFolder('inside');
  home = scratchFolder('home');
  victim = join(home, 'id_rsa');
  writeFileSync(victim, secret);
});

/** The kinds of data, each with functions that write, read and list it as a new process would. */
const kinds = {
  kv: {
    paths: () => kvPaths(root, namespace),
    async write(key: string) {
      using store = openStore(root);
      store.write(namespace, [{ key, value: bytes('value') }], Date.now());
    },
    async read(key: string) {
      using store = openStore(root);
      return text(store.read(namespace, key, Date.now())?.value);
    },
    list() {
      using store = openStore(root);
      return store.namespaceFolders();
    },
  },
  objects: {
    paths: () => bucketPaths(root, bucket),
    async write(key: string) {
      using store = openObjects(root);
      await put(store, key, 'value');
    },
    async read(key: string) {
      using store = openObjects(root);
      return text(await get(store, key));
    },
    list() {
      using store = openObjects(root);
      return store.bucketFolders();
    },
  },
} as const;

function getBlob(paths: DataPaths): string {
  return join(paths.blobs, readdirSync(paths.blobs)[0] ?? '');
}

/** Moves a file or folder out of the root, and leaves a link to it. */
function moveOut(path: string): void {
  renameSync(path, join(home, 'moved'));
  symlinkSync(join(home, 'moved'), path);
}

/** Matches an error that names the path and the kind of file. */
function refusal(path: string, what: string) {
  return expect.objectContaining({
    code: 'store-invalid',
    message: expect.stringMatching(new RegExp(`^${path.replaceAll('.', '\\.')} (is|has) ${what}`)),
    remedy: { kind: expect.stringMatching(/^(?:remove-stranger|copy-files)$/) },
  });
}

describe.each(['kv', 'objects'] as const)('the store of a checkout below %s', (name) => {
  const kind = kinds[name];

  it.each([
    ['collected', (paths: DataPaths) => join(paths.folder, 'collected')],
    ['a note of replaced values', (paths: DataPaths) => join(paths.folder, `replaced-1-${'0'.repeat(16)}`)],
  ])('destroys no file through %s that is a link', async (_, pathOf) => {
    await kind.write('a');
    const path = pathOf(kind.paths());
    rmSync(path, { force: true });
    symlinkSync(victim, path);
    await expect(kind.write('b')).rejects.toEqual(refusal(path, 'a symbolic link'));
    expect(readFileSync(victim, 'utf8')).toBe(secret);
    rmSync(path);
    await kind.write('b');
    expect(await kind.read('b')).toBe('value');
  });

  it('rejects a value that is a link', async () => {
    await kind.write('a');
    const blob = getBlob(kind.paths());
    rmSync(blob);
    symlinkSync(victim, blob);
    await expect(kind.read('a')).rejects.toEqual(refusal(blob, 'a symbolic link'));
  });

  it('does not block on a value that is a pipe', async () => {
    await kind.write('a');
    const blob = getBlob(kind.paths());
    rmSync(blob);
    execFileSync('mkfifo', [blob]);
    await expect(kind.read('a')).rejects.toEqual(refusal(blob, 'a pipe'));
  });

  it.each([
    ['blobs', (paths: DataPaths) => paths.blobs],
    ['the folder of one namespace or bucket', (paths: DataPaths) => paths.folder],
    ['the folder of databases', (paths: DataPaths) => dirname(paths.database)],
    ['the folder of all namespaces or buckets', (paths: DataPaths) => dirname(paths.folder)],
    ['v3', (paths: DataPaths) => dirname(dirname(paths.folder))],
  ])('neither reads nor writes through %s that is a link', async (_, pathOf) => {
    await kind.write('a');
    const path = pathOf(kind.paths());
    moveOut(path);
    const before = readdirSync(home, { recursive: true });
    await expect(kind.read('a')).rejects.toEqual(refusal(path, 'a symbolic link'));
    await expect(kind.write('b')).rejects.toEqual(refusal(path, 'a symbolic link'));
    expect(readdirSync(home, { recursive: true })).toEqual(before);
  });

  it.each(['', '-wal', '-shm', '-journal'])('rejects a database%s that is a link', async (ending) => {
    await kind.write('a');
    const path = kind.paths().database + ending;
    rmSync(path, { force: true });
    symlinkSync(victim, path);
    await expect(kind.read('a')).rejects.toEqual(refusal(path, 'a symbolic link'));
    await expect(kind.write('b')).rejects.toEqual(refusal(path, 'a symbolic link'));
    expect(readFileSync(victim, 'utf8')).toBe(secret);
    expect(readdirSync(home)).toEqual(['id_rsa']);
  });

  it.each([
    ['database', (paths: DataPaths) => paths.database],
    ['collected', (paths: DataPaths) => join(paths.folder, 'collected')],
  ])('does not write a %s that is a hard link to another file', async (_, pathOf) => {
    await kind.write('a');
    const path = pathOf(kind.paths());
    renameSync(path, join(home, 'other'));
    linkSync(join(home, 'other'), path);
    const before = readFileSync(join(home, 'other'));
    await expect(kind.write('b')).rejects.toEqual(refusal(path, 'a hard link'));
    expect(readFileSync(join(home, 'other'))).toEqual(before);
  });

  it('reads a copy by hard links, unchanged byte for byte, and does not write it', async () => {
    await kind.write('a');
    const snapshot = join(home, 'snapshot');
    execFileSync('cp', ['-al', root, snapshot]);
    const before = readFileSync(kind.paths().database);
    expect(await kind.read('a')).toBe('value');
    await expect(kind.write('b')).rejects.toMatchObject({
      code: 'store-invalid',
      message: expect.stringContaining('is a hard link to another file'),
      remedy: { kind: 'copy-files' },
    });
    expect(readFileSync(kind.paths().database)).toEqual(before);
    rmSync(snapshot, { recursive: true });
    await kind.write('b');
  });

  it('reads a copy by hard links from within a transaction, including its log', async () => {
    await kind.write('a');
    const { database } = kind.paths();
    const writer = openToWrite(database);
    writer.exec('PRAGMA user_version = 7');
    const snapshot = join(home, 'snapshot');
    execFileSync('cp', ['-al', root, snapshot]);
    rmSync(join(snapshot, relative(root, `${database}-shm`)));
    const copy = openToRead(join(snapshot, relative(root, database)));
    expect(copy.prepare('PRAGMA user_version').get()).toEqual({ user_version: 7 });
    copy.close();
    writer.close();
  });

  it.each(['-shm', '-journal'])('rejects a %s that would make a reader write elsewhere', async (ending) => {
    await kind.write('a');
    const path = kind.paths().database + ending;
    linkSync(victim, path);
    await expect(kind.read('a')).rejects.toEqual(refusal(path, 'a hard link'));
    expect(readFileSync(victim, 'utf8')).toBe(secret);
  });

  it('does not roll back an unfinished transaction if the database has another name', async () => {
    await kind.write('a');
    const { database } = kind.paths();
    writeFileSync(`${database}-journal`, '');
    linkSync(database, join(home, 'other'));
    await expect(kind.read('a')).rejects.toEqual(refusal(database, 'a hard link'));
  });

  it('does not search a linked folder for content', async () => {
    await kind.write('a');
    const path = dirname(kind.paths().folder);
    moveOut(path);
    expect(() => kind.list()).toThrow(refusal(path, 'a symbolic link'));
  });
});

it('rejects an object whose row contains a path', async () => {
  await kinds.objects.write('a');
  const database = openToWrite(bucketPaths(root, bucket).database);
  database.prepare('UPDATE _mf_objects SET blob_id = ?').run(`../../../../../..${victim}`);
  database.close();
  await expect(kinds.objects.read('a')).rejects.toThrow('contains an invalid blob id');
});

it('accepts a link as a folder that the user has named', async () => {
  const real = join(home, 'real');
  mkdirSync(real);
  rmSync(root, { recursive: true });
  symlinkSync(real, root);
  await kinds.kv.write('a');
  expect(await kinds.kv.read('a')).toBe('value');
});

it.each(['registry.sqlite', 'registry.sqlite-journal', 'lease.lock', 'lease.json'])(
  'does not follow %s that is a link',
  (name) => {
    const path = join(root, name);
    const attempt = () => {
      if (name.startsWith('registry')) return openRegistry(root, outside()).close();
      const apiBaseUrl = 'http://127.0.0.1:8787/client/v4';
      takeLease(root, { pid: process.pid, port: 8787, startedAt: 1, token: 't', apiBaseUrl }).release();
    };
    for (const target of [victim, join(home, 'new')]) {
      symlinkSync(target, path);
      expect(attempt).toThrow(refusal(path, 'a symbolic link'));
      rmSync(path);
    }
    expect([readFileSync(victim, 'utf8'), existsSync(join(home, 'new'))]).toEqual([secret, false]);
    symlinkSync(victim, join(root, 'lease.json'));
    expect(() => readLease(root)).toThrow(refusal(join(root, 'lease.json'), 'a symbolic link'));
  },
);

describe('a tree that another program will open', () => {
  const tree = () => join(root, 'v3');
  beforeEach(() => {
    mkdirSync(join(tree(), 'deep', 'deeper'), { recursive: true });
    writeFileSync(join(tree(), 'deep', 'blob'), '');
    writeFileSync(join(tree(), 'deep', 'd.sqlite'), '');
  });

  it('is valid, or absent', () => {
    checkTree(tree());
    checkTree(join(root, 'missing'));
    // A hard link is allowed for a file that is only read; a linked database would be written.
    linkSync(join(tree(), 'deep', 'blob'), join(home, 'other'));
    checkTree(tree());
  });

  it.each([
    ['a symbolic link', 'link', (path: string) => symlinkSync(victim, path)],
    ['a symbolic link', 'dangling', (path: string) => symlinkSync(join(home, 'new'), path)],
    ['a symbolic link', 'folder', (path: string) => symlinkSync(home, path)],
    ['a pipe', 'pipe', (path: string) => execFileSync('mkfifo', [path])],
    ['a hard link', 'd.sqlite', (path: string) => linkSync(victim, path)],
    ['a hard link', 'd.sqlite-wal', (path: string) => linkSync(victim, path)],
  ])('is rejected with %s (%s) anywhere in it', (what, name, make) => {
    const path = join(tree(), 'deep', 'deeper', name);
    make(path);
    expect(() => checkTree(tree())).toThrow(refusal(path, what));
  });

  it('is rejected with an invalid root', () => {
    symlinkSync(home, join(root, 'link'));
    expect(() => checkTree(join(root, 'link'))).toThrow(refusal(join(root, 'link'), 'a symbolic link'));
    expect(() => checkTree(victim)).toThrow(refusal(victim, 'a file'));
  });
});

it('names the file type at a path instead of the expected file or folder', async () => {
  const socket = join(root, 'socket');
  const server = createServer().listen(socket);
  await once(server, 'listening');
  expect(() => findFile(socket)).toThrow(refusal(socket, 'a socket, but a file is expected'));
  server.close();
  await once(server, 'close');
  expect(() => findFile('/dev/null')).toThrow(refusal('/dev/null', 'a device, but a file is expected'));
  expect(() => findFile(root)).toThrow(refusal(root, 'a folder, but a file is expected'));
  expect(() => openFile(root)).toThrow(refusal(root, 'a folder, but a file is expected'));
  expect(() => openFile('/dev/null')).toThrow(refusal('/dev/null', 'a device'));
  expect(() => checkFolders(home, [join(victim, 'below')])).toThrow(
    refusal(victim, 'a file, but a folder is expected'),
  );
  expect(findFile(join(root, 'missing'))).toBeUndefined();
  expect(findFile(victim)?.size).toBe(secret.length);
});

it('reads and writes small files completely, and neither follows links nor truncates other files', () => {
  const path = join(root, 'note');
  note(path, 'a longer text');
  note(path, 'text');
  expect(readWhole(path).toString()).toBe('text');
  expect(readSmall(path, undefined)?.content.toString()).toBe('text');
  writeFileSync(path, 'x'.repeat(64 * 1024), { mode: 0o600 });
  expect(readSmall(path, undefined)?.content.length).toBe(64 * 1024);
  writeFileSync(path, 'x'.repeat(64 * 1024 + 1));
  expect(readSmall(path, undefined)).toBeUndefined();
  expect(readWhole(path)).toHaveLength(64 * 1024 + 1);
  const linked = join(root, 'linked');
  linkSync(victim, linked);
  expect(() => note(linked, '')).toThrow(refusal(linked, 'a hard link'));
  expect(() => ensureFile(linked)).toThrow(refusal(linked, 'a hard link'));
  expect(() => note(root, '')).toThrow(expect.objectContaining({ code: 'EISDIR' }));
  expect(() => closeSync(createFile(victim))).toThrow(expect.objectContaining({ code: 'EEXIST' }));
  expect(readFileSync(victim, 'utf8')).toBe(secret);
  ensureFile(path);
  expect(readWhole(path)).toHaveLength(64 * 1024 + 1);
  ensureFile(join(root, 'made'));
  expect([statSync(join(root, 'made')).mode & 0o777, readWhole(join(root, 'made')).length]).toEqual([
    0o600, 0,
  ]);
});

it.runIf(process.platform === 'linux')('closes every file that it has read or rejected', () => {
  const openFiles = () => readdirSync('/proc/self/fd').length;
  const before = openFiles();
  const path = join(root, 'note');
  for (let count = 0; count < 20; count += 1) {
    note(path, 'text');
    readWhole(path);
    readSmall(path, undefined);
    ensureFile(path);
    expect(() => openFile(root)).toThrow();
  }
  writeFileSync(path, 'x'.repeat(64 * 1024 + 1));
  for (let count = 0; count < 20; count += 1) readSmall(path, undefined);
  expect(openFiles()).toBeLessThan(before + 20);
});

it('only one module opens files below a state folder', () => {
  const folder = join(import.meta.dirname, '../../src/store');
  const opening =
    /\b(openSync|readFileSync|writeFileSync\((?!file,)|appendFileSync|copyFileSync|mkdirSync|statSync|existsSync|createWriteStream|DatabaseSync\)\()/;
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (name) =>
      name.endsWith('.ts') &&
      name !== 'inside.ts' &&
      opening.test(readFileSync(join(folder, name), 'utf8').replace(/^import[^;]*;$/gm, '')),
  );
  expect(found).toEqual(['sqlite.ts']);
});
