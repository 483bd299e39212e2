import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** Watches files, including files that do not exist yet. */
export interface FileWatch {
  /**
   * Replaces the set of watched files (absolute paths). `imports` adds files that the code imports, whose extensions may be missing or
   * different, and the folders that should contain these files.
   */
  set(files: readonly string[], imports: readonly string[]): void;
  close(): void;
}

/**
 * Calls `changed` when a watched file is written, created, renamed or deleted, and several times per change if the system reports several
 * events. Watches folders instead of files, because editors replace files.
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
      // A deleted folder is watched again after the next call of `set`.
      watcher.on('error', () => drop(folder));
      watchers.set(folder, watcher);
    } catch {
      // An error is ignored: the folder does not exist, and the next build reports missing files.
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

/** Returns a path without its code extension: imports may omit the extension or use another, such as `./word.js` for `word.ts`. */
function withoutCodeExtension(path: string): string {
  return path.replace(/\.(?:[cm]?[jt]sx?|json|css)$/, '');
}
