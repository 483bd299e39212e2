import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { World } from '../../world.ts';

/** The paths of the policies that apply; undefined for a file that does not exist. */
export interface PolicyPaths {
  readonly root: string | undefined;
  readonly user: string | undefined;
  readonly project: string | undefined;
}

/** The policy of this machine's administrator. */
export const rootPolicyPath = '/etc/edgectl/policy.toml';

/** File name of a project's policy, in the working directory or one of its parents. */
const projectPolicyName = 'edgectl-policy.toml';

/** Returns the paths of the existing policies, without reading the files: most users have no policy. */
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

/** Returns whether any policy exists. */
export function hasPolicy({ root, user, project }: PolicyPaths): boolean {
  return root !== undefined || user !== undefined || project !== undefined;
}
