import { expect } from 'vitest';

/** Less than this, in milliseconds, is taken for it: of so little, the machine's own unrest is the larger part. */
const leastTime = 5;

/**
 * Expects work on four times as much to take about four times as long: what is quadratic takes sixteen times, however often
 * it is measured. What a busy machine has spoilt is measured again.
 */
export async function expectLinear(size: number, work: (size: number) => unknown): Promise<void> {
  const seen: string[] = [];
  if ((await timeOf(() => work(size * 4))) < leastTime * 9) return;
  for (let attempt = 0; attempt < 4; attempt++) {
    const once = await shortest(size, work);
    const four = await shortest(size * 4, work);
    if (four / Math.max(once, leastTime) < 9) return;
    seen.push(`${once} ms, then ${four} ms`);
  }
  expect.fail(`four times as much took more than nine times as long: ${seen.join('; ')}`);
}

/** The shortest time of a few rounds. */
async function shortest(size: number, work: (size: number) => unknown): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 4; round++) {
    least = Math.min(least, await timeOf(() => work(size)));
  }
  return least;
}

/** Milliseconds of processor time. Others on the machine do not count. */
export async function timeOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
