import { Problem } from '../model/problem.ts';
import { readReadOnlyVariable } from '../services/session/read-only.ts';
import type { World } from '../world.ts';
import type { GlobalFlags } from './parsing/flags.ts';

/** Rejects commands that make changes if a flag or the environment sets read-only mode. */
export function refuseReadOnly(words: string, flags: Pick<GlobalFlags, 'read-only'>, { env }: World): void {
  const reason = flags['read-only']
    ? '--read-only'
    : readReadOnlyVariable(env)
      ? 'EDGECTL_READ_ONLY'
      : undefined;
  if (reason === undefined) return;
  const how = flags['read-only'] ? '' : ` (${reason})`;
  throw new Problem('read-only', `Read-only${how}: edgectl ${words} changes data; nothing was sent.`);
}
