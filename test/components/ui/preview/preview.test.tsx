import { expect, test } from 'vitest';
import { Pulse } from '../../../../components/kit/pulse.ts';
import type { Screen } from '../../../support/screen.ts';
import { sleepers } from '../../../support/sleepers.ts';
import { fillDemo, openKeys, sessions } from '../../open-console.tsx';

const wide = { columns: 120, rows: 30 };

/** Returns the keys whose values were requested. */
const asked = (calls: readonly string[]) =>
  calls.flatMap((call) => /^readValueStart \S+ (.*)$/.exec(call)?.[1] ?? []);

test('shows the value of the selected key next to the list, under its name', async () => {
  const app = await openKeys(wide);
  await app.go([], '89 50 4e 47');
  await app.go(['down'], '"name": "Ada",');
  expect(app.screen.lines()[2]).toMatch(/╮╭─ user:1 ─+ 38 B, JSON ─╮$/);
  expect(app.screen.selected()).toMatch(/^user:1 /);
});

/** Opens the console on keys, with sleeps that the test controls, and waits until the first value is on the screen. */
async function openAsleep() {
  const clock = sleepers();
  const app = await openKeys({ ...wide, sleep: clock.sleep, settings: { refresh: 'off' } });
  const rest = async (wanted: string) => {
    await expect.poll(() => clock.count()).toBe(2);
    clock.pass(120);
    await app.go([], wanted);
  };
  await rest('89 50 4e 47');
  return { ...app, clock, rest };
}

const selects = (name: string) => (screen: Screen) => screen.selected()?.startsWith(name) ?? false;

test('requests only the row on which the cursor stays, and only once', async () => {
  const app = await openAsleep();
  await app.go(['down'], selects('user:1'));
  await app.go(['down'], selects('user:2'));
  await app.rest('second line');
  expect(asked(app.kv.calls)).toEqual(['image', 'user:2']);
  await app.go(['g'], '89 50 4e 47');
  await app.go(['G'], 'second line');
  expect(asked(app.kv.calls)).toEqual(['image', 'user:2']);
  expect(app.clock.count()).toBe(0);
});

test('requests nothing if there is no room next to the list', async () => {
  const app = await openKeys({ ...wide, columns: 99 });
  await app.go(['down'], selects('user:1'));
  await app.go(['enter'], '"name": "Ada"');
  expect(asked(app.kv.calls)).toEqual([]);
});

test('runs presses while a value is loading, and drops a late result', async () => {
  const app = await openAsleep();
  const release = app.kv.hold('readValueStart');
  await app.go(['down'], selects('user:1'));
  expect(app.screen.text()).toContain('─ image ─');
  await expect.poll(() => app.clock.count()).toBe(2);
  app.clock.pass(370);
  await app.screen.waitFor((screen) => / user:1 ─.*\n.*Reading…/.test(screen.text()));
  await app.go(['down'], selects('user:2'));
  await expect.poll(() => app.clock.count()).toBe(2);
  release();
  app.clock.pass(120);
  await app.go([], 'second line');
  expect(app.screen.text()).not.toContain('Ada');
});

test('rereads a row that was changed', async () => {
  const app = await openKeys(wide);
  await app.go(['down', 'down'], 'second line');
  await app.go(['g'], '89 50 4e 47');
  app.kv.put(sessions, 'user:2', 'another text');
  await app.go(['r'], (screen) => !screen.text().includes('2h'));
  await app.go(['G'], 'another text');
});

test('clears the preview when no key is selected', async () => {
  const app = await openKeys(wide);
  await app.go(['down', 'down'], 'second line');
  await app.go(['/', ...'nothing like it', 'enter'], 'No key matches');
  await app.screen.waitFor((screen) => !screen.text().includes('second line'));
  expect(app.screen.lines()[2]).not.toContain('user:2');
  await app.go(['esc'], '89 50 4e 47');
});

test('shows an error in the preview, and continues with the next row', async () => {
  const app = await openKeys({
    ...wide,
    fill: (kv) => {
      fillDemo(kv);
      kv.remove(sessions, 'none');
    },
  });
  await app.go([], '89 50 4e 47');
  app.kv.remove(sessions, 'user:1');
  await app.go(['down'], 'This key was deleted');
  await app.go(['down'], 'second line');
});

test('hides and shows the preview with one key, and draws lists at full width without a preview', async () => {
  const app = await openKeys(wide);
  await app.go([], '89 50 4e 47');
  await app.go(['|'], (screen) => /^╭─ demo-sessions ─+ 3 keys ─╮$/m.test(screen.text()));
  await app.go(['down'], (screen) => screen.selected()?.startsWith('user:1') ?? false);
  expect(asked(app.kv.calls)).toEqual(['image']);
  await app.go(['|'], '"name": "Ada",');
});

test.each([
  [
    { columns: 80, rows: 30 },
    'Previews are off. A list with previews needs 100 columns; this screen has 80.',
  ],
  [{ columns: 120, rows: 15 }, 'Previews are off. A list with previews needs 16 rows; this screen has 15.'],
])('explains why there is no preview on a small screen: %j', async (size, words) => {
  const app = await openKeys(size);
  await app.go(['|'], words);
});

test('sends no request for a preview while few requests are left, and explains this; the item can still be opened', async () => {
  let left = 74;
  const pulse = new Pulse({ retries: () => 0, requestsLeft: () => ({ left, of: 300 }) });
  const app = await openKeys({ ...wide, pulse });
  await app.go([], 'only 74 requests are left');
  expect(app.screen.lines()[0]).toMatch(/ok · 74 requests left$/);
  expect(asked(app.kv.calls)).toEqual([]);
  left = 75;
  await app.go(['down'], '"name": "Ada",');
});
