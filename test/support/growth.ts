import { expect } from 'vitest';

/** Minimum milliseconds of a measurement; in shorter measurements, noise from the machine dominates. */
const minTimeMs = 5;

/**
 * Expects that work takes about four times as long for four times as much input; quadratic work takes sixteen times as long. Measures again
 * if a busy machine has disturbed the result.
 */
export async function expectLinear(size: number, work: (size: number) => unknown): Promise<void> {
  const seen: string[] = [];
  if ((await measureTime(() => work(size * 4))) < minTimeMs * 9) return;
  for (let attempt = 0; attempt < 4; attempt++) {
    const once = await shortest(size, work);
    const four = await shortest(size * 4, work);
    if (four / Math.max(once, minTimeMs) < 9) return;
    seen.push(`${once} ms, then ${four} ms`);
  }
  expect.fail(`four times as much took more than nine times as long: ${seen.join('; ')}`);
}

/** Returns the shortest time of a few rounds. */
async function shortest(size: number, work: (size: number) => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 4; round++) {
    least = Math.min(least, await measureTime(() => work(size)));
  }
  return least;
}

/** Returns the processor time in milliseconds that the work takes in this process. */
export async function measureTime(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
