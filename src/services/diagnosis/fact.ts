import { type Fact, known, unknown } from '../../model/diagnosis/facts.ts';
import { asProblem, type ProblemCode } from '../../model/problem.ts';

/** Failures that are about the whole run and not about one fact. */
const general: ReadonlySet<ProblemCode> = new Set(['interrupted', 'not-signed-in', 'bug']);

/** A known fact, or an unknown one with the reason of the failure. Throws only what ends the whole run (`general`). */
export async function factOf<T>(gather: () => Promise<T>): Promise<Fact<T>> {
  try {
    return known(await gather());
  } catch (error) {
    const problem = asProblem(error);
    if (general.has(problem.code)) throw error;
    return unknown(problem.message.replace(/\.$/, ''));
  }
}
