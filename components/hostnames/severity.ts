import type { Severity } from '../../src/model/diagnosis/finding.ts';
import type { Role } from '../kit/theme.ts';

/** How the word for how grave something is stands out. */
export const severityRoles: Readonly<Record<Severity, Role>> = {
  critical: 'fault',
  error: 'fault',
  warn: 'warning',
  progress: 'badge',
  info: 'plain',
  ok: 'good',
};
