import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { replaceFile } from '../files/replace.ts';
import { pathReason } from '../files/system-reason.ts';
import { type LockHolder, type LockOptions, withLock } from '../lock.ts';
import type { ConfigFile } from '../model/config.ts';
import { isProblem, Problem } from '../model/problem.ts';
import { type ConfigSource, readConfig } from './read.ts';

/** A configuration file that no other edgectl process can change while it is locked. */
export interface LockedConfig {
  /** Returns the parsed content that is on disk. */
  read(): Promise<ConfigSource>;
  /** Replaces the file's content atomically. Throws if the file no longer has the content that `read` returned. */
  replace(source: ConfigSource, text: string): Promise<void>;
}

/** The context for locking a file. `note` receives a message if the wait for the lock is long. */
export interface ConfigLockOwner {
  readonly world: LockOptions['world'];
  note(message: string): void;
}

/** Maximum wait in milliseconds. Another edgectl process may hold the lock during an API call with its retries. */
const lockTimeoutMs = 60_000;

/**
 * Runs `work` while no other edgectl process can change the file; other processes wait. For a symbolic link, locks and replaces its target,
 * and does not change the link. Before `work` runs, throws if the file is write-protected or its folder is not writable.
 */
export async function withLockedConfig<T>(
  file: ConfigFile,
  { world, note }: ConfigLockOwner,
  work: (held: LockedConfig) => Promise<T>,
): Promise<T> {
  const path = await writablePath(file.path);
  const held: LockedConfig = {
    read: () => readConfig(file),
    replace: (source, text) => replaceConfig(path, source, text, world),
  };
  const busy: LockOptions['toProblem'] = (holder) => busyProblem(file.path, holder.pid, holder.path);
  const waiting: LockOptions['onLongWait'] = (holder) => note(waitMessage(holder));
  const options: LockOptions = { world, timeoutMs: lockTimeoutMs, toProblem: busy, onLongWait: waiting };
  let begun = false;
  const begin = (): Promise<T> => {
    begun = true;
    return work(held);
  };
  try {
    return await withLock(join(dirname(path), `.${basename(path)}.lock`), options, begin);
  } catch (error) {
    throw begun || isProblem(error) ? error : unwritableProblem(file.path, error);
  }
}

/**
 * Returns the real path of a file. Throws if the file cannot be written. Does not check the file's folder: if the folder is not writable,
 * acquiring the lock fails later.
 */
async function writablePath(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    const { mode } = await stat(real);
    if ((mode & 0o222) === 0) throw writeProtected(path);
    await access(real, constants.W_OK);
    return real;
  } catch (error) {
    throw isProblem(error) ? error : unwritableProblem(path, error);
  }
}

function writeProtected(path: string): Problem {
  return new Problem('config-invalid', `${path} is write-protected; nothing was sent.`, {
    remedy: { kind: 'allow-writing' },
  });
}

function waitMessage({ pid, path }: LockHolder): string {
  return `Waiting for ${path}, which ${pid === undefined ? 'another process' : `process ${pid}`} has locked.`;
}

function busyProblem(path: string, pid: number | undefined, lock: string): Problem {
  const who = pid === undefined ? 'Another process' : `Process ${pid}`;
  return new Problem('store-busy', `${who} has been changing ${path} for a minute; nothing was sent.`, {
    hint: `Try again after that process has exited. If no process is changing the file, delete ${lock}.`,
  });
}

async function replaceConfig(
  path: string,
  source: ConfigSource,
  text: string,
  world: LockOptions['world'],
): Promise<void> {
  try {
    const like = await stat(path);
    await replaceFile(world, path, { mode: 0o600, like, durable: true }, async (file) => {
      await file.writeFile((source.byteOrderMark ? '\ufeff' : '') + text);
      // Checks the content as late as possible, because editors ignore the lock.
      if ((await readConfig(source)).text !== source.text) {
        throw new Problem(
          'config-invalid',
          `Another program changed ${source.path} at the same time; edgectl did not write the file.`,
        );
      }
    });
  } catch (error) {
    throw isProblem(error) ? error : unwritableProblem(source.path, error);
  }
}

function unwritableProblem(path: string, error: unknown): Problem {
  const reason = pathReason('/', path, error);
  return new Problem('config-invalid', `${path} cannot be written: ${reason}.`, { cause: error });
}
