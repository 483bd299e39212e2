import { setTimeout } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { createServices } from '../../../../components/app/connection.ts';
import { openSession } from '../../../../src/services/session/open-session.ts';
import { plainChoice } from '../../../../src/services/session/session.ts';
import { sleepers } from '../../../support/sleepers.ts';
import { testWorld } from '../../../support/world.ts';
import { openConsole, testNow } from '../../open-console.tsx';
import { type OpenDemo, openDemo } from '../../open-platform.tsx';

/**
 * Creates a clock that the test advances; a sleep ends when the clock reaches the end of the sleep. The clock starts after a key in the
 * demo data has expired.
 */
function movableClock() {
  const clock = sleepers();
  let now = testNow + 300_000;
  return {
    sleep: clock.sleep,
    now: () => now,
    pass(milliseconds: number) {
      now += milliseconds;
      clock.pass(milliseconds);
    },
  };
}

/** Waits until nothing has been sent or drawn for a short time. */
async function settled({ calls, screen }: OpenDemo): Promise<void> {
  const state = () => `${calls.length} ${screen.raw.length}`;
  for (let before = '', equal = 0; equal < 4; await setTimeout(10)) {
    equal = before === state() ? equal + 1 : 0;
    before = state();
  }
}

const steps: ReadonlyArray<readonly [string, readonly string[], string]> = [
  ['Home', [], 'Needs attention'],
  ['keys', ['1', 'enter'], 'META'],
  ['a value', ['1', 'enter', 'enter'], 'Tab view'],
  ['objects', ['2', 'enter'], 'SIZE'],
  ['a hostname', ['3', 'end', 'enter'], 'Hostnames › '],
  ['a worker', ['4', 'enter'], 'Versions '],
];

test('refreshes every pane without drawing anything while nothing changes', async () => {
  const clock = movableClock();
  const app = await openDemo({ ...clock });
  const passTime = async (times: number) => {
    for (let time = 0; time < times; time++) {
      clock.pass(30_000);
      await settled(app);
    }
  };
  for (const [name, presses, shown] of steps) {
    for (const press of presses) {
      app.press(press);
      // Waits for the short delay before a preview is read.
      await settled(app);
      clock.pass(500);
      await settled(app);
    }
    await app.screen.waitFor(shown);
    await passTime(2);
    const before = app.calls.length;
    app.screen.raw = '';
    let minutes = 0;
    for (; app.calls.length === before && minutes < 5; minutes++) await passTime(2);
    expect(app.calls.length, `${name} is refreshed`).toBeGreaterThan(before);
    // The ages of hostnames are shown in minutes.
    const frames = app.screen.raw.split('\u001b[?2026l').length - 1;
    expect(frames, `frames of ${name}`).toBeLessThanOrEqual(/hostname/.test(name) ? minutes : 0);
  }
});

test('shows changes that a second console has made', async () => {
  const clock = movableClock();
  const one = await openDemo({ ...clock, opens: { pane: 'namespaces' } });
  await one.screen.waitFor('TITLE');
  const world = testWorld({ now: clock.now, folders: one.folders });
  const session = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  onTestFinished(() => session.close());
  const other = openConsole({
    ...clock,
    folders: one.folders,
    opens: { pane: 'namespaces' },
    services: createServices(session),
    label: { target: 'production' },
  });
  await other.screen.waitFor('TITLE');
  await other.go(['n', ...'made-beside', 'enter'], 'Created made-beside.');
  const passUntil = async (holds: () => boolean) => {
    while (!holds()) {
      clock.pass(5000);
      await setTimeout(20);
    }
  };
  await passUntil(() => one.screen.text().includes('made-beside'));
});
