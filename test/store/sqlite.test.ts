import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { storeProblem } from '../../src/store/faults.ts';
import { kvPaths } from '../../src/store/paths.ts';
import { start } from './child.ts';
import { bytes, namespace, openStore, scratch, tree } from './scratch.ts';

it.runIf(process.platform !== 'win32')('reads a folder in which it may not write', async () => {
  using root = scratch();
  using store = openStore(root.path);
  store.write(namespace, [{ key: 'k', value: bytes('value') }], 0);
  store.close();
  const folder = dirname(kvPaths(root.path, namespace).database);
  // Folders are made for their owner only, so that whoever lets others read opens them on purpose.
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

it('warns of nothing when SQLite is loaded, and lets later warnings through', () => {
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

it.runIf(process.platform === 'linux')('says of a full disk that it is full', () => {
  const thrown = (): unknown => {
    try {
      return writeFileSync('/dev/full', 'x');
    } catch (error) {
      return error;
    }
  };
  expect(storeProblem(thrown(), 'kv.sqlite')).toMatchObject({
    message: 'The local data cannot grow: the disk is full.',
    hint: 'Make room, then repeat.',
  });
});

it.runIf(process.platform === 'linux')(
  'reports a limit on file sizes as one, not as a broken database',
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
    expect(said).toContain('cannot be read or written: the system refused it.');
    expect(said).toContain('ulimit -f');
    expect(said).not.toContain('Restore it');
  },
);

it('gives the reason of the system for a file that cannot be used', () => {
  // As Node makes it of EROFS (errno.h: "Read-only file system").
  const thrown = Object.assign(new Error("EROFS: read-only file system, open '/data/blob'"), {
    code: 'EROFS',
    syscall: 'open',
    path: '/data/blob',
  });
  expect(storeProblem(thrown, 'kv.sqlite')).toMatchObject({
    message: 'The local data cannot be used: open /data/blob: read-only file system (EROFS).',
  });
});

it('names the limit on open files where a process has no handle left', () => {
  // As Node makes it of EMFILE (errno.h: "Too many open files").
  const thrown = Object.assign(new Error("EMFILE: too many open files, open '/data/blob'"), {
    code: 'EMFILE',
    syscall: 'open',
    path: '/data/blob',
  });
  expect(storeProblem(thrown, 'kv.sqlite')).toMatchObject({
    message: 'The local data cannot be used: open /data/blob: too many open files (EMFILE).',
    hint: 'Raise the limit on open files (ulimit -n), then repeat.',
  });
  // SQLITE_CANTOPEN (14), which SQLite answers for EMFILE too.
  const refused = Object.assign(new Error('unable to open database file'), {
    code: 'ERR_SQLITE_ERROR',
    errcode: 14,
  });
  expect(storeProblem(refused, 'kv.sqlite')).toMatchObject({ hint: expect.stringContaining('ulimit -n') });
});
