import type { Advice } from '../problem.ts';
import type { ValueOf } from '../shape.ts';
import type { checkFacts } from './check-shape.ts';

export const grades = ['ok', 'warning', 'wrong'] as const;

/** `wrong`: commands do not work. `warning`: the state may be intentional. */
export type Grade = (typeof grades)[number];

/** The facts of a check; all are optional. */
export type CheckFacts = {
  readonly [Name in keyof typeof checkFacts]?: ValueOf<(typeof checkFacts)[Name]> | undefined;
};

/** One check of `edgectl doctor`. */
export interface DoctorCheck extends Advice {
  /** The check's name, stable across versions: `credentials`, `permission-kv`. */
  readonly name: string;
  readonly grade: Grade;
  /** Whether part of the result is unknown. */
  readonly isUnknown?: boolean;
  /** The result as a sentence without its full stop; may contain untrusted data. */
  readonly message: string;
  /** The facts of the message, as data. */
  readonly facts?: CheckFacts;
}

/** Returns the most severe grade of the given checks. */
export function worstGrade(checks: readonly DoctorCheck[]): Grade {
  if (checks.some(({ grade }) => grade === 'wrong')) return 'wrong';
  return checks.some(({ grade }) => grade === 'warning') ? 'warning' : 'ok';
}

/** Creates checks of each grade; a warning or failure includes advice. */
export const check = {
  ok: (name: string, message: string, facts?: CheckFacts): DoctorCheck =>
    makeCheck('ok', name, message, facts),
  /** Creates a check that found no problem, but whose result is partly unknown. */
  unknown: (name: string, message: string, facts?: CheckFacts): DoctorCheck => ({
    ...makeCheck('ok', name, message, facts),
    isUnknown: true,
  }),
  warning: (name: string, message: string, advice: Advice, facts?: CheckFacts): DoctorCheck => ({
    ...makeCheck('warning', name, message, facts),
    ...advice,
  }),
  wrong: (name: string, message: string, advice: Advice, facts?: CheckFacts): DoctorCheck => ({
    ...makeCheck('wrong', name, message, facts),
    ...advice,
  }),
};

function makeCheck(grade: Grade, name: string, message: string, facts: CheckFacts | undefined): DoctorCheck {
  return { name, grade, message, ...(facts !== undefined && { facts }) };
}
