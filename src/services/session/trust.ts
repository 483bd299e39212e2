import { dirname, isAbsolute, relative, sep } from 'node:path';
import type { Doubt } from '../../files/found.ts';
import { Problem } from '../../model/problem.ts';
import { joinFolders } from '../../model/settings.ts';
import type { BoundProfile } from '../../profiles/bound.ts';
import type { World } from '../../world.ts';

/** Asks the user a yes-or-no question on the terminal. Returns undefined without a terminal. */
export type Confirm = (question: string) => Promise<boolean | undefined>;

type TrustWorld = Pick<World, 'cwd' | 'folders'>;

/**
 * Returns a function that decides whether to use an untrusted file. The function accepts a file in a trusted folder. For a file in any
 * other folder, the function asks the user. If the user agrees, the function adds the folder to the setting trusted-folders. If the user
 * refuses, or if there is no terminal, the function throws config-invalid. `config` is the path of the configuration, if `path` is another
 * file.
 */
export function acceptConfig({ folders }: TrustWorld, confirm: Confirm | undefined) {
  return async (path: string, doubt: Doubt, config = path): Promise<void> => {
    const { setSetting, trustedFolders } = await import('./settings.ts');
    const trusted = trustedFolders({ folders });
    if (trusted.some((folder) => isInside(folder, path))) return;
    const { describeDoubt } = await import('../../files/trust-problems.ts');
    const words = `${doubt.path} ${describeDoubt(doubt)}${doubt.fault === 'owner' ? ', not to you' : ''}`;
    const folder = dirname(path);
    const accepting = joinFolders([...trusted, folder]);
    const question = `${words}. Use ${path}, and trust everything in ${folder} in the future?`;
    if (!(await confirm?.(question))) {
      throw new Problem('config-invalid', `${words}; edgectl does not use ${findConfigFile(path, doubt)}.`, {
        remedy: { kind: 'accept-config', file: config, folders: accepting },
      });
    }
    await setSetting({ folders }, 'trusted-folders', accepting);
  };
}

function findConfigFile(path: string, doubt: Doubt): string {
  return doubt.path === path ? 'it' : path;
}

/** Returns whether `path` is `folder` or is below it. Both paths are absolute. */
export function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/**
 * Returns the profile bound to the working directory, and whether the user has accepted the binding. Asks the user on the terminal, unless
 * the user has already accepted the file with its current content. Accepts a binding to the profile that is already active, because such a
 * binding has no effect.
 */
export async function confirmBoundProfile(
  { cwd, folders }: TrustWorld,
  confirm: Confirm | undefined,
): Promise<(BoundProfile & { readonly accepted: boolean }) | undefined> {
  const { findBound } = await import('../../profiles/bound.ts');
  const bound = findBound(cwd);
  if (bound === undefined) return undefined;
  const { isAccepted, rememberAccepted } = await import('../../profiles/trusted.ts');
  if (isAccepted(folders.config, bound)) return { ...bound, accepted: true };
  const { readStored } = await import('../../profiles/settings.ts');
  if (readStored(folders.config)['profile'] === bound.name) return { ...bound, accepted: true };
  const question = `${bound.path} asks edgectl to use the profile "${bound.name}" in this folder. Allow it?`;
  const answer = await confirm?.(question);
  if (answer === undefined) return { ...bound, accepted: false };
  if (!answer) {
    throw new Problem('usage', `${bound.path} was not accepted; nothing was sent.`, {
      remedy: { kind: 'name-profile' },
    });
  }
  await rememberAccepted(folders.config, bound);
  return { ...bound, accepted: true };
}
