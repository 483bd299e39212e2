import process from 'node:process';

/** Whether tests play all that they have. `npm run test:soak` has them do so, in the files that its configuration names. */
const isWhole = process.env['EDGECTL_TESTS'] === 'whole';

/** One of so many cases, evenly, beginning with the first; all of them in the soak. */
export function inPart<T>(cases: readonly T[], every: number): readonly T[] {
  return isWhole ? cases : cases.filter((_, at) => at % every === 0);
}

/** How many rounds of what goes by chance are played: all of them in the soak, else one of so many. */
export function roundsInPart(rounds: number, every: number): number {
  return isWhole ? rounds : Math.ceil(rounds / every);
}

/** Declares tests in the soak only. What proves the same in `npm test`, for less, stands beside them. */
export function inSoak(declare: () => void): void {
  if (isWhole) declare();
}
