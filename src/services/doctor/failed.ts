import { check, type DoctorCheck } from '../../model/doctor/check.ts';
import { asProblem } from '../../model/problem.ts';

/** A check that failed, with the advice of its failure. Throws what was interrupted, and a fault of ours. */
export function failedCheck(name: string, error: unknown): DoctorCheck {
  const { code, message, hint, remedy, status } = asProblem(error);
  if (code === 'interrupted' || code === 'bug') throw error;
  const facts = { code, ...(status !== undefined && { status }) };
  return check.wrong(name, message.replace(/\.$/, ''), { hint, remedy }, facts);
}
