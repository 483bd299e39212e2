import { shortText } from '../../model/long-text.ts';
import { Problem } from '../../model/problem.ts';
import { unknownOutcome } from '../../v4/unknown-outcome.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Throws if the response to a write contradicts the request. Ignores fields that were not requested, and fields that the response omits.
 * `what` describes the write, for example `Creating the namespace "x"`.
 */
export function checkAnswer(what: string, asked: Fields, answered: unknown): void {
  if (typeof answered !== 'object' || answered === null) return;
  const answeredFields = new Map(Object.entries(answered));
  for (const [name, expected] of Object.entries(asked)) {
    const given = answeredFields.get(name);
    if (expected === undefined || given === undefined || given === null || given === expected) continue;
    throw unconfirmedProblem(what, `${name} ${quoted(given)} instead of ${quoted(expected)}`);
  }
}

/** Returns the error for a response that does not confirm the requested change. `answer` describes the response. */
export function unconfirmedProblem(what: string, answer: string): Problem {
  return new Problem('refused', `${what}: the platform responded with ${answer}.`, { hint: unknownOutcome });
}

function quoted(value: unknown): string {
  return shortText(JSON.stringify(value) ?? String(value), 200);
}
