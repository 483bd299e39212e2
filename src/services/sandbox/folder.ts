import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Problem } from '../../model/problem.ts';
import { refuseMisspelt } from '../../profiles/misspelt-variable.ts';
import type { World } from '../../world.ts';
import { checkStateFolder } from '../session/state-folder.ts';

/**
 * Folder of a sandbox's data: the given one, that of EDGECTL_SANDBOX_DIR, or the user's. A name that is almost that of the
 * variable is refused: the user's own sandbox is not to be reset in the place of another.
 */
export function sandboxFolder(world: World, dir: string | undefined): string {
  if (dir === undefined) refuseMisspelt(world.env);
  return givenFolder(world, dir);
}

function givenFolder(world: World, dir: string | undefined): string {
  const chosen = dir ?? (world.env['EDGECTL_SANDBOX_DIR'] || undefined);
  return chosen === undefined ? ownFolder(world) : resolve(world.cwd, chosen);
}

function ownFolder({ folders }: World): string {
  return join(folders.data, 'sandbox');
}

/** Whether the user has named a folder: a mistyped one must not look like an empty sandbox. */
export function isChosenFolder(world: World, dir: string | undefined): boolean {
  return givenFolder(world, dir) !== ownFolder(world);
}

/**
 * The folder of the sandbox that commands act in. The user's own is made at first use, and so is one in an empty folder.
 * Refuses with invalid-input another one that was chosen and holds none: a name that was mistyped makes no sandbox.
 */
export function sandboxToActIn(
  world: World,
  dir: string | undefined,
  isSandbox: (folder: string) => boolean,
): string {
  const folder = sandboxFolder(world, dir);
  if (!isChosenFolder(world, dir)) return folder;
  checkStateFolder(folder);
  if (isSandbox(folder) || isEmpty(folder)) return folder;
  throw new Problem('invalid-input', `There is no sandbox in ${folder}.`, {
    remedy: { kind: 'make-sandbox', folder },
  });
}

/** Whether a folder is empty. One that cannot be listed may hold something. */
function isEmpty(folder: string): boolean {
  try {
    return readdirSync(folder).length === 0;
  } catch {
    return false;
  }
}

/** A sandbox in words: with its folder, unless that is the user's own. */
export function sandboxLabel(world: World, folder: string): string {
  return folder === ownFolder(world) ? 'the sandbox' : `the sandbox in ${folder}`;
}
