import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  lstatSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../files/folders.ts';
import { readFound } from '../../files/found.ts';
import { type BriefLock, withBriefLock } from '../../lock.ts';
import { findVersion, formatVersions, isNewer } from '../../model/formats.ts';
import { type PaceState, parsePace, unusedPace } from '../../model/pace.ts';
import type { PaceStore } from '../../v4/budget.ts';
import type { World } from '../../world.ts';

type PaceWorld = Pick<World, 'folders' | 'pid' | 'random' | 'now'>;

/**
 * Maximum time to wait for the lock of another process, in milliseconds. Processes hold the lock for less than a millisecond, so this process
 * takes over a lock that does not change during this time.
 */
const lockTimeoutMs = 250;
/** Age in milliseconds after which the file of unused credentials is deleted. */
const lifetimeMs = 24 * 60 * 60_000;

/**
 * Opens the file of the limits for a platform's credentials: `<state>/pace/<hash of platform and credentials>.json`, readable only by the
 * owner. All processes of this user share these limits. Creates no file before the first change. Never throws, because a request budget
 * must not stop work. If the file is untrusted or has a newer version, this process counts only its own requests until it exits. After a
 * system error, or without the lock, this process counts only its own requests until a later change succeeds; the file does not contain the
 * requests that were sent in the meantime.
 */
export function openPaceFile(world: PaceWorld, secret: string): PaceStore {
  const folder = join(world.folders.state, 'pace');
  const name = createHash('sha256').update(`edgectl pace ${secret}`).digest('hex').slice(0, 32);
  const path = join(folder, `${name}.json`);
  let known = unusedPace;
  let isAlone = false;
  /** Whether the last change failed or did not get the lock, so that `known` contains requests that the file lacks. */
  let isBehind = false;
  let isCreated = false;
  const read = (): PaceState => readPace(path) ?? unusedPace;
  const changeFile = (change: (state: PaceState) => PaceState): void => {
    if (!isBehind) {
      known = read();
      if (change(known) === known) return;
    }
    if (!isCreated) {
      makePrivateFolder(folder);
      removeUnused(folder, world.now());
      isCreated = true;
    }
    const options = { world, timeoutMs: lockTimeoutMs, mayTakeOver: true };
    const held = withBriefLock(join(folder, `${name}.lock`), options, (lock) => {
      const changed = change(read());
      if (!writePace(path, changed, lock)) return false;
      known = changed;
      isBehind = false;
      return true;
    });
    if (held === undefined) {
      isBehind = true;
      known = change(known);
    } else if (!held.result) changeFile(change);
  };
  return {
    get known() {
      return known;
    },
    read() {
      try {
        if (!isAlone && !isBehind) known = read();
      } catch (error) {
        isAlone = error instanceof UnusableFileError;
      }
      return known;
    },
    change(change) {
      try {
        if (isAlone) known = change(known);
        else changeFile(change);
      } catch (error) {
        isAlone = error instanceof UnusableFileError;
        isBehind = true;
        known = change(known);
      }
    },
  };
}

/** The error for a file that this process can never use. */
class UnusableFileError extends Error {}

/** Reads the state; returns undefined if the file does not exist. Throws if the file is untrusted or has a newer version. */
function readPace(path: string): PaceState | undefined {
  const found = readFound('pace', path);
  if (found === undefined) return undefined;
  if ('doubt' in found) throw new UnusableFileError('not trusted');
  const text = found.bytes.toString('utf8');
  if (isNewer('pace', findVersion(text))) throw new UnusableFileError('newer');
  return parsePace(text);
}

/**
 * Replaces the file, and returns true. Returns false, without replacing the file, if this process was suspended and another process has taken
 * over the lock. If this process is suspended between the check and the rename, the other process's requests are not counted. Each holder of
 * the lock has its own temporary file.
 */
function writePace(path: string, state: PaceState, lock: BriefLock): boolean {
  const temporary = `${path.slice(0, -'.json'.length)}.${lock.token}.tmp`;
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | (constants.O_NOFOLLOW ?? 0);
  const file = openSync(temporary, flags, 0o600);
  try {
    try {
      writeFileSync(file, JSON.stringify({ version: formatVersions.pace, ...state }));
    } finally {
      closeSync(file);
    }
    if (lock.isHeld()) {
      renameSync(temporary, path);
      return true;
    }
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
  rmSync(temporary, { force: true });
  return false;
}

/**
 * Deletes files that have not changed for a day, including locks and temporary files of killed processes. Ignores failures of this optional
 * cleanup.
 */
function removeUnused(folder: string, now: number): void {
  const names = ignoreFailure(() => readdirSync(folder)) ?? [];
  for (const name of names.filter((one) => /\.(?:json|tmp|lock|lock\..+)$/.test(one))) {
    ignoreFailure(() => {
      const path = join(folder, name);
      // Uses lstat, because a lock is a link whose target does not exist.
      const changed = lstatSync(path, { throwIfNoEntry: false })?.mtimeMs;
      if (changed !== undefined && changed < now - lifetimeMs) unlinkSync(path);
    });
  }
}

function ignoreFailure<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
