import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { World } from '../../world.ts';

/** The files of the policies that apply; undefined for those that do not exist. */
export interface PolicyPaths {
  readonly root: string | undefined;
  readonly user: string | undefined;
  readonly project: string | undefined;
}

/** The policy of the administrator of this machine. */
export const rootPolicyPath = '/etc/edgectl/policy.toml';

/** Name of a project's policy, in the working directory or above it. */
const projectPolicyName = 'edgectl-policy.toml';

/** Returns the policies that exist. Does not read the files: most users have no policy. */
export function findPolicyPaths(
  world: Pick<World, 'folders' | 'cwd'>,
  rootPath = rootPolicyPath,
): PolicyPaths {
  const user = join(world.folders.config, 'policy.toml');
  return {
    root: existsSync(rootPath) ? rootPath : undefined,
    user: existsSync(user) ? user : undefined,
    project: findUpward(world.cwd),
  };
}

function findUpward(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, projectPolicyName);
    if (existsSync(path)) return path;
    if (dirname(at) === at) return undefined;
  }
}

/** Whether any policy exists. */
export function hasPolicy({ root, user, project }: PolicyPaths): boolean {
  return root !== undefined || user !== undefined || project !== undefined;
}
