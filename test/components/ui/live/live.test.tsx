import { expect, test } from 'vitest';
import { Pulse } from '../../../../components/kit/pulse.ts';
import { changedRange } from '../../../../components/ui/viewer/live-view.ts';
import { Problem } from '../../../../src/model/problem.ts';
import type { MemoryKv } from '../../memory-kv.ts';
import { fillDemo, type OpenConsole, openKeys, sessions, testNow, withKey } from '../../open-console.tsx';

/** Sleepers that a test wakes by their duration. */
function sleepers() {
  const asleep: { milliseconds: number; wake(): void }[] = [];
  const find = (milliseconds: number) => asleep.findIndex((one) => one.milliseconds === milliseconds);
  return {
    lengths: () => asleep.map(({ milliseconds }) => milliseconds),
    wake: (milliseconds: number) => asleep.splice(find(milliseconds), 1)[0]?.wake(),
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        // Sleeps of the preview are ignored.
        if (milliseconds < 1000) return resolve();
        const one = { milliseconds, wake: resolve };
        asleep.push(one);
        signal?.addEventListener('abort', () => {
          if (asleep.includes(one)) asleep.splice(asleep.indexOf(one), 1);
          reject(signal.reason);
        });
      }),
  };
}

function fresh({ screen }: OpenConsole): string[] {
  const rows = screen.lines().flatMap((_, row) => screen.stretches(row));
  return rows.filter(({ style }) => style === 'bold fore-10').map(({ text }) => text.trim());
}

const listed = (kv: MemoryKv) => kv.calls.filter((call) => call.startsWith('listKeys')).length;

test('rereads a visible list, keeps the selection, and briefly highlights new rows', async () => {
  const night = sleepers();
  const app = await openKeys({ sleep: night.sleep });
  expect(night.lengths()).toEqual([]);
  await app.go(['G', 'F'], 'live · 3 keys');
  expect(night.lengths()).toEqual([5000]);
  app.kv.put(sessions, 'a new one', 'x');
  night.wake(5000);
  await app.screen.waitFor('live · 4 keys');
  expect(app.screen.selected()).toContain('user:2');
  await app.screen.waitFor(() => fresh(app).includes('a new one'));
  expect(fresh(app)).toEqual(['a new one']);
  night.wake(3000);
  await app.screen.waitFor(() => fresh(app).length === 0);
  expect(night.lengths()).toEqual([5000]);
  const before = listed(app.kv);
  await app.go(['enter'], () => night.lengths().length === 0);
  await app.go(['esc'], () => night.lengths().length === 1);
  await app.go(['F'], (screen) => !screen.text().includes('live'));
  expect(night.lengths()).toEqual([]);
  expect(listed(app.kv)).toBe(before);
});

test('rereads a list in the background: the old rows stay until the new ones have arrived', async () => {
  const night = sleepers();
  const app = await openKeys({ sleep: night.sleep });
  await app.go(['F'], 'live · 3 keys');
  app.screen.raw = '';
  const before = listed(app.kv);
  const answer = app.kv.hold('listKeys');
  app.kv.put(sessions, 'a new one', 'x');
  night.wake(5000);
  await expect.poll(() => listed(app.kv)).toBeGreaterThan(before);
  await app.go(['j'], (screen) => screen.selected()?.includes('user:1') ?? false);
  expect(app.screen.text()).toContain('live · 3 keys');
  answer();
  await app.screen.waitFor('live · 4 keys');
  expect(app.screen.raw).not.toContain('oading');
});

test('rereads a value, keeps the position and folds, and highlights changes', async () => {
  const night = sleepers();
  const app = await openKeys({ sleep: night.sleep, fill: withKey('a', '{"state":"waiting","list":[1,2]}') });
  await app.go(['g', 'enter'], '"waiting"');
  await app.go(['j', 'j', 'enter'], '"list": […]');
  await app.go(['F'], 'live · ');
  app.kv.put(sessions, 'a', '{"state":"done","list":[1,2]}');
  night.wake(5000);
  await app.screen.waitFor('"done"');
  expect(app.screen.selected()).toContain('"list": […]');
  await app.screen.waitFor(() => fresh(app).length > 0);
  expect(fresh(app)).toEqual(['done']);
  night.wake(3000);
  await app.screen.waitFor(() => fresh(app).length === 0);
  await app.go(['tab', '/'], 'text  /regex/');
  expect(night.lengths()).toEqual([]);
  await app.go(['esc'], () => night.lengths().includes(5000));
  app.kv.remove(sessions, 'a');
  night.wake(5000);
  await app.screen.waitFor('This key was deleted');
});

test('reports why it is no longer live', async () => {
  const night = sleepers();
  const app = await openKeys({ sleep: night.sleep });
  await app.go(['down', 'enter'], '"Ada"');
  await app.go(['F'], 'live · ');
  app.kv.failNext('readKey', new Problem('unreachable', 'No answer.'));
  night.wake(5000);
  await app.screen.waitFor('No longer live: No answer. Press r to reload.');
  expect(night.lengths()).toEqual([]);
});

test('shows the age of a live value', async () => {
  const night = sleepers();
  let now = testNow;
  const pulse = new Pulse({ retries: () => 0, requestsLeft: () => undefined });
  const app = await openKeys({ sleep: night.sleep, now: () => now, pulse });
  await app.go(['down', 'enter'], '"Ada"');
  await app.go(['F'], 'live · ');
  now += 60_000;
  await app.go(['j'], '1 min ago');
  night.wake(5000);
  await app.screen.waitFor('just now');
});

test('stays paused if a running reading fails', async () => {
  const night = sleepers();
  const app = await openKeys({ sleep: night.sleep });
  await app.go(['down', 'enter'], '"Ada"');
  await app.go(['F'], 'live · ');
  const release = app.kv.hold('readKey');
  app.kv.failNext('readKey', new Problem('unreachable', 'No answer.'));
  const before = app.kv.calls.length;
  night.wake(5000);
  await expect.poll(() => app.kv.calls.length).toBeGreaterThan(before);
  await app.go(['F'], (screen) => !screen.text().includes('live · '));
  release();
  await app.screen.waitFor('No answer.');
  expect(app.screen.text()).not.toContain('live · ');
  expect(night.lengths()).toEqual([]);
});

test('waits longer if few requests are left, and reads nothing if the budget is scarce', async () => {
  const night = sleepers();
  let left = 300;
  const pulse = new Pulse({ retries: () => 0, requestsLeft: () => ({ left, of: 300 }) });
  const app = await openKeys({ sleep: night.sleep, fill: fillDemo, pulse });
  await app.go(['F'], () => night.lengths().includes(5000));
  left = 10;
  night.wake(5000);
  await app.screen.waitFor('live, saving requests');
  const before = listed(app.kv);
  expect(night.lengths()).toEqual([30_000]);
  left = 100;
  night.wake(30_000);
  await app.screen.waitFor('live · 3 keys');
  await expect.poll(() => night.lengths()).toContain(15_000);
  expect(listed(app.kv)).toBe(before + 1);
});

test('finds the range in which bytes have changed', () => {
  const changed = (before: string, after: string) => changedRange(Buffer.from(before), Buffer.from(after));
  expect(changed('abcdef', 'abXdef')).toEqual([2, 3]);
  expect(changed('abc', 'abcabc')).toEqual([3, 6]);
  expect(changed('same', 'same')).toBeUndefined();
  expect(changed('abcdef', 'abef')).toBeUndefined();
});
