import { expect, it } from 'vitest';
import { expectKilledPutToComplete } from '../support/kills.ts';
import { openServed } from '../support/served.ts';

it('a put that is killed fifty times and resumed stores all entries, and repeats nothing confirmed', async () => {
  const served = await openServed();
  try {
    const held = await expectKilledPutToComplete(served, {
      entries: 50_000,
      batchSize: 100,
      kills: 50,
      random: Math.random,
    });
    expect(held).toHaveLength(50);
    expect(new Set(held).size).toBeGreaterThan(10);
  } finally {
    await served.close();
  }
});
