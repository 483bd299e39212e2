import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Watches files, whether they are there or not. */
export interface FileWatch {
  /** Watches these files (absolute) and no others; with `orBeside`, whatever lies in their folders as well. */
  set(files: readonly string[], orBeside: boolean): void;
  close(): void;
}

/**
 * Calls `changed` when a watched file is written, made, renamed or removed; several times for one change where
 * the system tells it so. Folders are watched and not files, because editors replace files.
 */
export function watchFiles(changed: () => void): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  let watched = new Set<string>();
  let isAny = false;
  const open = (folder: string): void => {
    try {
      const watcher = watch(folder, (_event, name) => {
        if (name === null || isAny || watched.has(join(folder, name))) changed();
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
    set(files, orBeside) {
      isAny = orBeside;
      watched = new Set(files);
      const folders = new Set(files.map((file) => dirname(file)));
      for (const folder of watchers.keys()) if (!folders.has(folder)) drop(folder);
      for (const folder of folders) if (!watchers.has(folder)) open(folder);
    },
    close() {
      for (const folder of [...watchers.keys()]) drop(folder);
    },
  };
}
