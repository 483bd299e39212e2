import { expect, it } from 'vitest';
import { expectKilledReconcileToComplete, expectKilledWatchToTellAll } from '../support/fleet-kills.ts';
import { openServed } from '../support/served.ts';

const fleet = { count: 600, kills: 30, random: Math.random };

it('a plan that is killed thirty times and begun again does each step once', async () => {
  const served = await openServed(99_999);
  try {
    await expectKilledReconcileToComplete(served, fleet);
    expect(served.proxy.passed.length).toBeGreaterThan(900);
  } finally {
    await served.close();
  }
});

it('a watch that is killed thirty times and begun again loses no change, and tells none as another', async () => {
  const served = await openServed(99_999);
  try {
    await expectKilledWatchToTellAll(served, fleet);
  } finally {
    await served.close();
  }
});
