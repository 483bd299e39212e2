import { expect, test } from 'vitest';
import { openPlatformKeys } from '../open-platform-keys.tsx';

test('compares a key with the preview namespace, local data and another namespace, from the list and from the value', async () => {
  const app = await openPlatformKeys({ names: ['flags'] });
  const preview = await app.createNamespace('sessions_preview');
  const other = await app.createNamespace('other');
  await app.put(app.namespace.id, 'flags', '{"b":1,"a":[1,2]}', { metadata: { owner: 'web' } });
  await app.put(preview.id, 'flags', '{"a":[1,3],"b":1}');
  await app.put(other.id, 'flags', '{"a":[1,2],"b":1}', { metadata: { owner: 'web' } });
  await app.go(['='], 'Compare flags in sessions with the same key in');
  const offered = app.screen
    .lines()
    .slice(4, 9)
    .map((line) => line.trim().replaceAll(/ {2,}/g, '  '));
  expect(offered).toEqual([
    '> sessions_preview  its preview namespace',
    'local data',
    'other  namespace',
    '',
    '',
  ]);
  await app.go(['enter'], '+ its preview namespace sessions_preview');
  expect(app.screen.text()).toMatch(/^- {5}2$/m);
  expect(app.screen.text()).toMatch(/^\+ {5}3$/m);
  expect(app.screen.text()).toContain('-   "owner": "web"');
  expect(app.screen.head()).toContain('different');
  await app.go(['@'], 'Copied the link diff/sessions/sessions_preview@production/flags');
  await app.go(['tab'], (screen) => screen.selected()?.startsWith('Value  JSON with sorted names') === true);
  await app.go(['='], 'Compare flags in');
  await app.go(['down', 'down', 'enter'], 'No differences in value, metadata or expiry.');
  expect(app.screen.head()).toContain('the same');
  await app.go(['Y'], '> Compare the key');
  await app.go(['enter'], '✓ Copied the line');
  const copied = Buffer.from(app.screen.clipboards.at(-1)?.slice(2) ?? '', 'base64').toString();
  const flags = `--namespace-id ${app.namespace.id} --to-namespace-id ${other.id} --sandbox=`;
  expect(copied).toContain(`edgectl kv key diff ${flags}`);
  await app.put(other.id, 'flags', 'text');
  await app.go(['r'], 'different');
  await app.go(['esc'], '1 key');
  await app.go(['enter'], '"a": [');
  await app.go(['='], 'Compare flags in sessions');
  await app.go(['esc'], 'Press = to choose');
});

test('shows a key that exists on one side only', async () => {
  const app = await openPlatformKeys({ names: ['flags'] });
  await app.createNamespace('other');
  await app.go(['='], 'Compare flags in');
  await app.go(['down', 'enter'], ': key missing');
  expect(app.screen.text()).toMatch(/^\+ the namespace other: key missing$/m);
});

test('lists the keys that differ between two namespaces, and opens a key on both sides', async () => {
  const app = await openPlatformKeys({ names: ['flags', 'only-here', 'same'] });
  const other = await app.createNamespace('other');
  await app.put(app.namespace.id, 'flags', 'one');
  await app.put(app.namespace.id, 'same', 'same');
  await app.put(other.id, 'same', 'same');
  await app.put(other.id, 'flags', 'two', { metadata: { owner: 'web' } });
  await app.put(other.id, 'only-there', 'x');
  await app.go(['esc'], 'TITLE');
  await app.go(['r'], 'other');
  await app.go(['/', ...'sessions', 'enter'], '1 of');
  await app.go(['='], 'Compare the keys in sessions with those in');
  await app.go(
    [...'oth'],
    (screen) => /^│? ?> other/m.test(screen.text()) && !screen.text().includes('> local'),
  );
  await app.go(['enter'], 'sessions (here) and the namespace other (there) · 3 differences');
  await app.go(['b'], 'Bookmarked diff/sessions/other. To open bookmarks, go to Home or press :.');
  const rows = app.screen.lines().filter((line) => /^(?:flags|only|same)/.test(line));
  expect(rows.map((line) => line.trimEnd().replace(/ {2,}/g, ' | '))).toEqual([
    'flags | changed: value, metadata',
    'only-here | only here',
    'only-there | only there',
  ]);
  await app.go(['Y'], '> Compare the keys');
  await app.go(['esc'], 'DIFFERENCE');
  await app.go(['s'], 'only there');
  await app.go([...'only th', 'enter'], ' · only there · 1 of 3 loaded');
  await app.go(['enter'], '+ the namespace other');
  await app.go(['esc'], 'DIFFERENCE');
  await app.go(['esc'], '3 differences');
  await app.put(other.id, 'flags', 'one');
  await app.go(['r'], '2 differences');
});
