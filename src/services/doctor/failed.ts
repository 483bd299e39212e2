import { check, type DoctorCheck } from '../../model/doctor/check.ts';
import { asProblem } from '../../model/problem.ts';

/** Converts an error to a failed check with the error's advice. Rethrows interruptions and bugs. */
export function failedCheck(name: string, error: unknown): DoctorCheck {
  const { code, message, hint, remedy, status } = asProblem(error);
  if (code === 'interrupted' || code === 'bug') throw error;
  const facts = { code, ...(status !== undefined && { status }) };
  return check.wrong(name, message.replace(/\.$/, ''), { hint, remedy }, facts);
}
