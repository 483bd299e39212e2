import { sandboxFolder } from '../../../services/sandbox/folder.ts';
import { shellWord } from '../../../text/shell.ts';
import type { World } from '../../../world.ts';
import { type GlobalFlags, sandboxFolderFlag } from '../../parsing/flags.ts';

/** Returns the folder that the user specified with `--dir` or `--sandbox=DIR`. */
export function chosenDir(flags: GlobalFlags & { readonly dir: string | undefined }): string | undefined {
  return flags.dir ?? sandboxFolderFlag(flags);
}

/** Formats the flag that makes commands use the sandbox in a folder. */
export function formatSandboxFlag(world: World, folder: string): string {
  return folder === sandboxFolder(world, undefined) ? '--sandbox' : shellWord(`--sandbox=${folder}`);
}
