import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { readLease, takeLease } from '../../src/store/lease.ts';
import { bucketPaths } from '../../src/store/objects/paths.ts';
import { type DataPaths, kvPaths } from '../../src/store/paths.ts';
import { openRegistry } from '../../src/store/registry.ts';
import { openToWrite } from '../../src/store/sqlite.ts';
import { scratchFolder } from '../support/world.ts';
import { bucket, get, openObjects, put } from './objects-scratch.ts';
import { bytes, namespace, openStore, outside, text } from './scratch.ts';

const secret = 'a private key of the user';

let root: string;
/** Outside of the root: what an attack is after. */
let home: string;
let victim: string;
beforeEach(() => {
  root = scratchFolder('inside');
  home = scratchFolder('home');
  victim = join(home, 'id_rsa');
  writeFileSync(victim, secret);
});

/** How each kind of data is written and read, from a new process's point of view. */
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

function blobOf(paths: DataPaths): string {
  return join(paths.blobs, readdirSync(paths.blobs)[0] ?? '');
}

/** Moves something out of the root and leaves a link to it. */
function moveOut(path: string): void {
  renameSync(path, join(home, 'moved'));
  symlinkSync(join(home, 'moved'), path);
}

/** A refusal that names the path and what stands there. */
function refusal(path: string, what: string) {
  return expect.objectContaining({
    code: 'store-invalid',
    message: expect.stringMatching(new RegExp(`^${path.replaceAll('.', '\\.')} (is|has) ${what}`)),
    remedy: { kind: expect.stringMatching(/^(?:remove-stranger|copy-files)$/) },
  });
}

describe.each(['kv', 'objects'] as const)('what a checkout brings below %s', (name) => {
  const kind = kinds[name];

  it.each([
    ['collected', (paths: DataPaths) => join(paths.folder, 'collected')],
    ['a note of replaced values', (paths: DataPaths) => join(paths.folder, `replaced-1-${'0'.repeat(16)}`)],
  ])('%s that is a link destroys nothing', async (_, pathOf) => {
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

  it('a linked value is not read', async () => {
    await kind.write('a');
    const blob = blobOf(kind.paths());
    rmSync(blob);
    symlinkSync(victim, blob);
    await expect(kind.read('a')).rejects.toEqual(refusal(blob, 'a symbolic link'));
  });

  it('a value that is a pipe is not waited for', async () => {
    await kind.write('a');
    const blob = blobOf(kind.paths());
    rmSync(blob);
    execFileSync('mkfifo', [blob]);
    await expect(kind.read('a')).rejects.toEqual(refusal(blob, 'a pipe'));
  });

  it.each([
    ['blobs', (paths: DataPaths) => paths.blobs],
    ['the folder of one', (paths: DataPaths) => paths.folder],
    ['the folder of databases', (paths: DataPaths) => dirname(paths.database)],
    ['the folder of all', (paths: DataPaths) => dirname(paths.folder)],
    ['v3', (paths: DataPaths) => dirname(dirname(paths.folder))],
  ])('%s that is a link is neither read nor written through', async (_, pathOf) => {
    await kind.write('a');
    const path = pathOf(kind.paths());
    moveOut(path);
    const before = readdirSync(home, { recursive: true });
    await expect(kind.read('a')).rejects.toEqual(refusal(path, 'a symbolic link'));
    await expect(kind.write('b')).rejects.toEqual(refusal(path, 'a symbolic link'));
    expect(readdirSync(home, { recursive: true })).toEqual(before);
  });

  it.each(['', '-wal', '-shm', '-journal'])('a database%s that is a link is not opened', async (ending) => {
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
  ])('a %s that is another file by a second name is not written', async (_, pathOf) => {
    await kind.write('a');
    const path = pathOf(kind.paths());
    renameSync(path, join(home, 'other'));
    linkSync(join(home, 'other'), path);
    const before = readFileSync(join(home, 'other'));
    await expect(kind.write('b')).rejects.toEqual(refusal(path, 'another name'));
    expect(readFileSync(join(home, 'other'))).toEqual(before);
  });

  it('a copy by hard links is read, byte for byte as it stays, and not written', async () => {
    await kind.write('a');
    const snapshot = join(home, 'snapshot');
    execFileSync('cp', ['-al', root, snapshot]);
    const before = readFileSync(kind.paths().database);
    expect(await kind.read('a')).toBe('value');
    await expect(kind.write('b')).rejects.toMatchObject({
      code: 'store-invalid',
      message: expect.stringContaining('has another name elsewhere (a hard link)'),
      remedy: { kind: 'copy-files' },
    });
    expect(readFileSync(kind.paths().database)).toEqual(before);
    rmSync(snapshot, { recursive: true });
    await kind.write('b');
  });

  it.each(['-shm', '-journal'])('a %s by which a reader would write elsewhere is refused', async (ending) => {
    await kind.write('a');
    const path = kind.paths().database + ending;
    linkSync(victim, path);
    await expect(kind.read('a')).rejects.toEqual(refusal(path, 'another name'));
    expect(readFileSync(victim, 'utf8')).toBe(secret);
  });

  it('a database that is half written is not rolled back where it has another name', async () => {
    await kind.write('a');
    const { database } = kind.paths();
    writeFileSync(`${database}-journal`, '');
    linkSync(database, join(home, 'other'));
    await expect(kind.read('a')).rejects.toEqual(refusal(database, 'another name'));
  });

  it('a linked folder is not looked into for what there is', async () => {
    await kind.write('a');
    const path = dirname(kind.paths().folder);
    moveOut(path);
    expect(() => kind.list()).toThrow(refusal(path, 'a symbolic link'));
  });
});

it('an object whose row names a path is not read', async () => {
  await kinds.objects.write('a');
  const database = openToWrite(bucketPaths(root, bucket).database);
  database.prepare('UPDATE _mf_objects SET blob_id = ?').run(`../../../../../..${victim}`);
  database.close();
  await expect(kinds.objects.read('a')).rejects.toThrow('names a value that is no blob id');
});

it('a folder that a person has named may be a link', async () => {
  const real = join(home, 'real');
  mkdirSync(real);
  rmSync(root, { recursive: true });
  symlinkSync(real, root);
  await kinds.kv.write('a');
  expect(await kinds.kv.read('a')).toBe('value');
});

it.each(['registry.sqlite', 'registry.sqlite-journal', 'lease.lock', 'lease.json'])(
  '%s that is a link is not followed',
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

it('files below a state folder are opened in one paths only', () => {
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
