import { expect } from 'vitest';
import { expectKilledReconcileToComplete, expectKilledWatchToTellAll } from '../../support/fleet-kills.ts';
import { trial } from '../../support/reliability/trial.ts';
import { openServed } from '../../support/served.ts';

trial('reconcile', async ({ chance, size, attempted, remark }) => {
  const served = await openServed(99_999);
  try {
    const count = size * 20;
    await expectKilledReconcileToComplete(served, { count, kills: size, random: chance.next });
    expect(served.proxy.passed.length).toBeGreaterThan(count * 1.5);
    attempted(size);
    remark(`${(count * 1.5).toLocaleString('en')} steps of a plan, each done once`);
  } finally {
    await served.close();
  }
});

trial('watch', async ({ chance, size, attempted, remark }) => {
  const served = await openServed(99_999);
  try {
    const count = size * 20;
    await expectKilledWatchToTellAll(served, { count, kills: size, random: chance.next });
    attempted(size);
    remark(`${count.toLocaleString('en')} changes; each was reported, and repeated reports had the same id`);
  } finally {
    await served.close();
  }
});
