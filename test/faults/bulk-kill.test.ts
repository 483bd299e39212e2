import { expect, it } from 'vitest';
import { expectKilledPutToComplete } from '../support/kills.ts';
import { openServed } from '../support/served.ts';

it('stores all 3,000 entries after two kills and a resume, and sends no confirmed entry again', async () => {
  const served = await openServed();
  try {
    const held = await expectKilledPutToComplete(served, {
      entries: 3000,
      batchSize: 100,
      kills: 2,
      random: Math.random,
    });
    expect(held).toHaveLength(2);
    expect(held).toEqual(held.toSorted((a, b) => a - b));
  } finally {
    await served.close();
  }
});
