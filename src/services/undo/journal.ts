import { createHash, hash } from 'node:crypto';
import { closeSync, readSync } from 'node:fs';
import { access, constants, readdir, rm, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { makePrivateFolder } from '../../files/folders.ts';
import { type FoundFile, openFound } from '../../files/found.ts';
import { isUnfinished, removeLeftovers, replaceFile } from '../../files/replace.ts';
import { checkReplaceable, findNewerVersion, removeExpired } from '../../files/stored.ts';
import { systemReason } from '../../files/system-reason.ts';
import { describeDoubt } from '../../files/trust-problems.ts';
import { describeNewer, findVersion, isNewer, versionBytes } from '../../model/formats.ts';
import { Problem } from '../../model/problem.ts';
import { parseUndoEntry, type UndoEntry, type UndoOwner, undoLimits } from '../../model/undo/entry.ts';
import type { World } from '../../world.ts';
import { onMissing } from '../session/state-file.ts';

/** The entries that can be restored, newest first, and a sentence about each skipped file. */
export interface UndoList {
  readonly entries: readonly UndoEntry[];
  readonly skipped: readonly string[];
}

/**
 * The undo journal. Each entry is a file that only its owner can read, `<state>/undo/<time>-<id>.undo`: the entry as a line of JSON,
 * followed by the saved bytes. The file is synced to disk before its change is made. Old files are deleted. Entries created by programs are
 * in `<time>-<id>.script.undo`, and have separate limits, so that they never displace a person's entries.
 */
export interface Journal {
  /** Creates the folder. Throws a `system` problem if entries cannot be saved. */
  prepare(): Promise<void>;
  /** Saves an entry with its bytes, and deletes entries beyond the limits. Throws a `system` problem if the entry cannot be saved. */
  save(
    entry: Omit<UndoEntry, 'version' | 'id' | 'at' | 'by' | 'client' | 'size' | 'sha256'>,
    bytes: SavedBytes,
  ): Promise<UndoEntry>;
  /** Adds the state after the change to an entry, if the state was unknown when the entry was saved. */
  setLeft(entry: UndoEntry, left: UndoEntry['left']): Promise<void>;
  list(): Promise<UndoList>;
  /**
   * Returns the entry whose id starts with the given string. Throws not-found if no entry or several entries match.
   */
  find(id: string): Promise<UndoEntry>;
  /** Returns the saved bytes. Throws store-invalid if the file is missing or damaged. */
  read(entry: UndoEntry): Promise<Uint8Array>;
  remove(entry: Pick<UndoEntry, 'id' | 'at' | 'by'>): Promise<void>;
  /** Deletes all entries, except entries that a newer edgectl wrote. */
  purge(): Promise<PurgedEntries>;
}

export interface PurgedEntries {
  /** Number of deleted entries. */
  readonly deleted: number;
  /** Number of remaining entries from a newer edgectl, which this version cannot read. */
  readonly newer: number;
}

/** Bytes to save, in one piece or in parts. */
export type SavedBytes = Uint8Array | readonly Uint8Array[];

/** The author of changes. `client` is the program whose request a guard forwards. */
export type UndoAuthor = Pick<UndoEntry, 'client'> & { readonly by: UndoOwner };

const namePattern = /^(\d{15})-([0-9a-f]{8})(\.script)?\.undo$/;

/** Returns who makes changes: a person if standard input and at least one of the outputs are terminals, otherwise a program. */
export function detectOwner({
  stdin,
  stdout,
  stderr,
}: Pick<World, 'stdin' | 'stdout' | 'stderr'>): UndoOwner {
  const isSeen = stdout.isTTY === true || stderr.isTTY === true;
  return stdin.isTTY === true && isSeen ? 'person' : 'script';
}

/** Minimum free disk space for saving entries, in bytes. */
const minFreeBytes = 256 * 1024;

/** Maximum length of an entry's JSON line, in bytes. The platform limits the length of metadata and names. */
const maxLineBytes = 128 * 1024;

type JournalWorld = Pick<
  World,
  'folders' | 'now' | 'random' | 'stdin' | 'stdout' | 'stderr' | 'changesNothing'
>;

/**
 * Opens the user's journal. Creates no folder before the first entry. In a dry run, the journal does not change. The default author depends
 * on whether the process has a terminal (see `detectOwner`).
 */
export function openJournal(world: JournalWorld, author: UndoAuthor = { by: detectOwner(world) }): Journal {
  const folder = join(world.folders.state, 'undo');
  const names = async () => (await readdir(folder).catch(onMissing([]))).sort().reverse();
  const isFixed = world.changesNothing === true;
  /** Throws if a newer edgectl has written an entry with this id, which this version cannot restore. */
  const refuseNewer = async (id: string): Promise<void> => {
    for (const name of await names())
      if (namePattern.exec(name)?.[2]?.startsWith(id) === true)
        checkReplaceable('undo-entry', join(folder, name));
  };
  const journal: Journal = {
    async prepare() {
      if (isFixed) return;
      try {
        makePrivateFolder(folder);
        await access(folder, constants.W_OK | constants.X_OK);
        const { bavail, bsize, blocks } = await statfs(folder);
        if (blocks > 0 && bavail * bsize < minFreeBytes) throw new Error('the disk is full');
      } catch (error) {
        notSavedProblem(error);
      }
    },
    async save(entryFields, bytes) {
      const id = Buffer.from(world.random(4)).toString('hex');
      const parts = bytes instanceof Uint8Array ? [bytes] : bytes;
      const entry: UndoEntry = {
        version: 2,
        id,
        at: world.now(),
        ...author,
        ...entryFields,
        ...measure(parts),
      };
      if (isFixed) return entry;
      await write(world, folder, entry, parts).catch(notSavedProblem);
      await prune(folder, await names(), entry);
      return entry;
    },
    async setLeft(entry, left) {
      if (!isFixed) await write(world, folder, { ...entry, left }, [await journal.read(entry)]);
    },
    async list() {
      const oldest = world.now() - undoLimits.age;
      const found = await Promise.all(
        (await names()).filter((name) => !isUnfinished(name)).map((name) => readEntry(folder, name)),
      );
      const entries = found.flatMap((one) => (typeof one === 'object' && one.at >= oldest ? [one] : []));
      return { entries, skipped: found.filter((one) => typeof one === 'string') };
    },
    async find(id) {
      const { entries } = await journal.list();
      const fitting = entries.filter((entry) => entry.id.startsWith(id));
      const [one] = fitting;
      if (one !== undefined && fitting.length === 1 && id !== '') return one;
      const fault =
        one === undefined
          ? `Undo entry "${id}" not found.`
          : `Several undo entries have an id that starts with "${id}".`;
      if (one === undefined && id !== '') await refuseNewer(id);
      throw new Problem('not-found', fault, { remedy: { kind: 'list-kept' } });
    },
    read: (entry) => readBytes(folder, entry),
    async remove(entry) {
      if (!isFixed) await rm(join(folder, entryFileName(entry)), { force: true });
    },
    async purge() {
      if (isFixed) return { deleted: 0, newer: 0 };
      const paths = (await names())
        .filter((name) => namePattern.test(name))
        .map((name) => join(folder, name));
      const known = paths.filter((path) => findNewerVersion('undo-entry', path) === undefined);
      for (const path of known) await rm(path, { force: true });
      return { deleted: known.length, newer: paths.length - known.length };
    },
  };
  return journal;
}

function measure(parts: readonly Uint8Array[]): Pick<UndoEntry, 'size' | 'sha256'> {
  const hash = createHash('sha256');
  let size = 0;
  for (const part of parts) {
    hash.update(part);
    size += part.length;
  }
  return { size, sha256: hash.digest('hex') };
}

function entryFileName({ at, id, by }: Pick<UndoEntry, 'id' | 'at' | 'by'>): string {
  return `${String(at).padStart(15, '0')}-${id}${by === 'script' ? '.script' : ''}.undo`;
}

async function write(
  world: Pick<World, 'random' | 'now'>,
  folder: string,
  entry: UndoEntry,
  parts: readonly Uint8Array[],
): Promise<void> {
  makePrivateFolder(folder);
  await removeLeftovers(folder, world.now());
  await replaceFile(
    world,
    join(folder, entryFileName(entry)),
    { mode: 0o600, durable: true },
    async (file) => {
      await file.write(`${JSON.stringify(entry)}\n`);
      for (const part of parts) await file.writeFile(part);
    },
  );
}

function notSavedProblem(error: unknown): never {
  const reason = systemReason(error).replace(/\.$/, '');
  throw new Problem('system', `The old state cannot be saved for undo: ${reason}.`, {
    cause: error,
    remedy: { kind: 'change-without-undo' },
  });
}

/**
 * Deletes all entries that are too old, and the oldest entries of the new entry's owner that exceed the limits. `names` is sorted, newest
 * first. Never deletes the owner's newest entry because of a limit.
 */
async function prune(
  folder: string,
  names: readonly string[],
  { at: now, by }: Pick<UndoEntry, 'at' | 'by'>,
): Promise<void> {
  let bytes = 0;
  let entries = 0;
  for (const name of names) {
    const named = namePattern.exec(name);
    if (named === null) continue;
    const path = join(folder, name);
    const isOfOwner = (named[3] === undefined) === (by !== 'script');
    if (isOfOwner) {
      bytes += (await stat(path).catch(onMissing(undefined)))?.size ?? 0;
      entries += 1;
    }
    const isOld = Number(named[1]) < now - undoLimits.age;
    const isTooMuch = isOfOwner && (entries > undoLimits.entries || bytes > undoLimits.bytes) && entries > 1;
    if (isOld || isTooMuch) await removeExpired('undo-entry', path);
  }
}

/** Returns the entry in a file, or a sentence that explains why the file is skipped. */
async function readEntry(folder: string, name: string): Promise<UndoEntry | string> {
  const skipped = (why: string) => `Skipped ${join(folder, name)}: it ${why}.`;
  const named = namePattern.exec(name);
  if (named === null) return skipped('does not have the name of an undo entry');
  const opened = openEntryFile(join(folder, name));
  if (typeof opened === 'string') return skipped(opened);
  const { file, stats } = opened;
  try {
    const head = Buffer.alloc(Math.min(stats.size, maxLineBytes));
    readSync(file, head, 0, head.length, 0);
    const end = head.indexOf(0x0a);
    const version = findVersion(head.toString('latin1', 0, versionBytes));
    if (isNewer('undo-entry', version)) return describeNewer('undo-entry', join(folder, name), version);
    const entry = parseUndoEntry(head.toString('utf8', 0, end));
    const isWhole = stats.size === end + 1 + entry.size;
    return isWhole && entryFileName(entry) === name ? entry : skipped('was changed after edgectl wrote it');
  } catch {
    return skipped('was changed after edgectl wrote it');
  } finally {
    closeSync(file);
  }
}

/** Opens the file of an entry. If the file cannot be used, returns a clause that explains why. */
function openEntryFile(path: string): Exclude<FoundFile, { doubt: unknown }> | string {
  try {
    const found = openFound('undo', path);
    if (found === undefined) return 'no longer exists';
    return 'doubt' in found ? describeDoubt(found.doubt) : found;
  } catch (error) {
    return `cannot be read: ${systemReason(error)}`;
  }
}

async function readBytes(folder: string, entry: UndoEntry): Promise<Uint8Array> {
  const path = join(folder, entryFileName(entry));
  const wrong = (why: string) =>
    new Problem('store-invalid', `${path} ${why}; nothing was changed.`, {
      remedy: { kind: 'list-kept' },
    });
  const opened = openEntryFile(path);
  if (typeof opened === 'string') throw wrong(opened);
  const { file, stats } = opened;
  const bytes = Buffer.alloc(entry.size);
  try {
    readSync(file, bytes, 0, entry.size, stats.size - entry.size);
  } finally {
    closeSync(file);
  }
  if (hash('sha256', bytes, 'hex') === entry.sha256) return bytes;
  throw wrong('does not contain the bytes that were saved');
}
