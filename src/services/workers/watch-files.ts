import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Watches files, whether or not they exist. */
export interface FileWatch {
  /**
   * Replaces the set of watched files (absolute paths). `wanted` adds files that code imports, which may have another extension
   * or none, and the folders that should contain them.
   */
  set(files: readonly string[], imports: readonly string[]): void;
  close(): void;
}

/**
 * Calls `changed` when a watched file is written, created, renamed or deleted; several times per change if the system reports
 * several events. Watches folders instead of files, because editors replace files.
 */
export function watchFiles(changed: () => void): FileWatch {
  const watchers = new Map<string, FSWatcher>();
  let watched = new Set<string>();
  const open = (folder: string): void => {
    try {
      const watcher = watch(folder, (_event, name) => {
        if (
          name === null ||
          watched.has(join(folder, name)) ||
          watched.has(withoutCodeExtension(join(folder, name)))
        )
          changed();
      });
      // A deleted folder is watched again when the next set is given.
      watcher.on('error', () => drop(folder));
      watchers.set(folder, watcher);
    } catch {
      // An error is ignored: the folder does not exist, and the build that needs it reports the error.
    }
  };
  const drop = (folder: string): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  return {
    set(files, wanted) {
      const hoped = wanted.flatMap((path) => [path, withoutCodeExtension(path), dirname(path)]);
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

/** A path without its code extension, which imports may omit or write differently: `./word.js` for `word.ts`. */
function withoutCodeExtension(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|json|css)$/, '');
}
