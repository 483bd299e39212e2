import { Problem } from '../../model/problem.ts';
import type { Remedy } from '../../model/remedy.ts';
import type { World } from '../../world.ts';
import type { Backend } from './backend.ts';
import type { ReadOnlyReason } from './guards.ts';
import type { Choice } from './session.ts';

/**
 * Returns why a session is read-only; undefined if the session can change data. Checks the choice, EDGECTL_READ_ONLY, the profile, and the
 * setting read-only, in this order. Each source can forbid changes, but none can allow changes that another source forbids.
 */
export async function readOnlyReason(
  { env, folders }: Pick<World, 'env' | 'folders'>,
  { readOnly, preview }: Pick<Choice, 'readOnly' | 'preview'>,
  { where, readOnlyProfile, boundBy = '' }: Pick<Backend, 'where' | 'readOnlyProfile' | 'boundBy'>,
): Promise<ReadOnlyReason | undefined> {
  if (readOnly) return { description: 'set for this session' };
  if (readReadOnlyVariable(env) === true) return { description: 'EDGECTL_READ_ONLY' };
  const remedy: Remedy = { kind: 'allow-changes' };
  if (readOnlyProfile === 'own') return { description: 'its profile is read-only', remedy };
  if (readOnlyProfile === 'chosen') return { description: 'the active profile is read-only', remedy };
  if (readOnlyProfile === 'not-accepted')
    return {
      description: `the profile has not been accepted in ${boundBy}`,
      remedy: { kind: 'accept-profile', file: boundBy },
    };
  if (where.kind !== 'remote' || preview) return undefined;
  const { loadSettings } = await import('./settings.ts');
  return loadSettings({ folders })['read-only'] === 'production'
    ? { description: 'the setting read-only', remedy }
    : undefined;
}

/**
 * Returns the value of EDGECTL_READ_ONLY; undefined if the variable is empty or not set. Accepts 1, true, yes and on, or 0, false, no and
 * off, and throws for any other value.
 */
export function readReadOnlyVariable(env: World['env']): boolean | undefined {
  const text = env['EDGECTL_READ_ONLY']?.toLowerCase() ?? '';
  if (text === '') return undefined;
  if (['1', 'true', 'yes', 'on'].includes(text)) return true;
  if (['0', 'false', 'no', 'off'].includes(text)) return false;
  throw new Problem('usage', `EDGECTL_READ_ONLY must be 1 or 0, not "${text}".`);
}
