import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { World } from '../../world.ts';
import type { Session } from '../session/session.ts';

/**
 * Lists the paths, without the contents, of credentials that a program of the same user could read to bypass a guard. The guard cannot
 * prevent this.
 */
export function listReadableCredentials(
  { env, cwd, folders }: Pick<World, 'env' | 'cwd' | 'folders'>,
  { where, lock }: Pick<Session, 'where' | 'lock'>,
): string[] {
  const home = env['HOME'];
  const config = env['XDG_CONFIG_HOME'] || (home && join(home, '.config'));
  const profile = where.kind === 'remote' && lock === undefined ? where.profile : undefined;
  const candidates = [
    profile && join(folders.config, 'profiles', `${profile}.json`),
    home && join(home, '.wrangler', 'config', 'default.toml'),
    config && join(config, '.wrangler', 'config', 'default.toml'),
    home && join(home, '.aws', 'credentials'),
    join(cwd, '.dev.vars'),
    join(cwd, '.env'),
  ];
  return candidates.filter((path): path is string => typeof path === 'string' && existsSync(path));
}
