import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Screen } from '../../support/screen.ts';
import { hostileTexts } from '../../terminal/hostile.ts';
import { openPlatformKeys, type PlatformKeys, type PlatformOptions } from '../open-platform-keys.tsx';

const lines = (entries: readonly unknown[]) => entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
const good = [
  { key: 'a', value: 'a' },
  { key: 'b', value: 'other' },
  { key: 'new', value: 'new', metadata: { owner: 'web' } },
];
const wrong = { key: 'bad', value: 7 };

/** Returns true if the whole file has been compared. */
const isCompared = (screen: Screen) => / new, /.test(screen.text()) && !screen.text().includes('comparing');

/** Opens the console with the import preview of a file that contains these entries. */
async function openImport(
  entries: readonly unknown[],
  wanted: string,
  options: PlatformOptions = {},
): Promise<PlatformKeys> {
  const app = await openPlatformKeys(options);
  writeFileSync(join(app.cwd, 'in.ndjson'), lines(entries));
  await app.go(['i'], 'Import into');
  await app.go([...'in.ndjson', 'enter'], wanted);
  if (options.gate === undefined) await app.go([], isCompared);
  return app;
}

test('shows the changes of a file, and changes nothing before confirmation', async () => {
  const app = await openImport(good, '1 new, 1 changed, 1 same');
  expect(app.screen.text()).toMatch(/^b +change *$/m);
  expect(app.screen.text()).toMatch(/^new +create *$/m);
  expect(app.screen.text()).not.toMatch(/^a /m);
  expect(await app.keys()).toEqual(['a', 'b', 'c', 'd', 'e']);
  await app.go(['esc'], '5 keys');
  expect(await app.value('b')).toBe('b');
});

test('a click only selects a row, and never starts the import', async () => {
  const app = await openImport(good, '1 new, 1 changed, 1 same');
  const click = (text: string) => {
    const row = app.screen.lines().findIndex((line) => line.startsWith(text));
    app.send(`\u001b[<0;1;${row + 1}M\u001b[<0;1;${row + 1}m`);
    return app.screen.waitFor((screen) => screen.selected()?.startsWith(text) ?? false);
  };
  await click('new');
  await click('b');
  await click('b');
  await app.go(['down'], (screen) => screen.selected()?.startsWith('new') ?? false);
  await app.go(['esc'], '5 keys');
});

test('imports the shown changes in a task, and rereads the keys', async () => {
  const app = await openImport(good, '1 new, 1 changed, 1 same');
  await app.go(['enter'], 'Wrote 3 entries to sessions.');
  await app.go([], '6 keys');
  expect(await app.value('b')).toBe('other');
  expect(await app.value('new')).toBe('new');
});

test('refuses to import a file with invalid entries and lists them; Ctrl-O imports only the valid entries', async () => {
  const app = await openImport([...good, wrong], '1 invalid');
  expect(app.screen.selected()).toContain('invalid');
  expect(app.screen.text()).toContain('value must be a string');
  await app.go(['i'], '1 entry is invalid: press Ctrl-O to import the valid entries.');
  expect(await app.keys()).toHaveLength(5);
  await app.go(['ctrl+o'], 'Wrote 3 entries to sessions; skipped: 1 invalid.');
  await app.go([], '6 keys');
  expect(await app.value('bad')).toBeUndefined();
});

test('imports nothing from a file that has changed since it was checked', async () => {
  // The screen is wide enough for a sentence that contains the path of the file.
  const app = await openImport(good, '1 new, 1 changed', { columns: 400 });
  writeFileSync(join(app.cwd, 'in.ndjson'), lines([{ key: 'sneaked', value: 'in' }]));
  await app.go(['i'], 'The import failed:');
  await app.go(['5'], 'failed');
  await app.go(['enter'], 'changed since it was checked');
  expect(await app.keys()).toEqual(['a', 'b', 'c', 'd', 'e']);
});

test('rereads the file on request', async () => {
  const app = await openImport(good, '1 new, 1 changed');
  writeFileSync(join(app.cwd, 'in.ndjson'), lines([{ key: 'only', value: 'this' }]));
  await app.go(['r'], (screen) => isCompared(screen) && screen.text().includes('0 changed, 0 same'));
  await app.go(['i'], 'Wrote 1 entry');
  await app.go([], '6 keys');
});

test('ignores the result of a read if a later read has started', async () => {
  const gate = Promise.withResolvers<void>();
  const app = await openImport(good, 'comparing 0%', { gate: gate.promise });
  writeFileSync(join(app.cwd, 'in.ndjson'), lines([...good, { key: 'only', value: 'this' }, wrong]));
  await app.go(['r'], '1 invalid');
  gate.resolve();
  const all = '2 new, 1 changed, 1 same, 1 invalid';
  await app.go([], (screen) => isCompared(screen) && screen.text().includes(all));
});

test('starts no import that would change nothing', async () => {
  const app = await openImport([{ key: 'a', value: 'a' }], '0 new, 0 changed, 1 same');
  expect(app.screen.text()).toContain('All entries already exist with the same content.');
  await app.go(['i'], 'The file would change nothing.');
});

test('reports a missing file next to its field, and an unreadable file in the pane', async () => {
  const app = await openPlatformKeys();
  await app.go(['i', ...'none', 'enter'], 'File not found.');
  writeFileSync(join(app.cwd, 'text'), 'no entries at all');
  await app.go(['ctrl+u', ...'text', 'enter'], 'Import text');
  await app.go([], (screen) => isCompared(screen) && screen.text().includes('1 invalid'));
  await app.go(['i'], 'The file would change nothing.');
  expect(await app.keys()).toHaveLength(5);
});

test('Esc stops reading a file and goes back', async () => {
  const gate = Promise.withResolvers<void>();
  const app = await openImport(good, 'comparing 0%', { gate: gate.promise });
  await app.go(['i'], 'Wait until the file has been compared.');
  await app.go(['esc'], '5 keys');
  gate.resolve();
  expect(await app.keys()).toHaveLength(5);
});

test('does not open the import in a read-only session', async () => {
  const app = await openPlatformKeys({ label: { readOnly: true } });
  await app.go(['i'], 'This session is read-only.');
});

test('escapes hostile keys from a file', async () => {
  const entries = hostileTexts
    .filter(([, text]) => Buffer.byteLength(text) <= 512)
    .flatMap(([, key], at) => [{ key, value: at % 2 === 0 ? key : 7 }]);
  const app = await openImport(entries, 'invalid', { columns: 120, rows: 90 });
  expect(app.screen.titles).toEqual([]);
  expect(app.screen.clipboards).toEqual([]);
  expect(app.screen.links).toEqual([]);
  expect(app.screen.lines()[0]).toContain('PRODUCTION');
});

test.each([
  [120, 40],
  [80, 24],
  [40, 12],
])('draws the preview of a file on %ix%i', async (columns, rows) => {
  const app = await openImport([...good, wrong], '1 new', { columns, rows });
  await app.go([], (screen) => /^(?:│ )?b +change/m.test(screen.text()));
  expect(app.screen.text()).toMatch(/^(?:│ )?Line 4 \(entry 4\), key "bad".* invalid/m);
  expect(app.screen.head()).toContain('1 changed');
});
