import { Problem } from '../../model/problem.ts';
import type { World } from '../../world.ts';
import type { Backend } from './backend.ts';
import type { Choice } from './session.ts';

/**
 * Why a session only reads, as half a sentence; undefined where it may change data. In this order: the choice,
 * EDGECTL_READ_ONLY (which also says no to what follows), the profile, the setting for production.
 */
export async function readOnlyReason(
  { env, folders }: Pick<World, 'env' | 'folders'>,
  { readOnly, preview }: Pick<Choice, 'readOnly' | 'preview'>,
  { where, readOnlyProfile }: Pick<Backend, 'where' | 'readOnlyProfile'>,
): Promise<string | undefined> {
  if (readOnly) return 'as this session was opened';
  const asked = readOnlyVariable(env);
  if (asked !== undefined) return asked ? 'EDGECTL_READ_ONLY' : undefined;
  if (readOnlyProfile === true) return 'its profile only reads';
  if (where.kind !== 'remote' || preview) return undefined;
  const { settingsOf } = await import('./settings.ts');
  return settingsOf({ folders })['read-only'] === 'production' ? 'the setting read-only' : undefined;
}

/** EDGECTL_READ_ONLY; undefined where it is not set. Refuses another word than yes or no. */
export function readOnlyVariable(env: World['env']): boolean | undefined {
  const text = env['EDGECTL_READ_ONLY']?.toLowerCase() ?? '';
  if (text === '') return undefined;
  if (['1', 'true', 'yes', 'on'].includes(text)) return true;
  if (['0', 'false', 'no', 'off'].includes(text)) return false;
  throw new Problem('usage', `EDGECTL_READ_ONLY is 1 or 0; this is "${text}".`);
}
