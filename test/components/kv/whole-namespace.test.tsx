import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openPlatformKeys } from '../open-platform-keys.tsx';

test('exports, clears and imports a namespace in the list of namespaces', async () => {
  const app = await openPlatformKeys();
  const path = join(app.cwd, 'sessions.ndjson');
  await app.go(['esc'], 'ID');
  await app.go(['w'], 'Export all keys from sessions');
  await app.go(['enter'], 'Wrote 5 keys from sessions to');
  const entries = readFileSync(path, 'utf8');
  expect(
    entries
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).key),
  ).toEqual(['a', 'b', 'c', 'd', 'e']);

  await app.go(['ctrl+x'], '5 keys will be lost');
  expect(app.screen.text()).toContain('PERMANENT');
  await app.go([...'session', 'enter'], 'The title does not match.');
  expect(await app.keys()).toHaveLength(5);
  await app.go(['s', 'enter'], 'Deleted 5 keys from sessions.');
  expect(await app.keys()).toEqual([]);
  expect(app.screen.lines()[1]).toContain('1 namespace');
  await app.go(['ctrl+x'], 'sessions has no keys.');

  writeFileSync(path, entries.split('\n').slice(0, 2).join('\n'));
  await app.go(['i'], 'Import into sessions');
  await app.go([...'sessions.ndjson', 'enter'], '2 new');
  await app.go(['enter'], 'Wrote 2 entries to sessions.');
  expect(await app.keys()).toEqual(['a', 'b']);
  expect(app.screen.text()).toContain('TITLE');
});

test('refuses to import or clear in a read-only session, and allows exports', async () => {
  const app = await openPlatformKeys({ label: { readOnly: true } });
  await app.go(['esc'], 'ID');
  for (const press of ['i', 'ctrl+x']) await app.go([press], 'This session is read-only.');
  await app.go(['w'], 'Export all keys from sessions');
});
