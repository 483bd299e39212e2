import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from '../../model/problem.ts';
import { refuseMisspelt } from '../../profiles/misspelt-variable.ts';
import type { World } from '../../world.ts';
import { checkStateFolder } from '../session/state-folder.ts';

/**
 * Returns the folder of a sandbox's data: the given folder, the folder in EDGECTL_SANDBOX_DIR, or the folder of the user's own sandbox.
 * Throws if a variable's name is misspelled, because otherwise commands would use, or even reset, the user's own sandbox.
 */
export function sandboxFolder(world: World, dir: string | undefined): string {
  if (dir === undefined) refuseMisspelt(world.env);
  return resolveFolder(world, dir);
}

function resolveFolder(world: World, dir: string | undefined): string {
  const chosen = dir ?? (world.env['EDGECTL_SANDBOX_DIR'] || undefined);
  return chosen === undefined ? ownFolder(world) : resolve(world.cwd, chosen);
}

function ownFolder({ folders }: World): string {
  return join(folders.data, 'sandbox');
}

/** Returns whether the user chose a folder other than the folder of the user's own sandbox. */
export function isChosenFolder(world: World, dir: string | undefined): boolean {
  return resolveFolder(world, dir) !== ownFolder(world);
}

/**
 * Returns the folder of the sandbox for commands that use it. These commands create the user's own sandbox, or a sandbox in an empty folder,
 * on first use. Throws invalid-input if the user chose a folder that is neither empty nor a sandbox, because its name may be mistyped.
 */
export function sandboxFolderToUse(
  world: World,
  dir: string | undefined,
  isSandbox: (folder: string) => boolean,
): string {
  const folder = sandboxFolder(world, dir);
  if (!isChosenFolder(world, dir)) return folder;
  checkStateFolder(folder);
  if (isSandbox(folder) || isEmpty(folder)) return folder;
  throw new Problem('invalid-input', `No sandbox found in ${folder}.`, {
    remedy: { kind: 'make-sandbox', folder },
  });
}

/** Returns whether a folder is empty. A folder that cannot be listed does not count as empty. */
function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}

/** Returns the label of a sandbox, which includes the folder unless it is the user's own sandbox. */
export function sandboxLabel(world: World, folder: string): string {
  return folder === ownFolder(world) ? 'the sandbox' : `the sandbox in ${folder}`;
}
