import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { asProblem } from '../../src/model/problem.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { UserFolders } from '../../src/world.ts';
import { type Keymap, keymap } from './keymap.ts';
import { ownKeymap } from './own-keys.ts';

/** Where the reader's own keys are. */
export function keysPath({ config }: Pick<UserFolders, 'config'>): string {
  return join(config, 'keys.toml');
}

/**
 * The keymap with the reader's own keys. Where their file cannot be read, or is wrong, `note` is told why and the keys
 * are those of the program: a console without keys would be none.
 */
export async function readKeys(
  folders: Pick<UserFolders, 'config'>,
  note: (message: string) => void,
): Promise<Keymap> {
  const path = keysPath(folders);
  try {
    return ownKeymap(await readFile(path, 'utf8'), path);
  } catch (error) {
    if (isMissing(error)) return keymap;
    note(`The keys are those of the program. ${escapeText(asProblem(error).message)}`);
    return keymap;
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ENOTDIR'].includes(String(error.code));
}
