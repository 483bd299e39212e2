import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  lutimesSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test, vi } from 'vitest';
import { listTraces } from '../../../src/services/doctor/traces.ts';
import { openPaceFile } from '../../../src/services/pace/pace-file.ts';
import { plainChoice } from '../../../src/services/session/session.ts';
import { openRequestPacer, type PaceStore } from '../../../src/v4/budget.ts';
import { inSoak } from '../../support/in-part.ts';
import { foldersIn, scratchFolder, testWorld } from '../../support/world.ts';

function start(...args: string[]): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'taker.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function takeTimes(home: string, count: number): Promise<number[]> {
  const { stdout } = start('take', home, String(count));
  return stdout === null ? [] : (await text(stdout)).trim().split('\n').map(Number);
}

test('shares one budget between two processes, in a file without the token', async () => {
  const home = scratchFolder('pace');
  const times = (await Promise.all([takeTimes(home, 20), takeTimes(home, 20)])).flat().sort();
  expect(times).toHaveLength(40);
  const within = times.map((first) => times.filter((at) => at >= first && at < first + 1000).length);
  expect(Math.max(...within)).toBeLessThanOrEqual(20);
  const folder = join(foldersIn(home).state, 'pace');
  const [name = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  expect(name + readFileSync(join(folder, name), 'utf8')).not.toContain('a-secret-1');
});

test('loses no count and blocks no process after kill -9 of the process that holds the lock', async () => {
  const world = testWorld();
  const folder = join(world.folders.state, 'pace');
  const count = () => openPaceFile(world, 'a').read().closedUntil;
  const add = () =>
    openPaceFile(world, 'a').change((state) => ({ ...state, closedUntil: state.closedUntil + 1 }));
  add();
  const [file = ''] = readdirSync(folder);
  const holder = start('hold', join(folder, file.replace('.json', '.lock')));
  if (holder.stdout) await once(holder.stdout, 'data');
  holder.kill('SIGKILL');
  await once(holder, 'exit');
  expect(readdirSync(folder)).toHaveLength(2);
  add();
  expect(count()).toBe(2);
  expect(readdirSync(folder)).toEqual([file]);
});

inSoak(() => {
  test('loses no count and blocks no process while a stopped process holds the lock, or when it resumes', async () => {
    const home = scratchFolder('pace');
    const world = testWorld({ folders: foldersIn(home) });
    const folder = join(world.folders.state, 'pace');
    const store = openPaceFile(world, 'a');
    const add = () => store.change((state) => ({ ...state, closedUntil: state.closedUntil + 1 }));
    add();
    const stopped = start('stop', home);
    onTestFinished(() => void stopped.kill('SIGKILL'));
    const exit = once(stopped, 'exit');
    await vi.waitFor(() => expect(readFileSync(`/proc/${stopped.pid}/stat`, 'latin1')).toMatch(/\) T /), {
      timeout: 10_000,
      interval: 10,
    });
    expect(readdirSync(folder)).toHaveLength(2);
    add();
    add();
    expect(store.read().closedUntil).toBe(3);
    const others = readdirSync(folder);
    expect(others).toHaveLength(1);
    stopped.kill('SIGCONT');
    expect(await exit).toEqual([0, null]);
    expect(store.read().closedUntil).toBe(4);
    expect(readdirSync(folder)).toEqual(others);
  });
});

test('delays only one change because of a lock that another container left behind', () => {
  const world = testWorld();
  const folder = join(world.folders.state, 'pace');
  const add = () =>
    openPaceFile(world, 'a').change((state) => ({ ...state, closedUntil: state.closedUntil + 1 }));
  add();
  const [file = ''] = readdirSync(folder);
  symlinkSync(`edgectl:1:1:${'a'.repeat(16)}:elsewhere`, join(folder, file.replace('.json', '.lock')));
  add();
  expect(readdirSync(folder)).toEqual([file]);
  expect(openPaceFile(world, 'a').read().closedUntil).toBe(2);
});

test('delays all processes on this machine after Retry-After for one process, even on loopback', async () => {
  const world = testWorld({ now: () => 1_000_000 });
  const slept: number[] = [];
  const open = () =>
    openRequestPacer({
      budget: undefined,
      store: openPaceFile(world, 'a'),
      now: world.now,
      sleep: async (milliseconds) => void slept.push(milliseconds),
    });
  const call = { method: 'GET', path: '/zones' };
  const [one, other] = [open(), open()];
  (await one.admit(call))({ status: 429, headers: { 'retry-after': '7' } });
  await other.admit(call);
  expect(slept).toEqual([7000]);
});

test('applies limits that the platform announces before its own', async () => {
  const world = testWorld({ now: () => 1_000_000 });
  const pacer = openRequestPacer({
    budget: { requests: 1200, seconds: 300 },
    store: openPaceFile(world, 'a'),
    now: world.now,
    sleep: world.sleep,
  });
  expect(pacer.requestsLeft()).toEqual({ left: 300, of: 300 });
  const headers = { ratelimit: '"default";r=10;t=30', 'ratelimit-policy': '"default";q=100;w=60' };
  (await pacer.admit({ method: 'GET', path: '/zones' }))({ status: 200, headers });
  expect(pacer.requestsLeft()).toEqual({ left: 10, of: 25 });
});

test('counts in memory after a system error, until a change of the file succeeds', () => {
  const world = testWorld();
  const folder = join(world.folders.state, 'pace');
  const [store, other] = [openPaceFile(world, 'a'), openPaceFile(world, 'a')];
  const add = (to: PaceStore) => to.change((state) => ({ ...state, closedUntil: state.closedUntil + 1 }));
  add(store);
  const [file = ''] = readdirSync(folder);
  // A file that is not a lock makes every change fail.
  const lock = join(folder, file.replace('.json', '.lock'));
  writeFileSync(lock, '');
  add(store);
  add(store);
  expect(store.read().closedUntil).toBe(3);
  store.change((state) => state);
  expect(store.known.closedUntil).toBe(3);
  expect(openPaceFile(world, 'a').read().closedUntil).toBe(1);
  rmSync(lock);
  add(other);
  add(store);
  expect(store.known.closedUntil).toBe(3);
  add(other);
  expect([store, other].map((one) => one.read().closedUntil)).toEqual([4, 4]);
});

test('counts in memory until the process gets the lock', async () => {
  const world = testWorld();
  const folder = join(world.folders.state, 'pace');
  const store = openPaceFile(world, 'a');
  const add = (to: PaceStore) => to.change((state) => ({ ...state, closedUntil: state.closedUntil + 1 }));
  add(store);
  const [file = ''] = readdirSync(folder);
  const lock = join(folder, file.replace('.json', '.lock'));
  const busy = start('busy', lock);
  onTestFinished(() => void busy.kill('SIGKILL'));
  if (busy.stdout) await once(busy.stdout, 'data');
  add(store);
  expect(openPaceFile(world, 'a').read().closedUntil).toBe(1);
  // This process counts its own change in memory, although the file does not contain the change.
  expect(store.read().closedUntil).toBe(2);
  add(store);
  expect(store.known.closedUntil).toBe(3);
  busy.kill('SIGKILL');
  await once(busy, 'exit');
  add(store);
  expect(store.read().closedUntil).toBe(2);
});

test('counts in memory until the process ends if the file has a newer version', () => {
  const world = testWorld();
  const folder = join(world.folders.state, 'pace');
  const store = openPaceFile(world, 'a');
  store.change((state) => ({ ...state, closedUntil: 5 }));
  const path = join(folder, readdirSync(folder)[0] ?? '');
  const older = readFileSync(path);
  writeFileSync(path, '{"version":2}');
  expect(store.read().closedUntil).toBe(5);
  writeFileSync(path, older);
  store.change((state) => ({ ...state, closedUntil: 6 }));
  expect(readFileSync(path)).toEqual(older);
  expect(store.read().closedUntil).toBe(6);
});

test('docs/traces.md lists the files, locks and temporary files, which are deleted after a day', async () => {
  const home = scratchFolder('pace');
  const world = testWorld({ folders: foldersIn(home) });
  const folder = join(world.folders.state, 'pace');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const token = 'a'.repeat(16);
  const plant = (name: string, hours: number) => {
    for (const ending of ['json', `${token}.tmp`]) writeFileSync(join(folder, `${name}.${ending}`), '{}');
    for (const ending of ['lock', `lock.${token}`, `lock.${token}.${token}`])
      symlinkSync(`edgectl:1:1:${token}:elsewhere`, join(folder, `${name}.${ending}`));
    const time = new Date(Date.now() - hours * 60 * 60_000);
    for (const file of readdirSync(folder))
      if (file.startsWith(name)) lutimesSync(join(folder, file), time, time);
  };
  plant('old', 25);
  plant('recent', 23);
  mkdirSync(join(folder, 'folder.json'));
  utimesSync(join(folder, 'folder.json'), 0, 0);
  const found = (await listTraces(world, plainChoice)).filter(({ path }) => path.startsWith(home));
  expect(found.map(({ name, files }) => [name, files])).toEqual([['pace', 10]]);
  openPaceFile(world, 'a').change((state) => ({ ...state, closedUntil: 5 }));
  const left = readdirSync(folder).filter((name) => !/^[0-9a-f]{32}\.json$/.test(name));
  expect(left).toHaveLength(6);
  expect(left.filter((name) => name.startsWith('old'))).toEqual([]);
});

test('counts in memory if the file is unusable', async () => {
  const world = testWorld();
  const store = openPaceFile({ ...world, folders: { ...world.folders, state: '/proc/edgectl' } }, 'a');
  store.change((state) => ({ ...state, closedUntil: 5 }));
  expect(store.read().closedUntil).toBe(5);
});
