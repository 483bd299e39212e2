import { afterEach, expect, test } from 'vitest';
import { closePtys } from '../support/pty.ts';
import { letMonkeyAt } from '../terminal/monkey.ts';

afterEach(closePtys);

/** `MONKEY_MINUTES=10 npm run test:soak -- monkey`; `MONKEY_SEED` gives the same input again. */
const minutes = Number(process.env['MONKEY_MINUTES'] ?? 60);

/** What a console that has shown everything may take, in MiB. It is 160 where nothing lies about. */
const budget = 220;

/** As long as a test of the soak may take is as long as the monkey plays: it could never end. */
const patience = (minutes + 10) * 60_000;

test(
  'a monkey breaks nothing in an hour, and the memory of no console grows',
  async () => {
    const seed = Number(process.env['MONKEY_SEED'] ?? Date.now() % 1_000_000);
    console.log(`seed ${seed}`);
    const { memory, ...report } = await letMonkeyAt(seed, minutes * 60_000, { quitsOneIn: 150 });
    const long = memory.filter((looks) => looks.length >= 40).map(quartersOf);
    console.log({ ...report, most: Math.max(...memory.flat()), long });
    expect(Math.max(...memory.flat())).toBeLessThan(budget);
    for (const [, second = 0, , last = 0] of long) expect(last).toBeLessThan(second + 40);
  },
  patience,
);

/** The median of each quarter: of the first one it is what a console takes until it has shown this and that. */
function quartersOf(looks: readonly number[]): number[] {
  return [0, 1, 2, 3].map((quarter) => {
    const part = looks.slice((quarter * looks.length) / 4, ((quarter + 1) * looks.length) / 4);
    return part.toSorted((one, other) => one - other)[Math.floor(part.length / 2)] ?? 0;
  });
}
