import type { Problem } from '../../model/problem.ts';
import { type FailureJson, failureJson } from '../../text/problem.ts';
import { remedyWords } from './remedy-words.ts';

/** The failure of one of many things, for the field `error` beside it in a JSON answer: as the error on stderr has it. */
export function failureOf(problem: Problem): FailureJson {
  return failureJson(problem, remedyWords);
}
