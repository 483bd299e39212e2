import { expect } from 'vitest';
import { expectKilledPutToComplete } from '../../support/kills.ts';
import { trial } from '../../support/reliability/trial.ts';
import { openServed } from '../../support/served.ts';

trial('bulk put', async ({ chance, size, attempted, remark }) => {
  const served = await openServed();
  try {
    const entries = size * 1000;
    const put = { entries, batchSize: 100, kills: size, random: chance.next };
    const held = await expectKilledPutToComplete(served, put);
    attempted(held.length);
    remark(`${entries.toLocaleString('en')} entries; no confirmed entry was sent again`);
    // The kills happened at different points of the work.
    expect(new Set(held).size).toBeGreaterThan(size / 5);
  } finally {
    await served.close();
  }
});
