import { expect, it } from 'vitest';
import { expectKilledPutToComplete } from '../support/kills.ts';
import { openServed } from '../support/served.ts';

it('a put of 5,000 entries that is killed three times and resumed stores them all, and repeats nothing confirmed', async () => {
  const served = await openServed();
  try {
    const held = await expectKilledPutToComplete(served, {
      entries: 5000,
      batchSize: 100,
      kills: 3,
      random: Math.random,
    });
    expect(held).toHaveLength(3);
    expect(held).toEqual(held.toSorted((a, b) => a - b));
  } finally {
    await served.close();
  }
});
