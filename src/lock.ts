import { readlinkSync, symlinkSync, unlinkSync } from 'node:fs';
import { readlink, symlink, unlink } from 'node:fs/promises';
import { isRunning, machineId, readStartTicks } from './liveness.ts';
import { Problem } from './model/problem.ts';
import type { World } from './world.ts';

/** Options for taking a lock. */
export interface LockOptions {
  readonly world: Pick<World, 'pid' | 'now' | 'random' | 'sleep' | 'interrupted'>;
  /**
   * Milliseconds to wait for the process that holds the lock. If another process takes the lock meanwhile, the wait restarts. 0 means no
   * wait.
   */
  readonly timeoutMs: number;
  /** Returns the error to throw if the holder does not release the lock in time. */
  toProblem(holder: LockHolder): Problem;
  /** Called once, when the wait is long enough to be explained to the user. */
  readonly onLongWait?: (holder: LockHolder) => void;
}

export interface LockHolder {
  /** The id of the process that holds the lock; undefined if edgectl did not create the lock. */
  readonly pid: number | undefined;
  /** The path that the user can delete if no process holds the lock. */
  readonly path: string;
}

/**
 * Runs `work` while no other process, and no other part of this process, holds the lock. The lock is a dangling symbolic link at `path`;
 * its target identifies the holder. Creating the link is one atomic step, nothing is followed or opened, and a killed process leaves no
 * partial file. The lock of a process that has ended is taken over. A lock whose process may still run (on another machine or in another
 * container) is not taken over. Throws 'system' if `path` exists but is not a link, and therefore not a lock. Throws the system's error if
 * a link cannot be created at `path`.
 */
export async function withLock<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const mark = await takeLock(path, options);
  try {
    return await work();
  } finally {
    await release(path, mark);
  }
}

/**
 * Runs `work` if the lock is free, without returning to the event loop. Returns undefined if anything exists at `path`, including the lock
 * of a process that has ended; only `withLock` takes over such a lock. Throws the system's error if a link cannot be created.
 */
export function tryLock<T>(
  path: string,
  world: Pick<World, 'pid' | 'random'>,
  work: () => T,
): { readonly result: T } | undefined {
  const mark = newMark(world);
  try {
    symlinkSync(mark, path);
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return undefined;
    throw error;
  }
  return runAndRelease(path, mark, work);
}

function runAndRelease<T>(path: string, mark: string, work: () => T): { readonly result: T } {
  try {
    return { result: work() };
  } finally {
    if (readLinkText(path) === mark) unlinkIfPresent(path);
  }
}

/** Milliseconds to wait between two attempts while another process holds the lock. */
const briefWaitMs = 1;

/**
 * Runs `work`, which must take less than a millisecond, while no other process holds the lock. Waits up to `timeoutMs` without returning to
 * the event loop. If the lock is still held, returns undefined without running `work`. Throws the system's error if a link cannot be
 * created. The lock of a process that has ended is taken over. Two processes that take over a lock at the same moment may both run `work`,
 * so losing a change must be harmless.
 */
export function withBriefLock<T>(
  path: string,
  { world, timeoutMs }: { world: Pick<World, 'pid' | 'random'>; timeoutMs: number },
  work: () => T,
): { readonly result: T } | undefined {
  const mark = newMark(world);
  for (let waitedMs = 0; !linkBriefly(path, mark); waitedMs += briefWaitMs) {
    if (waitedMs >= timeoutMs) return undefined;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, briefWaitMs);
  }
  return runAndRelease(path, mark, work);
}

/** Creates the link of a lock. Returns false if a process that is still running holds the lock. */
function linkBriefly(path: string, mark: string): boolean {
  try {
    symlinkSync(mark, path);
    return true;
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const seen = readLinkText(path);
    const holder = seen === undefined ? undefined : readMark(seen);
    if (holder !== undefined && hasEnded(holder)) unlinkIfPresent(path);
    return false;
  }
}

function readLinkText(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function unlinkIfPresent(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Another process has removed the link.
  }
}

/** Releases a lock. A failure is ignored, because the lock counts as stale after this process has ended. */
async function release(path: string, mark: string): Promise<void> {
  if ((await readLockMark(path).catch(() => undefined)) === mark) await unlink(path).catch(() => undefined);
}

async function takeLock(path: string, options: LockOptions): Promise<string> {
  const { world } = options;
  const mark = newMark(world);
  let previous: string | undefined;
  let since = world.now();
  const reportWait = reportLongWait(options);
  for (;;) {
    if (await createLock(path, mark)) return mark;
    const seen = await readLockMark(path);
    if (seen === undefined) continue;
    if (seen === noLink) throw notALockProblem(path);
    if (seen !== previous) since = world.now();
    previous = seen;
    const holder = readMark(seen);
    if (holder !== undefined && hasEnded(holder)) {
      await removeStaleLock(path, seen, holder, options);
      continue;
    }
    if (world.now() - since >= options.timeoutMs) throw options.toProblem({ pid: holder?.pid, path });
    reportWait({ pid: holder?.pid, path });
    await world.sleep(5 + (world.random(1)[0] ?? 0) / 8, world.interrupted);
  }
}

/** Milliseconds of waiting after which `onLongWait` is called. */
const reportAfterMs = 2000;

function reportLongWait({ world, onLongWait }: LockOptions): (holder: LockHolder) => void {
  const begun = world.now();
  let isReported = false;
  return (holder) => {
    if (isReported || world.now() - begun < reportAfterMs) return;
    isReported = true;
    onLongWait?.(holder);
  };
}

function notALockProblem(path: string): Problem {
  return new Problem('system', `${path} is not an edgectl lock, but has the name of one.`, {
    hint: 'Move it, or delete it if nobody needs it.',
  });
}

/** Maximum number of milliseconds that a running process needs to remove a stale lock. */
const removalMs = 1000;

/**
 * Removes the lock of a process that has ended. Takes a second lock and checks the first lock again, because another process may have
 * removed the stale lock and taken a new one meanwhile. The wait for the second lock ignores the timeout, because the holder of the second
 * lock does not hold the requested lock.
 */
async function removeStaleLock(
  path: string,
  mark: string,
  { token }: Holder,
  options: LockOptions,
): Promise<void> {
  const timeoutMs = Math.max(options.timeoutMs, removalMs);
  await withLock(`${path}.${token}`, { ...options, timeoutMs }, async () => {
    if ((await readLockMark(path)) === mark) await unlink(path);
  });
}

interface Holder {
  readonly pid: number;
  readonly start: string;
  readonly token: string;
  readonly machine: string;
}

function newMark({ pid, random }: Pick<World, 'pid' | 'random'>): string {
  return `edgectl:${pid}:${readStartTicks(pid) ?? ''}:${Buffer.from(random(8)).toString('hex')}:${machineId()}`;
}

function readMark(mark: string): Holder | undefined {
  const [, pid, start = '', token = '', machine = ''] =
    /^edgectl:([1-9]\d{0,9}):(\d*):([0-9a-f]{16}):(.+)$/.exec(mark) ?? [];
  return pid === undefined ? undefined : { pid: Number(pid), start, token, machine };
}

function hasEnded({ pid, start, machine }: Holder): boolean {
  if (machine !== machineId()) return false;
  return !isRunning(pid) || (readStartTicks(pid) ?? '') !== start;
}

async function createLock(path: string, mark: string): Promise<boolean> {
  try {
    await symlink(mark, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** The mark of a path that is not a symbolic link. The target of a symbolic link is never empty. */
const noLink = '';

/** Reads the mark of a lock. Returns undefined if nothing exists at the path, and `noLink` if it is not a link. */
async function readLockMark(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return undefined;
    if (code === 'EINVAL') return noLink;
    throw error;
  }
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
