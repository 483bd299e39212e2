import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Problem } from '../../src/model/problem.ts';
import { storeProblem } from '../../src/store/faults.ts';
import { checkTree } from '../../src/store/inside.ts';
import { takeLease } from '../../src/store/lease.ts';
import { kvPaths } from '../../src/store/paths.ts';
import { openRegistry } from '../../src/store/registry.ts';
import { Room } from '../../src/store/room.ts';
import {
  closeAndDelete,
  columnNames,
  exclusively,
  immediately,
  openToRead,
  openToWrite,
} from '../../src/store/sqlite.ts';
import { start } from './child.ts';
import { bucket, openObjects, put } from './objects-scratch.ts';
import { bytes, namespace, openStore, outside, scratch, tree, watchPragmas } from './scratch.ts';

it.runIf(process.platform !== 'win32')('reads a folder that it cannot write', async () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('value') }], 0);
  store.close();
  const folder = dirname(kvPaths(root.path, namespace).database);
  // Folders are created for their owner only; a user who lets others read must change the permissions of the folders.
  for (const name of ['.', 'v3', 'v3/kv', `v3/kv/${namespace}`, `v3/kv/${namespace}/blobs`]) {
    chmodSync(join(root.path, name), 0o755);
  }
  chmodSync(folder, 0o555);
  const before = tree(root.path);
  await using child = start('read-as-stranger', root.path);
  expect(await child.line()).toBe('value\n');
  await child.ended();
  expect(tree(root.path)).toEqual(before);
  chmodSync(folder, 0o755);
});

it('suppresses the warning when SQLite is loaded, and passes later warnings', () => {
  using root = scratch();
  const store = JSON.stringify(new URL('../../src/store/kv/disk.ts', import.meta.url));
  const program = `
    import { openKvStore } from ${store};
    const store = openKvStore(${JSON.stringify(root.path)}, { now: Date.now, random: (bytes) => new Uint8Array(bytes) });
    store.write('n', [{ key: 'k', value: new Uint8Array() }], 0);
    store.close();
    process.on('warning', ({ message }) => process.stdout.write(message));
    process.emitWarning('a later one');`;
  const run = execFileSync(process.execPath, ['--input-type=module', '--eval', program], { stdio: 'pipe' });
  expect(run.toString()).toBe('a later one');
});

it.runIf(process.platform === 'linux')('reports a full disk as full', () => {
  const thrown = (): unknown => {
    try {
      return writeFileSync('/dev/full', 'x');
    } catch (error) {
      return error;
    }
  };
  expect(storeProblem(thrown(), 'kv.sqlite')).toMatchObject({
    message: 'The local data cannot grow: the disk is full.',
    hint: 'Free some space, then try again.',
  });
});

it.runIf(process.platform === 'linux')(
  'reports a limit on file sizes as a limit, not as a damaged database',
  () => {
    using root = scratch();
    const store = JSON.stringify(new URL('../../src/store/kv/disk.ts', import.meta.url));
    const script = `
    import { openKvStore } from ${store};
    const store = openKvStore(${JSON.stringify(root.path)}, { now: Date.now, random: (bytes) => new Uint8Array(bytes) });
    try {
      store.write('n', [{ key: 'k', value: new Uint8Array() }], 0);
    } catch (error) {
      process.stdout.write(error.message + error.hint);
    }`;
    const argv = [
      '-c',
      'ulimit -f 8; exec "$@"',
      'sh',
      process.execPath,
      '--input-type=module',
      '--eval',
      script,
    ];
    const said = spawnSync('sh', argv, { encoding: 'utf8' }).stdout;
    expect(said).toContain('cannot be read or written: the system refused access.');
    expect(said).toContain('ulimit -f');
    expect(said).not.toContain('Restore the database');
  },
);

it("reports the system's reason for a file that cannot be used", () => {
  // This error has the form in which Node reports EROFS (errno.h: "Read-only file system").
  const thrown = Object.assign(new Error("EROFS: read-only file system, open '/data/blob'"), {
    code: 'EROFS',
    syscall: 'open',
    path: '/data/blob',
  });
  expect(storeProblem(thrown, 'kv.sqlite')).toMatchObject({
    message: 'The local data cannot be used: open /data/blob: read-only file system (EROFS).',
  });
});

it('names the limit on open files if a process has no handle left', () => {
  // This error has the form in which Node reports EMFILE (errno.h: "Too many open files").
  const thrown = Object.assign(new Error("EMFILE: too many open files, open '/data/blob'"), {
    code: 'EMFILE',
    syscall: 'open',
    path: '/data/blob',
  });
  expect(storeProblem(thrown, 'kv.sqlite')).toMatchObject({
    message: 'The local data cannot be used: open /data/blob: too many open files (EMFILE).',
    hint: 'Raise the limit on open files (ulimit -n), then try again.',
  });
  // This error is SQLITE_CANTOPEN (14), which SQLite also returns for EMFILE.
  const refused = Object.assign(new Error('unable to open database file'), {
    code: 'ERR_SQLITE_ERROR',
    errcode: 14,
  });
  expect(storeProblem(refused, 'kv.sqlite')).toMatchObject({ hint: expect.stringContaining('ulimit -n') });
});

// sqlite.org/rescode.html: the low byte of an extended result code is the primary result code.
it.each([
  [5, 'store-busy', 'is locked by another process.', /in a moment/],
  [261, 'store-busy', 'is locked by another process.', /in a moment/],
  [6, 'store-busy', 'is locked by another process.', /in a moment/],
  [8, 'store-invalid', 'cannot be written to.', /belong to you/],
  [266, 'store-invalid', 'cannot be read or written: the system refused access.', /ulimit -f/],
  [11, 'store-invalid', 'is damaged, or is not a SQLite database.', /Restore the database/],
  [13, 'store-invalid', 'cannot grow: the disk is full.', /Free some space/],
  [14, 'store-invalid', 'cannot be opened.', /ulimit -n/],
  [26, 'store-invalid', 'is damaged, or is not a SQLite database.', /Restore the database/],
  [21, 'store-invalid', 'cannot be used.', /Restore the database/],
])('reports SQLite result code %i as %s: the database %s', (errcode, code, fault, hint) => {
  const thrown = Object.assign(new Error('of SQLite'), { code: 'ERR_SQLITE_ERROR', errcode });
  expect(storeProblem(thrown, '/missing/kv.sqlite')).toMatchObject({
    code,
    message: `The database /missing/kv.sqlite ${fault}`,
    hint: expect.stringMatching(hint),
    cause: thrown,
  });
});

it("adds the system's reason for a database that cannot be opened", () => {
  using root = scratch();
  const file = join(root.path, 'file');
  writeFileSync(file, '');
  const thrown = (errcode: number) =>
    Object.assign(new Error('of SQLite'), { code: 'ERR_SQLITE_ERROR', errcode });
  const below = join(file, 'kv.sqlite');
  for (const errcode of [8, 14])
    expect(storeProblem(thrown(errcode), below)).toMatchObject({
      message: expect.stringMatching(/: not a (?:folder|directory)\.$/),
    });
  expect(storeProblem(thrown(11), below)).toMatchObject({
    message: expect.stringMatching(/SQLite database\.$/),
  });
  // For a writable database, the message gives no reason.
  expect(storeProblem(thrown(14), file)).toMatchObject({ message: `The database ${file} cannot be opened.` });
});

it('rethrows existing Problems, and errors that are from neither the file system nor SQLite', () => {
  const errors = [
    new Error('ours'),
    Object.assign(new Error('ours'), { errcode: '5' }),
    Object.assign(new Error('ours'), { code: 'E' }),
    Object.assign(new Error('ours'), { syscall: 'open' }),
    { errcode: 5 },
    new Problem('refused', 'no'),
  ];
  for (const error of errors) expect(storeProblem(error, 'kv.sqlite')).toBe(error);
  // These errors have the form in which Node reports a quota (errno.h: "Quota exceeded"), and a failure without a path.
  const quota = Object.assign(new Error('EDQUOT'), { code: 'EDQUOT', syscall: 'write' });
  expect(storeProblem(quota, 'kv.sqlite')).toMatchObject({
    message: expect.stringContaining('the disk is full'),
  });
  const pathless = Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync' });
  expect(storeProblem(pathless, 'kv.sqlite')).toMatchObject({
    message: expect.stringMatching(/^The local data cannot be used: fsync: .+ \(EIO\)\.$/),
    hint: expect.stringContaining('belongs to you'),
  });
  const handles = Object.assign(new Error('ENFILE'), { code: 'ENFILE', syscall: 'open', path: '/data/blob' });
  expect(storeProblem(handles, 'kv.sqlite')).toMatchObject({ hint: expect.stringContaining('ulimit -n') });
});

it('names the database that contains a number which JavaScript cannot represent', () => {
  using root = scratch();
  const database = openToWrite(join(root.path, 'd.sqlite'));
  let thrown: unknown;
  try {
    database.prepare('SELECT 9007199254740993 AS n').get();
  } catch (error) {
    thrown = error;
  }
  database.close();
  expect(storeProblem(thrown, 'd.sqlite')).toMatchObject({
    code: 'store-invalid',
    message: 'The database d.sqlite contains a number that is too large.',
  });
});

describe('a transaction', () => {
  it('is written completely or not at all, even within another transaction', () => {
    using root = scratch();
    const database = openToWrite(join(root.path, 'd.sqlite'));
    database.exec('CREATE TABLE t (n)');
    const put = (n: number) => database.prepare('INSERT INTO t VALUES (?)').run(n);
    const all = () =>
      database
        .prepare('SELECT n FROM t ORDER BY n')
        .all()
        .map(({ n }) => n);
    expect(immediately(database, () => immediately(database, () => put(1).changes))).toBe(1);
    const failing = () =>
      immediately(database, () => {
        put(2);
        immediately(database, () => put(3));
        throw new Error('stop');
      });
    expect(failing).toThrow('stop');
    expect([all(), database.isTransaction]).toEqual([[1], false]);
    // SQLite rolls back a transaction after some errors. The reported error is then the error from the work, not the error from a second
    // rollback.
    const rolledBack = () =>
      immediately(database, () => {
        database.exec('ROLLBACK');
        throw new Error('stop again');
      });
    expect(rolledBack).toThrow('stop again');
    database.close();
  });

  it('is run by one process at a time if it is exclusive', () => {
    using root = scratch();
    const file = join(root.path, 'lock');
    const other = openToWrite(join(root.path, 'd.sqlite'));
    expect(exclusively(file, () => 'done')).toBe('done');
    expect(() =>
      exclusively(file, () => {
        throw new Error('stop');
      }),
    ).toThrow('stop');
    expect(exclusively(file, () => 'again')).toBe('again');
    other.close();
  });
});

it('deletes the file of a database that nobody else has open, and otherwise keeps it', () => {
  using root = scratch();
  const file = join(root.path, 'd.sqlite');
  const first = openToWrite(file);
  first.exec('CREATE TABLE t (n)');
  const reader = openToRead(file);
  expect(reader.prepare('SELECT count(*) AS n FROM t').get()).toEqual({ n: 0 });
  expect(closeAndDelete(first, file)).toBe(false);
  expect(() => first.exec('SELECT 1')).toThrow();
  expect(existsSync(file)).toBe(true);
  reader.close();
  expect(closeAndDelete(openToWrite(file), file)).toBe(true);
  expect(tree(root.path)).toEqual([]);
  expect(() => closeAndDelete(openToWrite(file), join(root.path, 'other'))).toThrow(
    expect.objectContaining({ code: 'ENOENT' }),
  );
});

it('reads a database without changing it or its other files', () => {
  using root = scratch();
  const file = join(root.path, 'd.sqlite');
  expect(() => openToRead(join(root.path, 'none', 'd.sqlite'))).toThrow();
  const writer = openToWrite(file);
  writer.exec('CREATE TABLE t (n); INSERT INTO t VALUES (1)');
  for (const isClosed of [false, true]) {
    if (isClosed) writer.close();
    const before = tree(root.path);
    const reader = openToRead(file);
    expect(reader.prepare('SELECT n FROM t').all()).toEqual([{ n: 1 }]);
    expect(() => reader.exec('INSERT INTO t VALUES (2)')).toThrow(/readonly/);
    reader.close();
    expect(tree(root.path)).toEqual(before);
  }
  expect(getColumns(file)).toEqual([['n'], []]);
});

function getColumns(file: string): string[][] {
  const database = openToRead(file);
  const found = ['t', 'none'].map((table) => columnNames(database, table));
  database.close();
  return found;
}

it('reads the database of a killed process, and leaves its log to the next writer', () => {
  using root = scratch();
  const [file, left] = ['d.sqlite', 'left.sqlite'].map((name) => join(root.path, name)) as [string, string];
  const writer = openToWrite(file);
  writer.exec('CREATE TABLE t (n); INSERT INTO t VALUES (1)');
  for (const ending of ['', '-wal', '-shm']) copyFileSync(file + ending, left + ending);
  writer.close();
  const log = readFileSync(`${left}-wal`);
  const reader = openToRead(left);
  expect(reader.prepare('SELECT n FROM t').all()).toEqual([{ n: 1 }]);
  reader.close();
  expect(readFileSync(`${left}-wal`)).toEqual(log);
  openToWrite(left).close();
  expect(existsSync(`${left}-wal`)).toBe(false);
});

describe('a database that another process locks for a moment', () => {
  const refusal = (errcode: number) =>
    Object.assign(new Error('of SQLite'), { code: 'ERR_SQLITE_ERROR', errcode });

  /** Makes SQLite reject a PRAGMA without waiting, and counts the attempts and the total wait in milliseconds. */
  function refusing(pragma: string, errcode: number, times: number) {
    const { wait } = Atomics;
    const counts = { tries: 0, waited: 0 };
    Atomics.wait = (_array: unknown, _index: unknown, _value: unknown, milliseconds?: number) => {
      counts.waited += milliseconds ?? 0;
      return 'timed-out';
    };
    const pragmas = watchPragmas((sql) => {
      if (!sql.startsWith(pragma)) return sql;
      counts.tries += 1;
      if (counts.tries <= times) throw refusal(errcode);
      return sql;
    });
    return {
      counts,
      [Symbol.dispose]: () => {
        Atomics.wait = wait;
        pragmas[Symbol.dispose]();
      },
    };
  }

  it('is retried while its journal is changed, for five seconds and for no other error', () => {
    using root = scratch();
    const file = join(root.path, 'd.sqlite');
    {
      using tried = refusing('PRAGMA journal_mode', 5, 2);
      openToWrite(file).close();
      expect(tried.counts).toEqual({ tries: 3, waited: 20 });
    }
    {
      // The database already has this mode, so the mode is not changed.
      using tried = refusing('PRAGMA journal_mode', 5, 2);
      openToWrite(file).close();
      expect(tried.counts.tries).toBe(0);
    }
    for (const [errcode, waited] of [
      [5, 5000],
      [10, 0],
    ] as const) {
      using tried = refusing('PRAGMA journal_mode', errcode, 9999);
      expect(() => openToWrite(join(root.path, 'other.sqlite'))).toThrow('of SQLite');
      expect(tried.counts.waited).toBe(waited);
    }
  });

  it('is read unchanged in a read-only folder', () => {
    using root = scratch();
    const file = join(root.path, 'd #1%20.sqlite');
    const writer = openToWrite(file);
    writer.exec('CREATE TABLE t (n); INSERT INTO t VALUES (1)');
    writer.close();
    for (const errcode of [14, 8, 264]) {
      using _ = refusing('PRAGMA query_only', errcode, 1);
      const reader = openToRead(file);
      expect(reader.prepare('SELECT n FROM t').all()).toEqual([{ n: 1 }]);
      expect(() => reader.exec('DELETE FROM t')).toThrow(/readonly/);
      reader.close();
    }
    using _ = refusing('PRAGMA query_only', 26, 1);
    expect(() => openToRead(file)).toThrow('of SQLite');
  });
});

it.runIf(process.platform === 'linux')(
  'closes every database that it rejects, and every database that it has read',
  async () => {
    using root = scratch();
    const garbage = join(root.path, 'garbage.sqlite');
    writeFileSync(garbage, 'no database at all '.repeat(400));
    using objects = openObjects(root.path);
    await put(objects, 'k', 'small');
    const room = (folder: string) =>
      new Room(
        folder,
        () => new Uint8Array(1),
        () => 50 * 1024 * 1024,
      );
    const openFiles = () => readdirSync('/proc/self/fd').length;
    const before = openFiles();
    for (let count = 0; count < 20; count += 1) {
      expect(() => openToRead(garbage)).toThrow();
      expect(() => openToWrite(garbage)).toThrow();
      expect(() => exclusively(garbage, () => undefined)).toThrow();
      expect(() => openRegistry(root.path, { ...outside(), readOnly: true })).toThrow();
      objects.read(bucket, 'k', () => ({ start: 0, end: 4 }));
      checkTree(join(root.path, 'v3'));
      takeLease(root.path, {
        pid: process.pid,
        port: 80,
        startedAt: 0,
        token: '',
        apiBaseUrl: 'http://127.0.0.1/',
      }).release();
      const folder = join(root.path, `room${count}`);
      mkdirSync(folder);
      room(folder).enter('change');
    }
    expect(openFiles()).toBeLessThan(before + 20);
  },
);
