import { type Fact, known, unknown } from '../../model/diagnosis/facts.ts';
import { asProblem, type ProblemCode } from '../../model/problem.ts';

/** Error codes that stop the whole run. */
const fatalCodes: ReadonlySet<ProblemCode> = new Set(['interrupted', 'not-signed-in', 'bug']);

/**
 * Returns the result of `gather` as a known fact, or its failure as an unknown fact with the reason. Throws only failures that stop the
 * whole run (`fatalCodes`).
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
