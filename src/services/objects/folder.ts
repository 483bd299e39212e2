import { isUtf8 } from 'node:buffer';
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isUnfinished } from '../../files/replace.ts';
import { systemReason } from '../../files/system-reason.ts';
import type { leftOut } from '../../model/objects/sync-shape.ts';
import { Problem } from '../../model/problem.ts';
import type { ValueOf } from '../../model/shape.ts';

/** A file in a folder. `name` is its path below the folder, with slashes on every system. */
export interface LocalFile {
  readonly name: string;
  /** Absolute path. */
  readonly path: string;
  readonly size: number;
  /** Time of the last change, in milliseconds since the UNIX epoch. */
  readonly modified: number;
}

/**
 * A skipped entry of a folder. `name` is its path below the folder, with U+FFFD for bytes that are not UTF-8. `why` is a clause, such as "it
 * is a link".
 */
export type LeftOut = ValueOf<typeof leftOut>;

export interface LocalFolder {
  /** Files, sorted by name. */
  readonly files: readonly LocalFile[];
  /** Skipped entries, sorted by name: links, which are not followed; pipes; devices; names that are not UTF-8. */
  readonly leftOut: readonly LeftOut[];
}

/** Lists all files below a folder. Throws if the path is not a folder, or if the folder cannot be read. `shown` is its name for messages. */
export async function walkFolder(folder: string, shown: string, signal?: AbortSignal): Promise<LocalFolder> {
  const files: LocalFile[] = [];
  const leftOut: LeftOut[] = [];
  const waiting = [''];
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop()) {
    signal?.throwIfAborted();
    for (const entry of await listEntries(join(folder, below), below === '' ? shown : `${shown}/${below}`)) {
      const name = `${below === '' ? '' : `${below}/`}${entry.name.toString('utf8')}`;
      const path = join(folder, name);
      const fault = describeFault(entry);
      if (fault !== undefined) leftOut.push({ name, why: fault });
      else if (entry.isDirectory()) waiting.push(name);
      else if (!isUnfinished(entry.name.toString('utf8'))) {
        const found = await stat(path).catch(() => undefined);
        if (found === undefined) leftOut.push({ name, why: 'it was deleted meanwhile' });
        else files.push({ name, path, size: found.size, modified: found.mtimeMs });
      }
    }
  }
  return { files: byName(files), leftOut: byName(leftOut) };
}

/** Lists the entries of a folder, with names as bytes, because decoding a name that is not UTF-8 would change the name. */
async function listEntries(folder: string, shown: string): Promise<Dirent<NonSharedBuffer>[]> {
  try {
    return await readdir(folder, { withFileTypes: true, encoding: 'buffer' });
  } catch (error) {
    throw new Problem('invalid-input', `Cannot read the folder ${shown}: ${systemReason(error)}.`, {
      cause: error,
    });
  }
}

function describeFault(entry: Dirent<NonSharedBuffer>): string | undefined {
  if (!isUtf8(entry.name)) return 'its name is not UTF-8';
  if (entry.isDirectory() || entry.isFile()) return undefined;
  return entry.isSymbolicLink() ? 'it is a link' : 'it is neither a file nor a folder';
}

function byName<T extends { readonly name: string }>(items: readonly T[]): T[] {
  return items.toSorted((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
}
