import { sandboxFolder } from '../../../services/sandbox/folder.ts';
import { shellWord } from '../../../text/shell.ts';
import type { World } from '../../../world.ts';
import type { Flags } from '../../parsing/command.ts';
import { type GlobalFlags, typedFolder } from '../../parsing/flags.ts';

/** Which sandbox, on the commands that are about one. */
export const sandboxDirFlag = {
  dir: {
    kind: 'path',
    placeholder: 'DIR',
    about: 'Folder of its data; that of --sandbox=DIR or EDGECTL_SANDBOX_DIR, or your own, when left out',
  },
} as const satisfies Flags;

/** The folder that was typed, in either form. */
export function chosenDir(flags: GlobalFlags & { readonly dir: string | undefined }): string | undefined {
  return flags.dir ?? typedFolder(flags);
}

/** The flag that a command reaches the sandbox in a folder with, as it is typed. */
export function reachingFlag(world: World, folder: string): string {
  return folder === sandboxFolder(world, undefined) ? '--sandbox' : shellWord(`--sandbox=${folder}`);
}
