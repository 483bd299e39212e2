import { type FSWatcher, watch } from 'node:fs';
import { dirname, join } from 'node:path';

/** A watch on files, including files that do not exist yet. */
export interface FileWatch {
  /**
   * Replaces the set of watched files (absolute paths). Also watches the files in `imports`, whose code extensions may be missing or
   * different, and the folders that should contain them.
   */
  set(files: readonly string[], imports: readonly string[]): void;
  close(): void;
}

/**
 * Calls `changed` when a watched file is written, created, renamed or deleted. One change can cause several calls, because the system may
 * report several events. Watches folders instead of files, because editors replace files.
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
      // The next call to `set` watches the folder again if it exists.
      watcher.on('error', () => drop(folder));
      watchers.set(folder, watcher);
    } catch {
      // The folder does not exist. The build reports missing files.
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
