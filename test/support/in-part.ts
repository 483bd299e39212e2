import process from 'node:process';

/** Whether tests run all their cases, as `npm run test:soak` does for the files in its configuration. */
const isWhole = process.env['EDGECTL_TESTS'] === 'whole';

/** Returns every n-th case, starting with the first; in the soak test, all cases. */
export function sampleCases<T>(cases: readonly T[], every: number): readonly T[] {
  return isWhole ? cases : cases.filter((_, at) => at % every === 0);
}

/** Returns the number of random rounds: in the soak test all rounds, otherwise a fraction. */
export function roundsInPart(rounds: number, every: number): number {
  return isWhole ? rounds : Math.ceil(rounds / every);
}

/** Declares tests only for the soak test. In `npm test`, cheaper tests in the same file check the same behavior. */
export function inSoak(declare: () => void): void {
  if (isWhole) declare();
}
