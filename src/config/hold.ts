import { access, constants, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { replaceFile } from '../files/replace.ts';
import { pathReason } from '../files/system-reason.ts';
import { type LockHolder, type LockOptions, withLock } from '../lock.ts';
import type { ConfigFile } from '../model/config.ts';
import { isProblem, Problem } from '../model/problem.ts';
import { type ConfigSource, readConfig } from './read.ts';

/** A configuration file that is held: no other edgectl changes it meanwhile. */
export interface HeldConfig {
  /** The parsed content on disk. */
  read(): Promise<ConfigSource>;
  /** Replaces the file's text in one step. Refuses when it is no longer the one that `read` returned. */
  replace(source: ConfigSource, text: string): Promise<void>;
}

/** The process that holds a file: its World, and the callback for a wait. */
export interface ConfigHolder {
  readonly world: LockOptions['world'];
  note(message: string): void;
}

/** Longest wait in milliseconds: another edgectl may hold the file during one call to the platform, with its retries. */
const patience = 60_000;

/**
 * Runs `work` while no other edgectl changes the file: others wait their turn. A link is followed first, so that
 * its target is held and replaced and the link stays. Refuses, before any work is done, a file that is
 * write-protected and a folder that nothing can be written to.
 */
export async function holdingConfig<T>(
  file: ConfigFile,
  { world, note }: ConfigHolder,
  work: (held: HeldConfig) => Promise<T>,
): Promise<T> {
  const path = await writablePath(file.path);
  const held: HeldConfig = {
    read: () => readConfig(file),
    replace: (source, text) => replaceConfig(path, source, text, world),
  };
  const busy: LockOptions['toProblem'] = (holder) => busyProblem(file.path, holder.pid, holder.path);
  const waiting: LockOptions['onLongWait'] = (holder) => note(waitingWords(holder));
  const wish: LockOptions = { world, timeoutMs: patience, toProblem: busy, onLongWait: waiting };
  let begun = false;
  const begin = (): Promise<T> => {
    begun = true;
    return work(held);
  };
  try {
    return await withLock(join(dirname(path), `.${basename(path)}.lock`), wish, begin);
  } catch (error) {
    throw begun || isProblem(error) ? error : unwritable(file.path, error);
  }
}

/** Where the file really is. A folder that cannot be written to shows when the lock is taken. */
async function writablePath(path: string): Promise<string> {
  try {
    const real = await realpath(path);
    const { mode } = await stat(real);
    if ((mode & 0o222) === 0) throw writeProtected(path);
    await access(real, constants.W_OK);
    return real;
  } catch (error) {
    throw isProblem(error) ? error : unwritable(path, error);
  }
}

function writeProtected(path: string): Problem {
  return new Problem('config-invalid', `${path} is write-protected; nothing was sent.`, {
    remedy: { kind: 'allow-writing' },
  });
}

function waitingWords({ pid, path }: LockHolder): string {
  return `Waiting for ${path}, which ${pid === undefined ? 'something else' : `process ${pid}`} holds.`;
}

function busyProblem(path: string, pid: number | undefined, lock: string): Problem {
  const who = pid === undefined ? 'Something' : `Process ${pid}`;
  return new Problem('store-busy', `${who} has been changing ${path} for a minute; nothing was sent.`, {
    hint: `Try again when it has ended. If nothing changes the file any more, remove ${lock}.`,
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
      // As late as can be: an editor knows of no lock.
      if ((await readConfig(source)).text !== source.text) {
        throw new Problem('config-invalid', `${source.path} was changed by something else at the same time.`);
      }
    });
  } catch (error) {
    throw isProblem(error) ? error : unwritable(source.path, error);
  }
}

function unwritable(path: string, error: unknown): Problem {
  const reason = pathReason('/', path, error);
  return new Problem('config-invalid', `${path} cannot be written: ${reason}.`, { cause: error });
}
