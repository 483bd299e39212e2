import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { replaceFile } from '../files/replace.ts';
import { pathReason } from '../files/system-reason.ts';
import { type LockHolder, type LockOptions, withLock } from '../lock.ts';
import type { ConfigFile } from '../model/config.ts';
import { isProblem, Problem } from '../model/problem.ts';
import { type ConfigSource, readConfig } from './read.ts';

/** A locked configuration file: no other edgectl changes it meanwhile. */
export interface LockedConfig {
  /** The parsed content on disk. */
  read(): Promise<ConfigSource>;
  /** Replaces the file's content atomically. Refuses if the content is no longer what `read` returned. */
  replace(source: ConfigSource, text: string): Promise<void>;
}

/** The process that locks a file: its World, and a callback for waits. */
export interface ConfigLockOwner {
  readonly world: LockOptions['world'];
  note(message: string): void;
}

/** Maximum wait in milliseconds: another edgectl may hold the lock during one API call with its retries. */
const lockTimeoutMs = 60_000;

/**
 * Runs `work` while no other edgectl changes the file; other processes wait. A symlink is resolved first, so the target is
 * locked and replaced and the link stays. Refuses a write-protected file and an unwritable folder before `work` runs.
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

/** Returns the file's real path. An unwritable folder is detected only when the lock is taken. */
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
  const who = pid === undefined ? 'Something' : `Process ${pid}`;
  return new Problem('store-busy', `${who} has been changing ${path} for a minute; nothing was sent.`, {
    hint: `Try again after it has ended. If no process changes the file any longer, remove ${lock}.`,
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
      // The content is checked as late as possible, because editors ignore the lock.
      if ((await readConfig(source)).text !== source.text) {
        throw new Problem('config-invalid', `${source.path} was changed by something else at the same time.`);
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
