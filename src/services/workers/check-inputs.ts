import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import { Problem } from '../../model/problem.ts';
import { joinFolders } from '../../model/settings.ts';
import type { World } from '../../world.ts';
import type { Session } from '../session/session.ts';
import { trustedFolders } from '../session/settings.ts';
import { isInside } from '../session/trust.ts';
import type { WorkerProject } from './deploy-project.ts';

/**
 * Returns a warning about bundled files outside the project; empty if there are none. Throws invalid-input for a file that is also outside
 * the project's repository and npm workspace, unless it is in `node_modules` or in a trusted folder: a project from someone else must not
 * upload the user's other files. Resolves symbolic links first.
 */
export function checkInputs(
  { world }: Pick<Session, 'world'>,
  { project, entry, isTyped }: Pick<WorkerProject, 'project' | 'entry' | 'isTyped'>,
  inputs: readonly string[],
): string[] {
  const folder = realpathSync(project === undefined ? world.cwd : dirname(project.path));
  // A user who typed the path of the entry also intends to use the files next to the entry.
  const own = isTyped ? [folder, dirname(realpathSync(entry))] : [folder];
  const outside = inputs
    .map(resolveLinks)
    .filter((path) => !own.some((one) => isInside(one, path)) && !path.includes(`${sep}node_modules${sep}`))
    .sort();
  if (outside.length === 0) return [];
  const homes = listHomes(world).map(resolveLinks);
  const roots = [...own.flatMap((one) => findRoots(one, homes)), ...trustedFolders(world).map(resolveLinks)];
  const [refused] = outside.filter((path) => !roots.some((root) => isInside(root, path)));
  if (refused !== undefined) {
    throw new Problem(
      'invalid-input',
      `${refused} was not bundled: it is outside the project, its repository and its npm workspace.`,
      {
        remedy: { kind: 'trust-folder', folders: joinFolders([...trustedFolders(world), dirname(refused)]) },
      },
    );
  }
  return [
    `The bundle contains files from outside the project: ${outside.map((path) => relative(world.cwd, path)).join(', ')}`,
  ];
}

/**
 * Returns the nearest repository and the nearest npm workspace that contain a folder. Ignores repositories in home folders and in their
 * parents: a home folder can be a repository of dotfiles, but the user's other files do not belong to a worker's repository.
 */
function findRoots(folder: string, homes: readonly string[]): string[] {
  return [isRepository, isWorkspace].flatMap((isRoot) => {
    for (let at = folder; !homes.some((home) => isInside(at, home)); at = dirname(at)) {
      if (isRoot(at)) return [at];
      if (dirname(at) === at) return [];
    }
    return [];
  });
}

/** Returns the home folders of the user, according to HOME and to the system's user database. */
function listHomes({ env }: Pick<World, 'env'>): string[] {
  const homes = [env['HOME'], recordedHome()];
  return homes.filter((home): home is string => home !== undefined && isAbsolute(home));
}

function recordedHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

function isRepository(folder: string): boolean {
  return existsSync(join(folder, '.git'));
}

function isWorkspace(folder: string): boolean {
  if (existsSync(join(folder, 'pnpm-workspace.yaml'))) return true;
  try {
    return 'workspaces' in JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  } catch {
    return false;
  }
}

/** Resolves symbolic links in a path; returns the path unchanged if it does not exist. */
function resolveLinks(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
