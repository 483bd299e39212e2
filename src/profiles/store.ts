import { join } from 'node:path';
import type Conf from 'conf';
import { makePrivateFolder } from '../files/folders.ts';
import { findFolderDoubt } from '../files/found.ts';
import { withPath } from '../files/system-reason.ts';
import { untrustedProblem } from '../files/trust-problems.ts';
import { type Format, formatVersions } from '../model/formats.ts';

export type OpenStore = (name: string, folder: string) => Conf<Record<string, unknown>>;

/**
 * Returns a function that opens a file of the configuration folder by name. Files have mode 0600 and are written atomically. Throws for a
 * folder in which the file would not be trusted.
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
 * Replaces the content of a file in the configuration folder, with its version as the first field. The caller must have read the file
 * before, which throws for a file that a newer edgectl wrote. A system error becomes a Problem with the name of the file.
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
