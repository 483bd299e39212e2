import { join } from 'node:path';
import type Conf from 'conf';
import { notBelieved } from '../files/doubt-words.ts';
import { makePrivateFolder } from '../files/folders.ts';
import { doubtAboutFolder } from '../files/found.ts';
import { aboutPath } from '../files/system-reason.ts';

export type OpenStore = (name: string, folder: string) => Conf<Record<string, unknown>>;

/**
 * Returns what opens a file of the configuration folder by its name: mode 0600, written in one step. Refuses a folder in which
 * the file would not be believed.
 */
export async function openStore(): Promise<OpenStore> {
  const { default: Store } = await import('conf');
  return (configName, cwd) => {
    makePrivateFolder(cwd);
    const doubt = doubtAboutFolder('settings', cwd);
    if (doubt !== undefined)
      throw notBelieved('config-invalid', join(cwd, `${configName}.json`), doubt, 'nothing is stored in it');
    return new Store({ cwd, configName, configFileMode: 0o600 });
  };
}

/** Replaces what is in a file of the configuration folder. A failure of the system names the file. */
export function writeStore(
  open: OpenStore,
  name: string,
  folder: string,
  data: Record<string, unknown>,
): void {
  try {
    open(name, folder).store = data;
  } catch (error) {
    throw aboutPath(error, join(folder, `${name}.json`));
  }
}
