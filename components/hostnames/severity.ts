import type { Attention } from '../../src/model/hostnames/attention.ts';
import type { Role } from '../kit/theme.ts';
import { severityRoles } from '../kit/tones.ts';

/** Returns the text role of a hostname's state. The role depends on the severity: a row has only one colour. */
export function stateRole(attention: Pick<Attention, 'severity'> | undefined): Role {
  return severityRoles[attention?.severity ?? 'ok'];
}
