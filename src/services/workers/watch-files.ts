import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Watches files, whether they are there or not. */
export interface FileWatch {
  /**
   * Watches these files (absolute) and no others, and what could be meant by `wanted`: files that code asks for, which
   * may have another ending than it says or none, and the folders in which they should be.
   */
  set(files: readonly string[], wanted: readonly string[]): void;
  close(): void;
}

/**
 * Calls `changed` when a watched file is written, created, renamed or removed; several times for one change if the system
 * reports it so. Folders are watched and not files, because editors replace files.
 */
export function watchFiles(changed: () => void): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  let watched = new Set<string>();
  const open = (folder: string): void => {
    try {
      const watcher = watch(folder, (_event, name) => {
        if (name === null || watched.has(join(folder, name)) || watched.has(stemOf(join(folder, name))))
          changed();
      });
      // A folder that is removed is looked for again when the next set is given.
      watcher.on('error', () => drop(folder));
      watchers.set(folder, watcher);
    } catch {
      // It is not there; the build that needs it says so.
    }
  };
  const drop = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  return {
    set(files, wanted) {
      const hoped = wanted.flatMap((path) => [path, stemOf(path), dirname(path)]);
      watched = new Set([...files, ...hoped]);
      const folders = new Set([...files, ...wanted, ...wanted.map((path) => dirname(path))].map(dirname));
      for (const folder of watchers.keys()) if (!folders.has(folder)) drop(folder);
      for (const folder of folders) if (!watchers.has(folder)) open(folder);
    },
    close() {
      for (const folder of [...watchers.keys()]) drop(folder);
    },
  };
}

/** A path without its code ending, which imports may omit or write differently: `./word.js` for `word.ts`. */
function stemOf(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|json|css)$/, '');
}
