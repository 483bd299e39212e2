import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { LiveSwitch } from '../../../../components/kit/live-switch.ts';
import { LiveReading } from '../../../../components/ui/live/live-reading.ts';
import { platformBudget } from '../../../../src/model/budget.ts';
import { openRequestPacer, withPace } from '../../../../src/v4/budget.ts';
import type { Call } from '../../../../src/v4/send.ts';
import { sleepers } from '../../../support/sleepers.ts';

const call: Call = { method: 'GET', path: '/x', headers: {}, repeatable: true };
const windowMs = platformBudget.seconds * 1000;
const stepMs = 500;

/** Opens an account's request budget, and views that find a change at each reading, so that the intervals of the views never grow. */
function openViews(costs: readonly number[]) {
  const clock = sleepers();
  const at = { now: 1_000_000 };
  const now = () => at.now;
  const sent: number[] = [];
  const pacer = openRequestPacer({ budget: platformBudget, now, sleep: clock.sleep });
  const send = withPace(async () => {
    sent.push(now());
    return { status: 200, headers: {}, body: new Uint8Array() };
  }, pacer);
  const left = () => pacer.requestsLeft() ?? { left: 0, of: 1 };
  for (const cost of costs) {
    const reading: LiveReading = new LiveReading({
      world: { now, sleep: clock.sleep },
      live: new LiveSwitch(true),
      pulse: { requestsLeft: left },
      cost: () => cost,
      readAt: () => undefined,
      async read() {
        for (let request = 0; request < cost; request++) await send(call);
        reading.ended('changed');
      },
      changed: () => undefined,
    });
    reading.follow(true);
  }
  return {
    sent,
    left,
    send: () => send(call),
    async pass(milliseconds: number) {
      for (let passed = 0; passed < milliseconds; passed += stepMs) {
        at.now += stepMs;
        clock.pass(stepMs);
        await setImmediate();
      }
    },
  };
}

/** Returns the largest number of requests in any period of five minutes. */
function mostInWindow(sent: readonly number[]): number {
  return Math.max(...sent.map((from) => sent.filter((at) => at >= from && at < from + windowMs).length));
}

test('uses at most a tenth of the request budget for a list and its preview', async () => {
  const views = openViews([1, 1]);
  await views.pass(2 * windowMs);
  expect(mostInWindow(views.sent)).toBeLessThanOrEqual(platformBudget.requests / 10);
});

test.each([[[60, 60, 60]], [[1, 8, 20, 31, 60]]])(
  'leaves most of the budget when views that need %j requests are refreshed',
  async (costs) => {
    const views = openViews(costs);
    await views.pass(2 * windowMs);
    expect(mostInWindow(views.sent)).toBeLessThanOrEqual(platformBudget.requests / 2);
  },
);

test('never exceeds 1,200 requests in 5 minutes together with other work, and stops if few are left', async () => {
  const views = openViews([1, 8, 31]);
  await views.pass(windowMs);
  let own = 0;
  const work = async () => {
    for (; own < 2400; own++) await views.send();
  };
  const task = Promise.all(Array.from({ length: 10 }, work));
  await views.pass(windowMs);
  const before = { all: views.sent.length, own };
  await views.pass(windowMs / 2);
  expect(views.left().left).toBe(0);
  expect(views.sent.length - before.all).toBe(own - before.own);
  await views.pass(windowMs);
  await task;
  expect(mostInWindow(views.sent)).toBeLessThanOrEqual(platformBudget.requests);
});
