import { readlink, symlink, unlink } from 'node:fs/promises';
import { isRunning, machineOf, startOf } from './liveness.ts';
import { Problem } from './model/problem.ts';
import type { World } from './world.ts';

/** Options for taking a lock. */
export interface LockWish {
  readonly world: Pick<World, 'pid' | 'now' | 'random' | 'sleep' | 'interrupted'>;
  /** Milliseconds to wait for a holder; a new holder restarts the wait. 0 does not wait. */
  readonly patience: number;
  /** Makes the error for a holder that does not release the lock. */
  busy(holder: LockHolder): Problem;
  /** Called once, when the wait has lasted long enough to explain it to the user. */
  readonly waiting?: (holder: LockHolder) => void;
}

export interface LockHolder {
  /** Undefined if edgectl did not create the lock. */
  readonly pid: number | undefined;
  /** The path to delete if the user knows that nobody holds the lock. */
  readonly path: string;
}

/**
 * Runs `work` while no other process, and no other part of this one, holds the lock. The lock is a dangling symbolic link at
 * `path` whose target names its holder: creating it is one atomic step, nothing is followed or opened, and a killed process
 * leaves no partial file. The lock of a process that has ended is taken over; a lock whose process may still run (on another
 * machine or in another container) is not. Fails with 'system' if `path` is not a link, and so not a lock; fails with the
 * system's error if a link cannot be created at `path`.
 */
export async function withLock<T>(path: string, wish: LockWish, work: () => Promise<T>): Promise<T> {
  const mark = await takeLock(path, wish);
  try {
    return await work();
  } finally {
    await release(path, mark);
  }
}

/** Releases a lock. A failure does not fail the work: the lock counts as stale once this process has ended. */
async function release(path: string, mark: string): Promise<void> {
  if ((await markAt(path).catch(() => undefined)) === mark) await unlink(path).catch(() => undefined);
}

async function takeLock(path: string, wish: LockWish): Promise<string> {
  const { world } = wish;
  const mark = newMark(world);
  let held: string | undefined;
  let since = world.now();
  const tell = tellingLate(wish);
  for (;;) {
    if (await isMade(path, mark)) return mark;
    const seen = await markAt(path);
    if (seen === undefined) continue;
    if (seen === notALink) throw noLock(path);
    if (seen !== held) since = world.now();
    held = seen;
    const holder = readMark(seen);
    if (holder !== undefined && hasEnded(holder)) {
      await removeLeft(path, seen, holder, wish);
      continue;
    }
    if (world.now() - since >= wish.patience) throw wish.busy({ pid: holder?.pid, path });
    tell({ pid: holder?.pid, path });
    await world.sleep(5 + (world.random(1)[0] ?? 0) / 8, world.interrupted);
  }
}

/** Milliseconds of waiting after which `waiting` is called. */
const wonderAfter = 2000;

function tellingLate({ world, waiting }: LockWish): (holder: LockHolder) => void {
  const begun = world.now();
  let told = false;
  return (holder) => {
    if (told || world.now() - begun < wonderAfter) return;
    told = true;
    waiting?.(holder);
  };
}

function noLock(path: string): Problem {
  return new Problem('system', `${path} is not a lock of edgectl, but has the name of one.`, {
    hint: 'Move it away, or remove it if nobody needs it.',
  });
}

/** Maximum milliseconds that a running process needs to remove a stale lock. */
const removal = 1000;

/**
 * Removes the lock of a process that has ended. The remover holds a separate lock for this one and checks again: another
 * process may have removed it meanwhile, and a new lock there belongs to someone else. The wait for that lock ignores the
 * timeout, because its holder does not hold the requested lock.
 */
async function removeLeft(path: string, mark: string, { token }: Holder, wish: LockWish): Promise<void> {
  const patience = Math.max(wish.patience, removal);
  await withLock(`${path}.${token}`, { ...wish, patience }, async () => {
    if ((await markAt(path)) === mark) await unlink(path);
  });
}

interface Holder {
  readonly pid: number;
  readonly start: string;
  readonly token: string;
  readonly machine: string;
}

function newMark({ pid, random }: LockWish['world']): string {
  return `edgectl:${pid}:${startOf(pid) ?? ''}:${Buffer.from(random(8)).toString('hex')}:${machineOf()}`;
}

function readMark(mark: string): Holder | undefined {
  const [, pid, start = '', token = '', machine = ''] =
    /^edgectl:([1-9]\d{0,9}):(\d*):([0-9a-f]{16}):(.+)$/.exec(mark) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), start, token, machine };
}

function hasEnded({ pid, start, machine }: Holder): boolean {
  if (machine !== machineOf()) return false;
  return !isRunning(pid) || (startOf(pid) ?? '') !== start;
}

async function isMade(path: string, mark: string): Promise<boolean> {
  try {
    await symlink(mark, path);
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

/** A symbolic link never has an empty target. */
const notALink = '';

/** Reads the mark of a lock. Undefined if nothing exists; `notALink` if it is not a link. */
async function markAt(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'EINVAL') return notALink;
    throw error;
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
