import { sandboxFolder } from '../../../services/sandbox/folder.ts';
import { shellWord } from '../../../text/shell.ts';
import type { World } from '../../../world.ts';
import { type GlobalFlags, typedFolder } from '../../parsing/flags.ts';

/** The folder that was typed, in either form. */
export function chosenDir(flags: GlobalFlags & { readonly dir: string | undefined }): string | undefined {
  return flags.dir ?? typedFolder(flags);
}

/** The flag, as typed, for commands on the sandbox in a folder. */
export function reachingFlag(world: World, folder: string): string {
  return folder === sandboxFolder(world, undefined) ? '--sandbox' : shellWord(`--sandbox=${folder}`);
}
