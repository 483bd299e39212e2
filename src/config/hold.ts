import { access, chmod, chown, constants, realpath, rename, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type LockWish, withLock } from '../lock.ts';
import type { ConfigFile } from '../model/config.ts';
import { isProblem, Problem } from '../model/problem.ts';
import { type ConfigSource, readConfig } from './read.ts';

/** A configuration file that no other edgectl changes meanwhile. */
export interface HeldConfig {
  /** As it stands on disk now, parsed. */
  read(): Promise<ConfigSource>;
  /** Puts a text in the place of what `read` gave, in one step. Refuses when the file has changed since. */
  replace(source: ConfigSource, text: string): Promise<void>;
}

/** Milliseconds. Who holds a file waits for one answer of the platform, which may have to be asked for several times. */
const patience = 60_000;

/**
 * Does something while no other edgectl changes the file: others wait their turn. A link is followed first, so that
 * its target is held and replaced and the link stays. Refuses, before any work is done, a file that is
 * write-protected and a folder that nothing can be written to.
 */
export async function holdingConfig<T>(
  file: ConfigFile,
  world: LockWish['world'],
  work: (held: HeldConfig) => Promise<T>,
): Promise<T> {
  const path = await writablePath(file.path);
  const held: HeldConfig = {
    read: () => readConfig(file),
    replace: (source, text) => replaceFile(path, source, text, world),
  };
  const busy: LockWish['busy'] = (holder) => busyProblem(file.path, holder.pid, holder.path);
  let begun = false;
  const begin = (): Promise<T> => {
    begun = true;
    return work(held);
  };
  try {
    return await withLock(join(dirname(path), `.${basename(path)}.lock`), { world, patience, busy }, begin);
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
    hint: 'Allow it with chmod u+w, or leave --update-config out and change the file yourself.',
  });
}

function busyProblem(path: string, pid: number | undefined, lock: string): Problem {
  const who = pid === undefined ? 'Something' : `Process ${pid}`;
  return new Problem('store-busy', `${who} has been changing ${path} for a minute; nothing was sent.`, {
    hint: `Try again when it has ended. If nothing changes the file any more, remove ${lock}.`,
  });
}

/** Written beside the target, readable by its owner only until it has the permissions of what it replaces. */
async function replaceFile(
  path: string,
  source: ConfigSource,
  text: string,
  { random }: Pick<LockWish['world'], 'random'>,
): Promise<void> {
  const temporary = join(dirname(path), `.${basename(path)}.${Buffer.from(random(8)).toString('hex')}`);
  try {
    const { mode, uid, gid } = await stat(path);
    const content = (source.byteOrderMark ? '\ufeff' : '') + text;
    await writeFile(temporary, content, { flag: 'wx', flush: true, mode: 0o600 });
    // Only root may give a file away, and only root would otherwise take it away from its owner.
    await chown(temporary, uid, gid).catch(() => undefined);
    await chmod(temporary, mode & 0o7777);
    if ((await readConfig(source)).text !== source.text) {
      throw new Problem('config-invalid', `${source.path} was changed by something else at the same time.`);
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw isProblem(error) ? error : unwritable(source.path, error);
  }
}

function unwritable(path: string, error: unknown): Problem {
  const reason = error instanceof Error ? error.message : String(error);
  return new Problem('config-invalid', `${path} cannot be written: ${reason}.`, { cause: error });
}
