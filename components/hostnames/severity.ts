import type { Attention } from '../../src/model/hostnames/attention.ts';
import type { Role } from '../kit/theme.ts';

/** States that need attention although the hostname is in service. */
const inServiceStates: ReadonlySet<string> = new Set(['no TLS', 'renewal', 'warning']);

/**
 * Returns the text role of a hostname's state. The role depends only on the word, not on the severity, so that the same
 * word has the same colour in every row.
 */
export function stateRole(attention: Pick<Attention, 'state'> | undefined): Role {
  if (attention === undefined) return 'good';
  if (attention.state === 'pending') return 'pending';
  return inServiceStates.has(attention.state) ? 'warning' : 'fault';
}
