import { afterEach, expect, test } from 'vitest';
import { roundsInPart } from '../support/in-part.ts';
import { closePtys } from '../support/pty.ts';
import { letMonkeyAt } from './monkey.ts';

afterEach(closePtys);

test('survives random input for a few seconds', async () => {
  const { writes, memory } = await letMonkeyAt(20261122, roundsInPart(6000, 3));
  expect(writes).toBeGreaterThan(0);
  expect(Math.max(...memory.flat())).toBeLessThan(500);
}, 120_000);
