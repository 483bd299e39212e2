import { readdir, stat } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { Problem } from '../model/problem.ts';

/** A file of a folder. `name` is its path below the folder, with slashes on every system. */
export interface LocalFile {
  readonly name: string;
  /** Absolute. */
  readonly path: string;
  readonly size: number;
  /** Milliseconds since the UNIX epoch. */
  readonly modified: number;
}

export interface LocalFolder {
  /** In the order of their names. */
  readonly files: readonly LocalFile[];
  /** Names of what is no file: links, pipes, devices. They are left alone, and links are not followed. */
  readonly others: readonly string[];
}

/** All files below a folder. Refuses what is no folder or cannot be read. */
export async function walkFolder(folder: string, shown: string): Promise<LocalFolder> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    throw new Problem('invalid-input', `Cannot read the folder ${shown}: ${(error as Error).message}.`, {
      cause: error,
    });
  });
  const nameOf = (path: string) => relative(folder, path).split(sep).join('/');
  const files: LocalFile[] = [];
  const others: string[] = [];
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isDirectory() || isUnfinished(entry.name)) continue;
    const found = entry.isFile() ? await stat(path).catch(() => undefined) : undefined;
    if (found === undefined) others.push(nameOf(path));
    else files.push({ name: nameOf(path), path, size: found.size, modified: found.mtimeMs });
  }
  files.sort((a, b) => Buffer.compare(Buffer.from(a.name), Buffer.from(b.name)));
  return { files, others };
}

/** Whether a file is what an interrupted download left. */
function isUnfinished(name: string): boolean {
  return /^\.edgectl-[0-9a-f]{16}\.part$/.test(name);
}
