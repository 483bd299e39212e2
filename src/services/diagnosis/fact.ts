import { type Fact, known, unknown } from '../../model/diagnosis/facts.ts';
import { asProblem, type ProblemCode } from '../../model/problem.ts';

/** Failures that concern the whole run, not one fact. */
const fatalCodes: ReadonlySet<ProblemCode> = new Set(['interrupted', 'not-signed-in', 'bug']);

/**
 * Returns a known fact, or an unknown fact with the failure's reason. Throws only failures that end the whole run
 * (`general`).
 */
export async function gatherFact<T>(gather: () => Promise<T>): Promise<Fact<T>> {
  try {
    return known(await gather());
  } catch (error) {
    const problem = asProblem(error);
    if (fatalCodes.has(problem.code)) throw error;
    return unknown(problem.message.replace(/\.$/, ''));
  }
}
