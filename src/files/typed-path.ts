import { join, resolve } from 'node:path';
import type { World } from '../world.ts';

/** The absolute path that a person means who types one where no shell reads it: `~` is their home. */
export function typedPath({ cwd, env }: Pick<World, 'cwd' | 'env'>, typed: string): string {
  const home = env['HOME'] ?? '';
  const isInHome = home !== '' && (typed === '~' || typed.startsWith('~/'));
  return isInHome ? join(home, typed.slice(1)) : resolve(cwd, typed);
}
