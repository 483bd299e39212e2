import { it } from 'vitest';
import { expectKilledReconcileToComplete } from '../support/fleet-kills.ts';
import { openServed } from '../support/served.ts';

it('runs each step of a plan once, even if edgectl is killed while it applies the plan, and restarted', async () => {
  const served = await openServed(99_999);
  try {
    await expectKilledReconcileToComplete(served, { count: 10, kills: 1, random: () => 0.4 });
  } finally {
    await served.close();
  }
});
