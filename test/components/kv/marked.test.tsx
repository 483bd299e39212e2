import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { listKeys } from '../../../src/services/kv/kv.ts';
import { inSoak } from '../../support/in-part.ts';
import { hostileTexts } from '../../terminal/hostile.ts';
import { testNow } from '../open-console.tsx';
import { openPlatformKeys, type PlatformKeys } from '../open-platform-keys.tsx';

/** Timeout for the effect of a task, which takes longer on a busy machine. */
const patient = { timeout: 10_000 };

const numbered = (count: number) =>
  Array.from({ length: count }, (_, at) => `key:${String(at).padStart(4, '0')}`);

async function expirations({ session, namespace }: PlatformKeys): Promise<(number | undefined)[]> {
  const found: (number | undefined)[] = [];
  for await (const page of listKeys(session, namespace.id)) found.push(...page.map((row) => row.expiration));
  return found;
}

test('deletes the marked keys as a task after Yes, rereads the list, and keeps the selection', async () => {
  const app = await openPlatformKeys();
  await app.go(['down', 'space', 'space', 'd'], 'Delete 2 keys from sessions?');
  expect(app.screen.text()).toContain('b, c.');
  await app.go(['down', 'enter'], 'Deleted 2 keys from sessions.');
  await app.go([], '3 keys');
  expect(app.screen.text()).not.toContain('marked');
  expect(app.screen.selected()).toBe('d');
  expect(await app.keys()).toEqual(['a', 'd', 'e']);
});

test('deletes nothing after No, and keeps the marks', async () => {
  const app = await openPlatformKeys();
  await app.go(['space', 'd'], 'Delete 1 key from sessions?');
  await app.go(['enter'], (screen) => !screen.text().includes('Delete 1'));
  expect(app.screen.text()).toContain('1 marked');
  expect(await app.keys()).toHaveLength(5);
});

test('the confirmation counts keys that a filter hides', async () => {
  const app = await openPlatformKeys({ names: ['a1', 'a2', 'b1', 'b2', 'b3', 'b4', 'b5'] });
  await app.go(['a'], '7 marked');
  await app.go(['/', 'a', 'down'], '5 not shown');
  await app.go(['d'], 'Delete 7 keys from sessions?');
  expect(app.screen.text()).toContain('5 marked rows are not shown in the list.');
  expect(app.screen.text()).toContain('a1, a2, b1, b2, b3 and 2 more.');
});

test('asks for the title before it deletes a hundred keys or more', async () => {
  const app = await openPlatformKeys({ names: numbered(100) });
  await app.go(['a', 'd'], 'Delete 100 keys from sessions');
  await app.go(['x', 'enter'], 'The title does not match.');
  await app.go(['backspace', ...'sessions', 'enter'], 'Deleted 100 keys');
  await app.go([], 'No keys yet');
  expect(await app.keys()).toEqual([]);
});

test('deletes the selected key directly if nothing is marked', async () => {
  const app = await openPlatformKeys();
  await app.go(['d'], 'Delete the key a?');
  await app.go(['down', 'enter'], 'Deleted a.');
  expect(await app.keys()).toEqual(['b', 'c', 'd', 'e']);
});

test('sets an expiry for the marked keys, counted from the last key press, and removes the expiry', async () => {
  const app = await openPlatformKeys();
  await app.put(app.namespace.id, 'a', 'a', { metadata: { owner: 'web' } });
  await app.go(['space', 'space', 'ctrl+e'], 'When do 2 keys expire?');
  expect(app.screen.text()).toContain('Each value is read and rewritten: a concurrent');
  await app.go(['5', 'enter'], 'at least 60');
  await app.go(['backspace', '2', 'h', 'enter'], '2 keys in sessions now expire at');
  const at = Math.floor(testNow / 1000) + 7200;
  await app.go([], (screen) => screen.text().split('2h').length > 2);
  expect(await expirations(app)).toEqual([at, at, undefined, undefined, undefined]);
  expect(await app.value('a')).toBe('a');
  await app.go(['ctrl+e', ...'never', 'enter'], (screen) => !/ 2h /.test(screen.text()));
  expect(await expirations(app)).toEqual(Array.from({ length: 5 }));
});

test('exports the marked keys to a new file, and asks before it replaces an existing file', async () => {
  const app = await openPlatformKeys({ title: '../web sessions' });
  await app.go(['space', 'space', 'w'], 'Export 2 keys from');
  expect(app.screen.text()).toContain('web-sessions.ndjson');
  await app.go(['enter'], 'Wrote 2 keys from');
  const path = join(app.cwd, 'web-sessions.ndjson');
  await expect.poll(() => existsSync(path), patient).toBe(true);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toEqual([
    '{"key":"a","value":"a"}',
    '{"key":"b","value":"b"}',
  ]);
  await app.go(['A', 'w', 'enter'], 'already exists. Replace it?');
  await app.go(['enter'], (screen) => !screen.text().includes('Replace it?'));
  expect(app.screen.text()).toContain('Export 1 key from');
  await app.go(['enter'], 'Replace it?');
  await app.go(['down', 'enter'], 'Wrote 1 key from');
  await expect.poll(() => readFileSync(path, 'utf8'), patient).toBe('{"key":"c","value":"c"}\n');
});

test('reports a path that cannot be written next to its field', async () => {
  const app = await openPlatformKeys();
  mkdirSync(join(app.cwd, 'folder'));
  await app.go(['w', 'ctrl+u', ...'folder', 'enter'], 'This is a folder');
  await app.go(['ctrl+u', ...'none/x', 'enter'], 'Folder not found.');
  await app.go(['ctrl+u', 'enter'], 'Enter the name of a file.');
});

test('copies the marked keys to a namespace by its title, and skips or overwrites existing keys', async () => {
  const app = await openPlatformKeys();
  const other = await app.createNamespace('other');
  await app.put(other.id, 'a', 'theirs');
  await app.go(['space', 'space', 'c'], 'Copy 2 keys from sessions');
  await app.go([...'oth', 'tab', ...'skip', 'enter'], 'Copied 1 key to other; already present: 1 key.');
  await expect.poll(() => app.keys(other.id), patient).toEqual(['a', 'b']);
  expect(await app.value('a', other.id)).toBe('theirs');
  await app.go(['c'], 'Copy 2 keys from sessions');
  await app.go([...'another', 'enter'], 'The title or id of the namespace');
  await app.go([...other.id, 'tab', 'tab', ...'overwrite', 'enter'], 'Copied 2 keys to other.');
  await expect.poll(() => app.value('a', other.id), patient).toBe('a');
});

test('the form reports a destination namespace that is unknown or is the source namespace', async () => {
  const app = await openPlatformKeys();
  await app.go(['c'], 'Copy 1 key from sessions');
  await app.go([...'another', 'enter'], 'The title or id of the namespace');
  await app.go(['enter'], 'Enter a namespace.');
  await app.go([...'nobody', 'enter'], 'Namespace "nobody" not found');
  await app.go(['ctrl+u', ...'sessions', 'enter'], 'The keys are already in this namespace.');
  expect(await app.keys()).toHaveLength(5);
});

test('copies keys to another profile in a session of that profile, and shows in the form why the session cannot be opened', async () => {
  const places: unknown[] = [];
  const app = await openPlatformKeys({
    refusePlace(place) {
      places.push(place);
      return place.profile === 'nobody' ? new Problem('usage', 'There is no profile nobody.') : undefined;
    },
  });
  const other = await app.createNamespace('other');
  await app.go(['c'], 'Copy 1 key from sessions');
  await app.go([...'another', 'enter'], 'The title or id of the namespace');
  await app.go([...'other', 'tab', ...'nobody', 'enter'], 'There is no profile nobody.');
  await app.go(['ctrl+u', ...'acme', 'enter'], 'Copied 1 key to other.');
  expect(places).toContainEqual({ profile: 'acme', target: 'production' });
  await expect.poll(() => app.keys(other.id), patient).toEqual(['a']);
});

test('starts no write in a read-only session, and shows the reason; exports are allowed', async () => {
  const app = await openPlatformKeys({ label: { readOnly: true } });
  await app.go(['space', 'space'], '2 marked');
  for (const press of ['d', 'ctrl+e', 'c']) await app.go([press], 'This session is read-only.');
  await app.go(['w', 'enter'], 'Wrote 2 keys');
  expect(await app.keys()).toHaveLength(5);
});

test('removes the marks of keys that a task has deleted', async () => {
  const gate = Promise.withResolvers<void>();
  const app = await openPlatformKeys({
    wrap: (send) => async (call) => {
      if (call.path.endsWith('/bulk/delete')) await gate.promise;
      return send(call);
    },
  });
  await app.go(['space', 'd'], 'Delete 1 key from sessions?');
  await app.go(['down', 'enter'], 'Deleting 1 key. Press 5 to see the task.');
  expect(app.screen.text()).toContain('5 keys');
  expect(app.screen.text()).not.toContain('marked');
  gate.resolve();
  await app.go([], '4 keys');
});

test('keeps the user’s input when a task ends', async () => {
  const gate = Promise.withResolvers<void>();
  const app = await openPlatformKeys({
    wrap: (send) => async (call) => {
      if (call.path.endsWith('/bulk/delete')) await gate.promise;
      return send(call);
    },
  });
  await app.go(['space', 'd'], 'No, change nothing');
  await app.go(['down', 'enter'], 'Deleting 1 key');
  await app.go(['n', ...'new'], 'New key');
  gate.resolve();
  await app.go([], '4 keys');
  expect(app.screen.text()).toMatch(/> Key +new/);
});

inSoak(() => {
  test('shows hostile names escaped in the list, in a question and in a form, and deletes exactly those keys', async () => {
    const names = hostileTexts.map(([, text]) => text).filter((text) => Buffer.byteLength(text) <= 512);
    const app = await openPlatformKeys({ names: ['plain', ...names], columns: 120, rows: 80 });
    await app.go(['a', '/', ...'plain', 'down', 'space'], `${names.length} marked`);
    await app.go(['esc'], (screen) => !screen.text().includes('not shown'));
    await app.go(['d'], `Delete ${names.length} keys from sessions?`);
    await app.go(['esc'], (screen) => !screen.text().includes('Delete'));
    await app.go(['ctrl+e'], `When do ${names.length} keys expire?`);
    expect(app.screen.titles).toEqual([]);
    expect(app.screen.clipboards).toEqual([]);
    expect(app.screen.links).toEqual([]);
    await app.go(['esc'], (screen) => !screen.text().includes('When do'));
    await app.go(['d'], 'No, change nothing');
    await app.go(['down', 'enter'], `Deleted ${names.length} keys from sessions.`);
    expect(await app.keys()).toEqual(['plain']);
  });
});

test.each([
  [120, 40],
  [80, 24],
  [40, 12],
])('draws the questions and forms about marked keys on %ix%i', async (columns, rows) => {
  const app = await openPlatformKeys({ columns, rows });
  await app.go(['space', 'space', 'd'], 'Yes: delete them');
  expect(app.screen.text()).toContain('Delete 2 keys from sessions?');
  for (const [press, submit] of [
    ['ctrl+e', 'Enter save'],
    ['w', 'Enter export'],
    ['c', 'Enter copy'],
  ] as const) {
    await app.go(['esc'], (screen) => !/^(?:│ )?> /m.test(screen.text()));
    await app.go([press], submit);
    expect(app.screen.lines().every((line) => line.length <= columns)).toBe(true);
    expect(app.screen.text()).toMatch(/^(?:│ )?> (TTL|File|To)/m);
  }
});
