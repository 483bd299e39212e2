import type { Advice } from '../problem.ts';

/** `wrong` prevents commands from working; a `warning` may be intended. */
export type Grade = 'ok' | 'warning' | 'wrong';

/** One check of the doctor. */
export interface DoctorCheck extends Advice {
  /** Stays the same from version to version: `credentials`, `permission-kv`. */
  readonly name: string;
  readonly grade: Grade;
  /** Whether part of it could not be found out: it is neither well nor wrong. */
  readonly isUnknown?: boolean;
  /** A sentence without its full stop; it may hold names from outside. */
  readonly message: string;
  /** The same for programs. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

/** The worst grade of some checks. */
export function worstGrade(checks: readonly DoctorCheck[]): Grade {
  if (checks.some(({ grade }) => grade === 'wrong')) return 'wrong';
  return checks.some(({ grade }) => grade === 'warning') ? 'warning' : 'ok';
}

/** Makes a check of each grade; what is graded down says what to do. */
export const check = {
  ok: (name: string, message: string, facts?: DoctorCheck['facts']): DoctorCheck =>
    of('ok', name, message, facts),
  /** Nothing is found wrong, and not all of it is known. */
  unknown: (name: string, message: string, facts?: DoctorCheck['facts']): DoctorCheck => ({
    ...of('ok', name, message, facts),
    isUnknown: true,
  }),
  warning: (name: string, message: string, advice: Advice, facts?: DoctorCheck['facts']): DoctorCheck => ({
    ...of('warning', name, message, facts),
    ...advice,
  }),
  wrong: (name: string, message: string, advice: Advice, facts?: DoctorCheck['facts']): DoctorCheck => ({
    ...of('wrong', name, message, facts),
    ...advice,
  }),
};

function of(grade: Grade, name: string, message: string, facts: DoctorCheck['facts']): DoctorCheck {
  return { name, grade, message, ...(facts !== undefined && { facts }) };
}
