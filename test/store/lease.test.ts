import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Lease, readLease, takeLease } from '../../src/store/lease.ts';
import { scratch, tree } from './scratch.ts';

function lease(pid: number, token = 'secret'): Lease {
  return {
    pid,
    port: 8787,
    startedAt: 1_795_000_000_000,
    token,
    apiBaseUrl: 'http://127.0.0.1:8787/client/v4',
  };
}

/** Starts a process that runs until it is killed. */
function sleeper(): { pid: number; end(): Promise<void> } {
  const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  const ended = once(child, 'exit');
  return {
    pid: child.pid ?? 0,
    end: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

it('finds a lease while its process is running, and not afterward', async () => {
  using dir = scratch();
  const server = sleeper();
  takeLease(dir.path, lease(server.pid));
  expect(readLease(dir.path)).toEqual(lease(server.pid));
  await server.end();
  expect(readLease(dir.path)).toBeUndefined();
  const taken = takeLease(dir.path, lease(process.pid, 'mine'));
  expect(readLease(dir.path)).toEqual(lease(process.pid, 'mine'));
  taken.release();
  expect(readLease(dir.path)).toBeUndefined();
});

it('rejects a second lease, and names the process that serves the folder', async () => {
  using dir = scratch();
  const server = sleeper();
  takeLease(dir.path, lease(server.pid));
  expect(() => takeLease(dir.path, lease(process.pid))).toThrow(
    expect.objectContaining({ code: 'store-busy', message: expect.stringContaining(String(server.pid)) }),
  );
  await server.end();
});

it('creates nothing when it reads a lease, and makes the file readable by its owner only', () => {
  using dir = scratch();
  const folder = `${dir.path}/state`;
  expect(readLease(folder)).toBeUndefined();
  expect(tree(dir.path)).toEqual([]);
  const taken = takeLease(folder, lease(process.pid));
  expect([folder, `${folder}/lease.json`].map((path) => statSync(path).mode & 0o777)).toEqual([0o700, 0o600]);
  taken.release();
  expect(tree(folder)).toEqual(['lease.lock']);
});

it('releases only the lease of its own process', () => {
  using dir = scratch();
  const first = takeLease(dir.path, lease(process.pid, 'first'));
  first.release();
  const second = takeLease(dir.path, lease(process.pid, 'second'));
  first.release();
  expect(readLease(dir.path)).toEqual(lease(process.pid, 'second'));
  second.release();
  second.release();
});

it.runIf(process.platform === 'linux')(
  'distinguishes a running process from a finished process with the same id',
  () => {
    using dir = scratch();
    writeFileSync(`${dir.path}/lease.json`, JSON.stringify({ ...lease(process.pid), processStart: '1' }));
    expect(readLease(dir.path)).toBeUndefined();
    writeFileSync(`${dir.path}/lease.json`, JSON.stringify(lease(process.pid)));
    expect(readLease(dir.path)).toBeUndefined();
  },
);

it.runIf(process.getuid !== undefined).each(['644', '666', '777'])(
  'lets only one process hold a lease, even if the lease file has the mode %s, as on a file system without modes',
  (mode) => {
    using dir = scratch();
    const file = `${dir.path}/lease.json`;
    const first = takeLease(dir.path, lease(process.pid, 'first'));
    chmodSync(file, Number.parseInt(mode, 8));
    const doubt = `is open to other users (mode ${mode})`;
    expect(readLease(dir.path)).toEqual({ pid: process.pid, doubt, file });
    expect(() => takeLease(dir.path, lease(process.pid, 'second'))).toThrow(
      expect.objectContaining({
        code: 'store-busy',
        message: `Process ${process.pid} already serves ${dir.path}.`,
      }),
    );
    first.release();
    expect(tree(dir.path)).toEqual(['lease.lock']);
    takeLease(dir.path, lease(process.pid, 'second')).release();
  },
);

it.each([
  ['is truncated', (text: string) => text.slice(0, 20)],
  ['is not an object', () => '[1]'],
  ['names no process', (text: string) => text.replace(/"pid":\d+/, '"pid":-1')],
  ['has no token', (text: string) => text.replace('"token"', '"other"')],
  ['points to another machine', (text: string) => text.replace('127.0.0.1', 'evil.example')],
  [
    'points to another machine by a user name',
    (text: string) => text.replace('127.0.0.1', '127.0.0.1@evil.example'),
  ],
  ['points to another port', (text: string) => text.replace('127.0.0.1:8787', '127.0.0.1:80')],
  ['has no URL', (text: string) => text.replace('http://127.0.0.1:8787/client/v4', 'http://')],
  ['has no URL at all', (text: string) => text.replace('"apiBaseUrl"', '"other"')],
  ['uses https', (text: string) => text.replace('http:', 'https:')],
  ['names a process by a string', (text: string) => text.replace(/"pid":(\d+)/, '"pid":"$1"')],
  [
    'has a process id that is not a whole number',
    (text: string) => text.replace(/"pid":(\d+)/, '"pid":$1.5'),
  ],
  ['names no port', (text: string) => text.replace('"port":8787', '"port":0').replace(':8787/', ':0/')],
  ['has no port', (text: string) => text.replace('"port"', '"other"')],
  ['has no start time', (text: string) => text.replace('"startedAt":', '"startedAt":"soon","other":')],
  ['is null', () => 'null'],
  ['is a string', () => '"lease"'],
  ['is larger than any lease', (text: string) => text + ' '.repeat(64 * 1024)],
])('does not trust a lease file that %s', (_, spoil) => {
  using dir = scratch();
  takeLease(dir.path, lease(process.pid));
  const file = `${dir.path}/lease.json`;
  const honest = readFileSync(file, 'utf8');
  writeFileSync(file, spoil(honest));
  expect(readLease(dir.path)).toBeUndefined();
  writeFileSync(file, honest);
  expect(readLease(dir.path)).toEqual(lease(process.pid));
});

it.each(['http://localhost:8787/client/v4', 'http://[::1]:8787/client/v4'])(
  'trusts a lease file that points to %s',
  (apiBaseUrl) => {
    using dir = scratch();
    const taken = takeLease(dir.path, { ...lease(process.pid), apiBaseUrl });
    expect(readLease(dir.path)?.pid).toBe(process.pid);
    taken.release();
  },
);

it('trusts the default port of a URL without a port', () => {
  using dir = scratch();
  takeLease(dir.path, { ...lease(process.pid), port: 80, apiBaseUrl: 'http://127.0.0.1/client/v4' });
  expect(readLease(dir.path)).toMatchObject({ port: 80 });
});

it.runIf(process.getuid !== undefined)(
  'treats a lease as invalid if its process belongs to another user',
  () => {
    using dir = scratch();
    takeLease(dir.path, lease(process.pid));
    expect(readLease(dir.path, (process.getuid?.() ?? 0) + 1)).toBeUndefined();
  },
);

it('replaces a lease that a killed process left incomplete, and releases a lease whose folder was deleted', () => {
  using dir = scratch();
  writeFileSync(`${dir.path}/lease.json.tmp`, '{"pid":');
  const taken = takeLease(dir.path, lease(process.pid));
  expect(tree(dir.path)).toEqual(['lease.json', 'lease.lock']);
  rmSync(dir.path, { recursive: true });
  taken.release();
  expect(existsSync(dir.path)).toBe(false);
});

it('names the process and the address of the server of a folder in an error, and how to stop it', () => {
  using dir = scratch();
  takeLease(dir.path, lease(process.pid));
  expect(() => takeLease(dir.path, lease(process.pid, 'other'))).toThrow(
    expect.objectContaining({
      message: `Process ${process.pid} already serves ${dir.path}, at http://127.0.0.1:8787/client/v4.`,
      hint: expect.stringContaining(`kill ${process.pid}`),
    }),
  );
  expect(readLease(dir.path)).toEqual(lease(process.pid));
});
