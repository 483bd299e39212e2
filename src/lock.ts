import { createHash } from 'node:crypto';
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
  /** Called at most once, after two seconds of waiting, so that the caller can explain the wait to the user. */
  readonly onLongWait?: (holder: LockHolder) => void;
}

export interface LockHolder {
  /** The id of the process that holds the lock; undefined if edgectl did not create the lock. */
  readonly pid: number | undefined;
  /** The path of the lock. The user can delete the link at this path if no process holds the lock. */
  readonly path: string;
}

/**
 * Runs `work` while no other process, and no other part of this process, holds the lock. The lock is a dangling symbolic link at `path`;
 * its target identifies the holder. Creating the link is atomic and does not follow or open anything, and a killed process leaves no
 * partial file. The lock of a process that has ended is taken over. A lock whose process may still run (on another machine or in another
 * container) is not taken over. Throws `toProblem(holder)` after the timeout, 'system' if `path` exists but is not a link, and the system's
 * error if a link cannot be created at `path`.
 */
export async function withLock<T>(path: string, options: LockOptions, work: () => Promise<T>): Promise<T> {
  const mark = await takeLock(path, options);
  try {
    return await work();
  } finally {
    await release(path, mark);
  }
}

/** Milliseconds to wait between two attempts while another process holds the lock. */
const briefWaitMs = 1;

/** Options for taking a lock without returning to the event loop. */
export interface BriefLockOptions {
  readonly world: Pick<World, 'pid' | 'random'>;
  /** Milliseconds to wait for the process that holds the lock. 0 means no wait. */
  readonly timeoutMs: number;
  /**
   * Whether to take over a lock that does not change during the entire timeout, even if its process may still run. The process may be
   * stopped, or the lock may be from a machine or container that no longer exists. The work must then take much less time than the timeout,
   * and call `isHeld` before it changes anything.
   */
  readonly mayTakeOver?: boolean;
}

/** The lock that the work holds. */
export interface BriefLock {
  /** A random identifier for this holder of the lock: 16 hex digits, which are also valid in a file name. */
  readonly token: string;
  /** Returns false if another process has taken over the lock. Another process may also take over the lock immediately after this check. */
  isHeld(): boolean;
}

/**
 * Runs `work`, which must be short, while no other process holds the lock. Waits up to `timeoutMs` without returning to the event loop. If
 * the lock is still held, returns undefined without running `work`. The lock of a process that has ended is taken over. Throws 'system' if
 * `path` exists but is not a link, and the system's error if a link cannot be created.
 */
export function withBriefLock<T>(
  path: string,
  options: BriefLockOptions,
  work: (lock: BriefLock) => T,
): { readonly result: T } | undefined {
  const token = newToken(options.world);
  const mark = formatMark(options.world, token);
  if (!takeNow(path, mark, options)) return undefined;
  const lock = { token, isHeld: () => readLockMarkNow(path) === mark };
  try {
    return { result: work(lock) };
  } finally {
    releaseNow(path, mark);
  }
}

/**
 * Creates the link of a lock. Returns false if another process holds the lock until the timeout. Measures the timeout by counting its waits
 * instead of reading the clock, so that time during which the machine is suspended does not count.
 */
function takeNow(path: string, mark: string, options: BriefLockOptions): boolean {
  const { timeoutMs, mayTakeOver = false } = options;
  let first: string | undefined;
  for (let waitedMs = 0; ; waitedMs += briefWaitMs) {
    if (createLockNow(path, mark)) return true;
    const seen = readLockMarkNow(path);
    if (seen === noLink) throw notALockProblem(path);
    first ??= seen;
    const isLast = waitedMs >= timeoutMs;
    if (seen !== undefined) {
      const holder = readMark(seen);
      const isStale = (holder && hasEnded(holder)) || (mayTakeOver && isLast && seen === first);
      if (isStale && removeStaleLockNow(path, seen, options) && createLockNow(path, mark)) return true;
    }
    if (isLast) return false;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, briefWaitMs);
  }
}

/**
 * Removes a stale lock while holding a second lock, as `removeStaleLock` does. Returns false if the stale lock has changed, or if another
 * process is removing it. One race remains: if a process is stopped between reading and deleting the stale lock, another process may take
 * over the second lock, and the first process may delete a new lock when it resumes.
 */
function removeStaleLockNow(path: string, mark: string, options: BriefLockOptions): boolean {
  // Links that edgectl did not create have no token.
  const token = readMark(mark)?.token ?? createHash('sha256').update(mark).digest('hex').slice(0, 16);
  const removed = withBriefLock(`${path}.${token}`, options, () => {
    if (readLockMarkNow(path) !== mark) return false;
    unlinkSync(path);
    return true;
  });
  return removed?.result === true;
}

/** Releases a lock. Ignores failures, as `release` does. */
function releaseNow(path: string, mark: string): void {
  try {
    if (readLockMarkNow(path) === mark) unlinkSync(path);
  } catch {
    // The lock counts as stale after this process has ended.
  }
}

function createLockNow(path: string, mark: string): boolean {
  try {
    symlinkSync(mark, path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    throw error;
  }
}

/** Synchronous version of `readLockMark`. */
function readLockMarkNow(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch (error) {
    return toMissingMark(error);
  }
}

/** Releases a lock. A failure is ignored, because the lock counts as stale after this process has ended. */
async function release(path: string, mark: string): Promise<void> {
  if ((await readLockMark(path).catch(() => undefined)) === mark) await unlink(path).catch(() => undefined);
}

async function takeLock(path: string, options: LockOptions): Promise<string> {
  const { world } = options;
  const mark = formatMark(world, newToken(world));
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

/** Number of milliseconds of waiting after which `onLongWait` is called. */
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
  return new Problem('system', `${path} has the name of an edgectl lock, but is not a lock.`, {
    hint: 'Move or delete the file.',
  });
}

/** Minimum timeout in milliseconds for the second lock. A running process removes a stale lock in less time. */
const removalMs = 1000;

/**
 * Removes the lock of a process that has ended. Takes a second lock and checks the first lock again, because another process may have
 * removed the stale lock and taken a new one meanwhile. The timeout for the second lock is at least `removalMs`, even if the caller does
 * not want to wait, because the holder of the second lock does not hold the requested lock.
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

function newToken({ random }: Pick<World, 'random'>): string {
  return Buffer.from(random(8)).toString('hex');
}

function formatMark({ pid }: Pick<World, 'pid'>, token: string): string {
  return `edgectl:${pid}:${readStartTicks(pid) ?? ''}:${token}:${machineId()}`;
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

/**
 * The value that represents a path that is not a symbolic link. No mark has this value, because the target of a symbolic link is never
 * empty.
 */
const noLink = '';

/** Reads the mark of a lock. Returns undefined if nothing exists at the path, and `noLink` if the path is not a link. */
async function readLockMark(path: string): Promise<string | undefined> {
  try {
    return await readlink(path);
  } catch (error) {
    return toMissingMark(error);
  }
}

function toMissingMark(error: unknown): string | undefined {
  const code = errorCode(error);
  if (code === 'ENOENT') return undefined;
  if (code === 'EINVAL') return noLink;
  throw error;
}

function errorCode(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
