import { afterEach, expect, test } from 'vitest';
import { closePtys } from '../support/pty.ts';
import { letMonkeyAt } from '../terminal/monkey.ts';

afterEach(closePtys);

/** `MONKEY_MINUTES=10 npm run test:soak -- monkey`; `MONKEY_SEED` repeats the same input. */
const minutes = Number(process.env['MONKEY_MINUTES'] ?? 60);

/** Maximum memory in MiB of a console that has shown all screens. An empty console takes 160 MiB. */
const budget = 220;

/** Milliseconds until the test fails: ten minutes longer than the monkey runs. */
const timeoutMs = (minutes + 10) * 60_000;

test(
  'survives random input for an hour next to a second console without a failure, and without memory growth in either console',
  async () => {
    const seed = Number(process.env['MONKEY_SEED'] ?? Date.now() % 1_000_000);
    console.log(`seed ${seed}`);
    const { memory, ...report } = await letMonkeyAt(seed, minutes * 60_000, {
      quitsOneIn: 150,
      beside: true,
    });
    const long = memory.filter((views) => views.length >= 40).map(getQuarters);
    console.log({ ...report, most: Math.max(...memory.flat()), long });
    expect(Math.max(...memory.flat())).toBeLessThan(budget);
    for (const [, second = 0, , last = 0] of long) expect(last).toBeLessThan(second + 40);
  },
  timeoutMs,
);

/** Returns the median of each quarter. In the first quarter, memory grows until the console has shown most screens. */
function getQuarters(views: readonly number[]): number[] {
  return [0, 1, 2, 3].map((quarter) => {
    const part = views.slice((quarter * views.length) / 4, ((quarter + 1) * views.length) / 4);
    return part.toSorted((one, other) => one - other)[Math.floor(part.length / 2)] ?? 0;
  });
}
