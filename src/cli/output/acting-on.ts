import { mayBeEmbedded } from '../../model/where.ts';
import type { Session } from '../../services/session/session.ts';

/**
 * A sentence that says where something is changed, and as whom. What an embedded platform may answer is not called
 * production.
 *
 * @param path of the call that is about to change something; it names the account or the zone
 */
export function actingOn(
  { where, target, label, boundBy }: Pick<Session, 'where' | 'target' | 'label' | 'boundBy'>,
  path: string,
): string {
  const [, kind, id] = /^\/(account|zone)s\/([^/?]+)/.exec(path) ?? [];
  if (where.kind === 'local' || kind === undefined) return `Acting on ${label}.`;
  const by = boundBy === undefined ? '' : ` (${boundBy})`;
  const whose = `${kind} ${id} of ${label}${by}`;
  if (!mayBeEmbedded(where)) return `Acting on ${target}: ${whose}.`;
  const at = where.kind === 'remote' ? `, at ${where.baseUrl}` : '';
  return `Acting on ${target === 'production' ? '' : `${target}: `}${whose}${at}.`;
}
