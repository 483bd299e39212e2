import type { Attention } from '../../src/model/hostnames/attention.ts';
import type { Severity } from '../../src/model/severity.ts';
import type { Tone } from './messages.ts';
import type { Role } from './theme.ts';

/** The sign and the role of each tone. The signs distinguish the tones without colors. */
export const tones: Readonly<Record<Tone, { readonly sign: string; readonly role: Role }>> = {
  done: { sign: '✓', role: 'good' },
  told: { sign: '·', role: 'badge' },
  refused: { sign: '!', role: 'warning' },
  failed: { sign: '✗', role: 'fault' },
};

/** The text role of each severity. */
export const severityRoles: Readonly<Record<Severity, Role>> = {
  critical: 'critical',
  error: 'fault',
  warn: 'warning',
  progress: 'pending',
  info: 'plain',
  ok: 'good',
};

/** Returns the role of a hostname's state, by its severity. */
export function stateRole(attention: Pick<Attention, 'severity'> | undefined): Role {
  return severityRoles[attention?.severity ?? 'ok'];
}
