import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { machineId, readStartTicks } from '../../src/liveness.ts';
import { type LockHolder, type LockOptions, withBriefLock, withLock } from '../../src/lock.ts';
import { Problem } from '../../src/model/problem.ts';
import { sampleCases } from '../support/in-part.ts';
import { scratchFolder, testWorld } from '../support/world.ts';

function createOptions(patience = 0): LockOptions & { readonly refused: LockHolder[] } {
  const refused: LockHolder[] = [];
  return {
    world: testWorld(),
    timeoutMs: patience,
    refused,
    toProblem(holder) {
      refused.push(holder);
      return new Problem('store-busy', 'held');
    },
  };
}

test.each(sampleCases(['withLock', 'withBriefLock'], 2))(
  '%s: admits one of four processes at a time, even if every second holder leaves its lock behind',
  async (kind) => {
    const folder = scratchFolder('lock');
    const script = join(import.meta.dirname, 'contender.ts');
    const children = Array.from({ length: 4 }, () =>
      spawn(process.execPath, [script, kind, folder, '120'], { stdio: ['ignore', 'pipe', 'pipe'] }),
    );
    const ends = children.map(async (child) => {
      let said = '';
      child.stderr.on('data', (data) => {
        said += String(data);
      });
      const [code] = await once(child, 'close');
      return { code, said };
    });
    await Promise.all(children.map(({ stdout }) => once(stdout, 'data')));
    writeFileSync(join(folder, 'go'), '');
    expect(await Promise.all(ends)).toEqual(children.map(() => ({ code: 0, said: '' })));
    expect(readdirSync(folder).filter((name) => name !== 'go' && name !== 'lock')).toEqual([]);
  },
);

test('creates a lock for the work and deletes it afterwards, even if the work fails', async () => {
  const path = join(scratchFolder('lock'), 'lock');
  const wish = createOptions();
  await expect(
    withLock(path, wish, async () => {
      expect(lstatSync(path).isSymbolicLink()).toBe(true);
      await expect(withLock(path, wish, async () => 'never')).rejects.toThrow('held');
      throw new Error('the work failed');
    }),
  ).rejects.toThrow('the work failed');
  expect(wish.refused).toEqual([{ pid: process.pid, path }]);
  expect(await withLock(path, wish, async () => 'done')).toBe('done');
});

test('leaves the lock of a process on another machine, and files that are not locks', async () => {
  const folder = scratchFolder('lock');
  const marks = {
    elsewhere: `edgectl:999999:1:${'a'.repeat(16)}:other/${machineId()}`,
    alive: `edgectl:${process.pid}:${readStartTicks(process.pid) ?? ''}:${'a'.repeat(16)}:${machineId()}`,
    stranger: 'anything',
  };
  for (const [name, mark] of Object.entries(marks)) {
    symlinkSync(mark, join(folder, name));
    await expect(withLock(join(folder, name), createOptions(), async () => 'never')).rejects.toThrow('held');
    expect(readlinkSync(join(folder, name))).toBe(mark);
  }
  writeFileSync(join(folder, 'file'), 'mine');
  mkdirSync(join(folder, 'folder'));
  for (const path of [join(folder, 'file'), join(folder, 'folder')]) {
    const refusal = {
      code: 'system',
      message: `${path} has the name of an edgectl lock, but is not a lock.`,
    };
    await expect(withLock(path, createOptions(60_000), async () => 'never')).rejects.toMatchObject(refusal);
  }
});

test('waits while another process removes a leftover lock, even with an option not to wait for the lock', async () => {
  const path = join(scratchFolder('lock'), 'lock');
  const token = 'a'.repeat(16);
  symlinkSync(`edgectl:${process.pid}:1:${token}:${machineId()}`, path);
  const removed = Promise.withResolvers<void>();
  const other = withLock(`${path}.${token}`, createOptions(), () => removed.promise);
  const own = withLock(path, createOptions(), async () => 'done');
  setTimeout(() => removed.resolve(), 20);
  await other;
  expect(await own).toBe('done');
});

test('waits for a lock until its holder releases it', async () => {
  const path = join(scratchFolder('lock'), 'lock');
  const order: string[] = [];
  const letGo = Promise.withResolvers<void>();
  const first = withLock(path, createOptions(), async () => {
    await letGo.promise;
    order.push('first');
  });
  const second = withLock(path, createOptions(10_000), async () => order.push('second'));
  setTimeout(() => letGo.resolve(), 20);
  await Promise.all([first, second]);
  expect(order).toEqual(['first', 'second']);
});

const ended = (token: string) => `edgectl:${process.pid}:1:${token}:${machineId()}`;
const elsewhere = `edgectl:999999:1:${'c'.repeat(16)}:other/${machineId()}`;

test('withBriefLock does not remove a leftover lock whose removal another process has begun', () => {
  const path = join(scratchFolder('lock'), 'lock');
  const run = () => withBriefLock(path, { world: testWorld(), timeoutMs: 0 }, () => 'done')?.result;
  const [left, removal] = [ended('a'.repeat(16)), `${path}.${'a'.repeat(16)}`];
  symlinkSync(left, path);
  // The process that removes the lock is running.
  symlinkSync(
    `edgectl:${process.pid}:${readStartTicks(process.pid)}:${'b'.repeat(16)}:${machineId()}`,
    removal,
  );
  expect(run()).toBeUndefined();
  expect(readlinkSync(path)).toBe(left);
  // The process that removes the lock was killed.
  unlinkSync(removal);
  symlinkSync(ended('b'.repeat(16)), removal);
  expect(run()).toBe('done');
  expect(readdirSync(join(path, '..'))).toEqual([]);
});

test('withBriefLock takes over the lock of a process that may be running only if the caller allows it', () => {
  const folder = scratchFolder('lock');
  const path = join(folder, 'lock');
  for (const mark of [elsewhere, 'anything']) {
    symlinkSync(mark, path);
    const options = { world: testWorld(), timeoutMs: 5 };
    expect(withBriefLock(path, options, () => 'never')).toBeUndefined();
    expect(readlinkSync(path)).toBe(mark);
    const held = withBriefLock(path, { ...options, mayTakeOver: true }, (lock) => lock.isHeld());
    expect(held).toEqual({ result: true });
    expect(readdirSync(folder)).toEqual([]);
  }
  writeFileSync(path, 'mine');
  const take = () => withBriefLock(path, { world: testWorld(), timeoutMs: 60_000 }, () => 'never');
  expect(take).toThrow(`${path} has the name of an edgectl lock, but is not a lock.`);
});

test('work under a brief lock can check whether another process has taken over the lock', () => {
  const path = join(scratchFolder('lock'), 'lock');
  const held = withBriefLock(path, { world: testWorld(), timeoutMs: 0 }, (lock) => {
    unlinkSync(path);
    symlinkSync(elsewhere, path);
    return lock.isHeld();
  });
  expect(held).toEqual({ result: false });
  expect(readlinkSync(path)).toBe(elsewhere);
});
