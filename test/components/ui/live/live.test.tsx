import { expect, test } from 'vitest';
import { Pulse } from '../../../../components/kit/pulse.ts';
import { changedRange } from '../../../../components/ui/viewer/live-view.ts';
import { Problem } from '../../../../src/model/problem.ts';
import type { MemoryKv } from '../../memory-kv.ts';
import { fillDemo, type OpenConsole, openKeys, sessions, testNow, withKey } from '../../open-console.tsx';

/** Creates a sleep function; tests wake its sleepers by their duration. */
function sleepers() {
  const asleep: { milliseconds: number; wake(): void }[] = [];
  const find = (milliseconds: number) => asleep.findIndex((one) => one.milliseconds === milliseconds);
  return {
    lengths: () => asleep.map(({ milliseconds }) => milliseconds),
    /** Wakes the next sleeper of this duration. */
    async wake(milliseconds: number) {
      await expect.poll(() => find(milliseconds)).not.toBe(-1);
      asleep.splice(find(milliseconds), 1)[0]?.wake();
    },
    sleep: (milliseconds: number, signal?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        // The preview's sleeps end immediately.
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
  return rows.filter(({ style }) => style === 'bold fore-231 back-238').map(({ text }) => text.trim());
}

const listed = (kv: MemoryKv) => kv.calls.filter((call) => call.startsWith('listKeys')).length;

test('rereads a visible list, keeps the selection, and briefly highlights new rows', async () => {
  const night = sleepers();
  const app = await openKeys({ sleep: night.sleep });
  await app.go(['G'], (screen) => screen.selected()?.includes('user:2') ?? false);
  expect(night.lengths()).toEqual([5000]);
  app.kv.put(sessions, 'a new one', 'x');
  await night.wake(5000);
  await app.screen.waitFor('4 keys');
  expect(app.screen.selected()).toContain('user:2');
  await app.screen.waitFor(() => fresh(app).includes('a new one'));
  expect(fresh(app)).toEqual(['a new one']);
  await night.wake(3000);
  await app.screen.waitFor(() => fresh(app).length === 0);
  expect(night.lengths()).toEqual([5000]);
  const before = listed(app.kv);
  await app.go(['enter'], 'second line');
  await expect.poll(() => night.lengths()).toEqual([5000]);
  await app.go(['esc'], '4 keys');
  await app.go(['F'], 'paused · 4 keys');
  expect(app.screen.text()).toContain(
    'Paused refreshing in all views. Press F to resume, or r to reload once.',
  );
  expect(night.lengths()).toEqual([]);
  expect(listed(app.kv)).toBe(before);
  await app.go(['j'], (screen) => !screen.text().includes('in all views'));
  await app.go(['F'], (screen) => !screen.text().includes('paused · '));
  expect(night.lengths()).toEqual([5000]);
});

test('shows the old rows of a list until the reread rows have arrived', async () => {
  const night = sleepers();
  const app = await openKeys({ sleep: night.sleep });
  app.screen.raw = '';
  const before = listed(app.kv);
  const answer = app.kv.hold('listKeys');
  app.kv.put(sessions, 'a new one', 'x');
  await night.wake(5000);
  await expect.poll(() => listed(app.kv)).toBeGreaterThan(before);
  await app.go(['j'], (screen) => screen.selected()?.includes('user:1') ?? false);
  expect(app.screen.text()).toContain('3 keys');
  answer();
  await app.screen.waitFor('4 keys');
  expect(app.screen.raw).not.toContain('oading');
});

test('rereads a value, keeps the position and folds, and highlights changes', async () => {
  const night = sleepers();
  const app = await openKeys({ sleep: night.sleep, fill: withKey('a', '{"state":"waiting","list":[1,2]}') });
  await app.go(['g', 'enter'], '"waiting"');
  await app.go(['j', 'j', 'enter'], '"list": […]');
  app.kv.put(sessions, 'a', '{"state":"done","list":[1,2]}');
  await night.wake(5000);
  await app.screen.waitFor('"done"');
  expect(app.screen.selected()).toContain('"list": […]');
  await app.screen.waitFor(() => fresh(app).length > 0);
  expect(fresh(app)).toEqual(['done']);
  await night.wake(3000);
  await app.screen.waitFor(() => fresh(app).length === 0);
  await app.go(['tab', '/'], 'text  /regex/');
  expect(night.lengths()).toEqual([]);
  await app.go(['esc'], () => night.lengths().includes(5000));
  app.kv.remove(sessions, 'a');
  await night.wake(5000);
  await app.screen.waitFor('This key was deleted');
});

test('reports once that a view could not be refreshed, keeps its content, and continues', async () => {
  const night = sleepers();
  const app = await openKeys({ sleep: night.sleep });
  await app.go(['down', 'enter'], '"Ada"');
  app.kv.failNext('readKey', new Problem('unreachable', 'No answer.'));
  await night.wake(5000);
  await app.screen.waitFor('Not refreshed: No answer. Press r to reload.');
  await app.go(['j'], (screen) => !screen.text().includes('No answer.'));
  app.kv.failNext('readKey', new Problem('unreachable', 'No answer.'));
  await expect.poll(() => night.lengths()).toEqual([10_000]);
  await night.wake(10_000);
  await expect.poll(() => night.lengths()).toEqual([20_000]);
  expect(app.screen.text()).toContain('"Ada"');
  expect(app.screen.text()).not.toContain('No answer.');
});

test('keeps the rows of a list that could not be refreshed, and opens no dialog', async () => {
  const night = sleepers();
  const app = await openKeys({ sleep: night.sleep });
  app.kv.failNext('listKeys', new Problem('unreachable', 'No answer.'));
  await night.wake(5000);
  await app.screen.waitFor('Not refreshed: No answer. Press r to reload.');
  expect(app.screen.text()).toContain('3 keys');
  app.kv.put(sessions, 'a new one', 'x');
  await expect.poll(() => night.lengths()).toContain(10_000);
  await night.wake(10_000);
  await app.screen.waitFor('4 keys');
});

test('labels data as live while it is refreshed, and shows the age of the data when it is not refreshed', async () => {
  const night = sleepers();
  let now = testNow;
  const pulse = new Pulse({ retries: () => 0, requestsLeft: () => undefined });
  const app = await openKeys({ sleep: night.sleep, now: () => now, pulse });
  await app.go(['down', 'enter'], '"Ada"');
  await app.screen.waitFor('live · ok');
  now += 60_000;
  await app.go(['j'], '1 min ago');
  await night.wake(5000);
  await app.screen.waitFor('live · ok');
  await app.go(['F'], 'just now · ok');
});

test('draws no frame while nothing changes, and waits longer after each reading', async () => {
  const night = sleepers();
  let now = testNow;
  const pulse = new Pulse({ retries: () => 0, requestsLeft: () => ({ left: 299, of: 300 }) });
  const app = await openKeys({ sleep: night.sleep, now: () => now, pulse, columns: 120, rows: 40 });
  await app.screen.waitFor('live · ok · 299 requests left');
  await app.screen.waitFor('12 B, PNG image');
  await expect.poll(() => night.lengths()).toEqual([5000, 5000]);
  await expect.poll(() => app.screen.raw.endsWith('\u001b[?2026l')).toBe(true);
  app.screen.raw = '';
  for (const length of [5000, 10_000, 20_000, 40_000, 40_000]) {
    const before = app.kv.calls.length;
    now += length;
    // Wakes the list, and the preview of its selected key.
    await night.wake(length);
    await night.wake(length);
    await expect.poll(() => app.kv.calls.length).toBe(before + 2);
    const next = Math.min(40_000, 2 * length);
    await expect.poll(() => night.lengths()).toEqual([next, next]);
  }
  expect(app.screen.raw).toBe('');
});

test('pauses refreshing while a row is marked, a question is open or a field is edited', async () => {
  const night = sleepers();
  const app = await openKeys({ sleep: night.sleep });
  for (const [begin, shown, end] of [
    [['space'], '1 marked', ['esc']],
    [['d'], 'Delete the key', ['esc']],
    [['n'], 'New key', ['esc']],
    [['/'], 'regex', ['esc']],
  ] as const) {
    await expect.poll(() => night.lengths()).toEqual([5000]);
    await app.go(begin, shown);
    expect(night.lengths()).toEqual([]);
    await app.go(end, (screen) => !screen.text().includes(shown));
  }
});

test('does not refresh if the setting is off', async () => {
  const night = sleepers();
  const app = await openKeys({ sleep: night.sleep, settings: { refresh: 'off' } });
  expect(night.lengths()).toEqual([]);
  expect(app.screen.text()).not.toContain('paused');
  await app.go(['F'], 'Resumed refreshing in all views.');
  expect(night.lengths()).toEqual([5000]);
});

test('waits longer if few requests are left, and reads nothing if very few are left', async () => {
  const night = sleepers();
  let left = 300;
  const pulse = new Pulse({ retries: () => 0, requestsLeft: () => ({ left, of: 300 }) });
  const app = await openKeys({ sleep: night.sleep, fill: fillDemo, pulse });
  await expect.poll(() => night.lengths()).toEqual([5000]);
  left = 10;
  await night.wake(5000);
  await app.screen.waitFor('saving requests · 3 keys');
  const before = listed(app.kv);
  expect(night.lengths()).toEqual([30_000]);
  left = 100;
  await night.wake(30_000);
  await app.screen.waitFor((screen) => !screen.text().includes('saving requests'));
  await expect.poll(() => night.lengths()).toContain(30_000);
  expect(listed(app.kv)).toBe(before + 1);
});

test('finds the range of bytes that changed', () => {
  const changed = (before: string, after: string) => changedRange(Buffer.from(before), Buffer.from(after));
  expect(changed('abcdef', 'abXdef')).toEqual([2, 3]);
  expect(changed('abc', 'abcabc')).toEqual([3, 6]);
  expect(changed('same', 'same')).toBeUndefined();
  expect(changed('abcdef', 'abef')).toBeUndefined();
});
