import { afterEach, expect, test } from 'vitest';
import { closePtys } from '../support/pty.ts';
import { letMonkeyAt } from '../terminal/monkey.ts';

afterEach(closePtys);

const minutes = Number(process.env['MONKEY_MINUTES'] ?? 60);

test('a monkey breaks nothing in an hour, and the memory of no console grows', async () => {
  const seed = Number(process.env['MONKEY_SEED'] ?? Date.now() % 1_000_000);
  console.log(`seed ${seed}`);
  const { memory, ...report } = await letMonkeyAt(seed, minutes * 60_000);
  console.log(report);
  const quarter = Math.floor(memory.length / 4);
  const most = (part: readonly number[]) => Math.max(...part);
  expect(most(memory.slice(-quarter))).toBeLessThan(most(memory.slice(0, quarter)) + 60);
});
