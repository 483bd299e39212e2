import { join } from 'node:path';
import type Conf from 'conf';
import { makePrivateFolder } from '../files/folders.ts';
import { findFolderDoubt } from '../files/found.ts';
import { withPath } from '../files/system-reason.ts';
import { untrustedProblem } from '../files/trust-problems.ts';
import { type Format, formatVersions } from '../model/formats.ts';

export type OpenStore = (name: string, folder: string) => Conf<Record<string, unknown>>;

/**
 * Returns a function that opens a file in a folder by name. The files have mode 0600 and are written atomically. The function throws if the
 * file would not be trusted in the folder.
 */
export async function openStore(): Promise<OpenStore> {
  const { default: Store } = await import('conf');
  return (configName, cwd) => {
    makePrivateFolder(cwd);
    const doubt = findFolderDoubt('settings', cwd);
    if (doubt !== undefined)
      throw untrustedProblem(
        'config-invalid',
        join(cwd, `${configName}.json`),
        doubt,
        'nothing is stored in it',
      );
    return new Store({ cwd, configName, configFileMode: 0o600 });
  };
}

/**
 * Replaces the content of a file, with the version of its format as the first field. The caller must first read the file, because reading
 * throws if a newer edgectl has written the file. A system error becomes a Problem that contains the path.
 */
export function writeStore(
  open: OpenStore,
  format: Format,
  name: string,
  folder: string,
  data: Record<string, unknown>,
): void {
  try {
    open(name, folder).store = { version: formatVersions[format], ...data };
  } catch (error) {
    throw withPath(error, join(folder, `${name}.json`));
  }
}
