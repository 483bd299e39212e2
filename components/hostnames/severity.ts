import type { Severity } from '../../src/model/diagnosis/finding.ts';
import type { Role } from '../kit/theme.ts';

/** The text role of each severity. */
export const severityRoles: Readonly<Record<Severity, Role>> = {
  critical: 'fault',
  error: 'fault',
  warn: 'warning',
  progress: 'pending',
  info: 'plain',
  ok: 'good',
};
