import { expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import type { MemoryKv } from '../memory-kv.ts';
import { fillDemo, openConsole, openKeys, sessions, testNow, withKey } from '../open-console.tsx';

test('shows the expiry and a mark for metadata after the name', async () => {
  const app = await openKeys();
  const rows = app.screen.lines().filter((line) => /image|user:/.test(line));
  expect(rows.map((row) => row.trim().replaceAll(/ +/g, ' '))).toEqual([
    'image',
    'user:1 owner=web',
    'user:2 2h',
  ]);
  expect(rows.map((row) => row.search(/owner|2h/))).toEqual([-1, 35, 31]);
});

test('updates the time until an expiry without key presses', async () => {
  let now = testNow;
  const fill = (kv: MemoryKv) => {
    fillDemo(kv);
    kv.put(sessions, 'user:3', 'x', { expiration: testNow / 1000 + 90 });
  };
  const app = await openKeys({ fill, now: () => now });
  await app.screen.waitFor('1m30s');
  now += 100_000;
  await app.screen.waitFor('expired');
});

test('reports that the list is loading if the user presses the key of an action too early', async () => {
  const app = openConsole({ fill: fillDemo });
  await app.screen.waitFor('demo-sessions');
  const letGo = app.kv.hold('listKeys');
  await app.go(['enter'], 'Loading…');
  await app.go(['d'], 'Wait: the list is loading.');
  letGo();
});

test('filters while the user types; Enter keeps the filter, and Esc clears it', async () => {
  const app = await openKeys();
  await app.go(['/', ...'er:'], '2 of 3 loaded');
  expect(app.screen.text()).not.toContain('image');
  await app.go(['esc'], 'image');
  await app.go(['/', ...'er:', 'enter'], 'filter: er: · 2 of 3 loaded');
  await app.go(['/', ...'im'], '1 of 3 loaded');
  expect(app.screen.text()).toContain('/ im');
  await app.go(['enter', '/', 'end', ...'g', 'enter'], 'filter: img · 0 of 3 loaded');
  expect(app.kv.calls.filter((call) => call.startsWith('listKeys'))).toEqual([
    `listKeys ${sessions} prefix= from=0`,
  ]);
  await app.go(['esc'], 'image');
});

test('a separate key filters by prefix on the server and shows the prefix; Esc returns to all keys', async () => {
  const app = await openKeys();
  await app.go(['/', ...'1', 'enter'], 'filter: 1 · 1 of 3 loaded');
  await app.go(['p'], 'begins with:');
  await app.go([...'user', 'enter'], 'prefix user on the server · filter: 1 · 1 of 2 loaded');
  expect(app.kv.calls).toContain(`listKeys ${sessions} prefix=user from=0`);
  await app.go(['p', ...':', 'esc'], 'Enter value');
  expect(app.screen.text()).toContain('prefix user on the server');
  await app.go(['esc', 'esc'], 'image');
});

test('filters by an expression, by its negation, or fuzzily, and reports errors at the field', async () => {
  const app = await openKeys();
  await app.go(['/'], 'text  /regex/  !not  ~fuzzy');
  await app.go([...'/^user:[0-9]'], 'add / at the end for a regex');
  await app.go(['/'], '2 of 3 loaded');
  await app.go(['ctrl+u', ...'/user(/'], 'not applied: Unterminated group');
  await app.go(['ctrl+u', ...'!user'], '1 of 3 loaded');
  expect(app.screen.text()).toContain('image');
  await app.go(['ctrl+u', ...'~ue2', 'enter'], 'filter: ~ue2 · 1 of 3 loaded');
  expect(app.screen.selected()).toContain('user:2');
});

test('sorts by the next column, reverses the order, and keeps the selection', async () => {
  const app = await openKeys();
  await app.go(['down', 'o'], 'sorted by expires ↑ · 3 keys');
  expect(app.screen.text()).toContain('↑EXPIRES');
  expect(app.screen.selected()).toContain('user:1');
  await app.go(['o', 'o', 'O'], 'sorted by key ↓ · 3 keys');
  expect(app.screen.text()).toMatch(/user:2.*user:1.*image/s);
  await app.go(['o'], (screen) => !screen.text().includes('sorted'));
});

test('shows keys as a tree, opens a folder, marks everything in it, and returns to its parent', async () => {
  const app = await openKeys();
  await app.go(['T'], '+ user:  (2)');
  await app.go(['n', 'esc', 'down', 'E'], 'A folder is selected: press Enter to open it');
  await app.go(['enter'], '- user:  (2)');
  await app.go(['down', 'enter'], 'Ada');
  await app.go(['esc', 'left'], (screen) => screen.selected()?.includes('- user:') ?? false);
  await app.go(['space'], 'Marked all 2 loaded rows below user:.');
  expect(app.screen.text()).toContain('tree by : · 2 marked · 3 keys');
  expect(app.screen.text()).toMatch(/\* +- user: .*\n\* +1 .*\n\* +2/);
  await app.go(['o'], 'A tree is always sorted by name');
  await app.go(['S', 'up'], 'tree by /');
  await app.go(['T', 'up'], (screen) => !screen.text().includes('tree by'));
  await app.go(['left'], '2 marked');
});

test('keeps the filter while the user moves through the list', async () => {
  const app = await openKeys();
  await app.go(['/', ...'2', 'down'], 'Enter value');
  await app.go(['enter'], 'second line');
  await app.go(['esc'], '1 of 3');
});

test('shows a kept filter next to the counts, escaped and truncated, until the user clears it', async () => {
  const app = openConsole({ fill: fillDemo, columns: 40, rows: 12 });
  await app.screen.waitFor('demo-flags');
  await app.go(['/', ...'fla', 'enter'], 'filter: fla · 1 of 2');
  await app.go(['enter'], '0 keys');
  await app.go(['esc'], 'filter: fla');
  await app.go(['esc'], '2 namespaces');
  expect(app.screen.text()).not.toContain('filter:');
  await app.go(['down', 'enter'], '3 keys');
  await app.go(['/', ...'er:', 'down'], 'filter: er: · 2 of 3');
  await app.go(['/', 'end', ...'\\'.repeat(30), 'down'], (screen) =>
    / filter: er:\\+… · 0 of/m.test(screen.text()),
  );
  await app.go(['esc'], '3 keys');
  expect(app.screen.text()).not.toContain('filter:');
});

test('filters namespaces by title and id; a capital letter makes the filter case-sensitive', async () => {
  const app = openConsole({
    fill: (kv) => void kv.namespaces.push({ id: 'a1', title: 'Images' }, { id: 'b2', title: 'sessions' }),
  });
  await app.screen.waitFor('2 namespaces');
  await app.go(['/', ...'imag'], '│ 1 of 2 loaded');
  await app.go(['backspace', 'backspace', 'backspace', 'backspace', ...'IMAG'], '0 of 2 loaded');
  expect(app.screen.text()).toContain('No namespace matches the filter.');
  await app.go(['esc'], '2 namespaces');
  await app.go(['/', ...'b2', 'enter'], 'filter: b2 · 1 of 2 loaded');
  expect(app.screen.selected()).toContain('sessions');
});

test('keeps the selected namespace while the list is reread, and shows that the list is loading', async () => {
  const app = openConsole({ fill: fillDemo });
  await app.screen.waitFor('2 namespaces');
  await app.go(['down'], (screen) => screen.selected()?.includes('demo-sessions') ?? false);
  app.kv.namespaces.push({ id: 'c'.repeat(32), title: 'aaa' });
  const release = app.kv.hold('listNamespaces');
  await app.go(['r'], '│ loading… · 2 loaded');
  release();
  await app.screen.waitFor('3 namespaces');
  expect(app.screen.selected()).toContain('demo-sessions');
});

test('loads pages while the user scrolls, and shows that the server has more', async () => {
  const app = await openKeys({
    fill(kv) {
      fillDemo(kv);
      for (let index = 0; index < 2500; index++) kv.put(sessions, `k${String(index).padStart(5, '0')}`, 'x');
      kv.put(sessions, 'a user:2', '');
    },
  });
  await app.screen.waitFor('1,000 loaded, more on the server');
  await app.go(['G'], 'k00997');
  await app.screen.waitFor('2,000 loaded, more on the server');
  await app.go(['G'], 'k01997');
  await app.go(['G'], '2,504 keys');
  await app.go(['G'], 'user:2');
  expect(app.kv.calls.filter((call) => call.startsWith('listKeys')).length).toBe(3);
});

test('rereads the list of keys, and keeps the selection', async () => {
  const app = await openKeys();
  await app.go(['G'], (screen) => screen.selected()?.includes('user:2') ?? false);
  app.kv.put(sessions, 'aaa', 'new');
  await app.go(['r'], 'aaa');
  expect(app.screen.selected()).toContain('user:2');
});

test('shows that the list is loading until the platform answers, and draws nothing else', async () => {
  const app = await openKeys();
  await app.screen.waitFor('3 keys');
  const release = app.kv.hold('listKeys');
  await app.go(['r'], 'loading… · 3 loaded');
  const before = app.screen.raw.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(app.screen.raw.length).toBe(before);
  release();
  await app.screen.waitFor('sessions · 3 keys');
  expect(app.screen.text()).not.toContain('loading');
});

test('shows an error until the user dismisses it, and can retry', async () => {
  const app = openConsole({ fill: fillDemo });
  await app.screen.waitFor('demo-flags');
  app.kv.failNext(
    'listKeys',
    new Problem('not-permitted', 'No permission.', { hint: 'Ask for it.', requestId: 'ray-1' }),
  );
  await app.go(['enter'], 'error: No permission.');
  expect(app.screen.text()).toContain('hint: Ask for it.');
  expect(app.screen.text()).toContain('request id: ray-1');
  await app.go(['j', 'x', 'r'], 'No keys yet');
});

test('drops a result that arrives after the pane was closed', async () => {
  const app = await openKeys();
  const release = app.kv.hold('readKey');
  await app.go(['enter'], 'Reading…');
  await app.go(['esc'], 'Enter value');
  release();
  await app.go(['down', 'enter'], '"Ada"');
});

test('shows a value in several views, searches it, and copies it', async () => {
  const app = await openKeys({
    fill(kv) {
      fillDemo(kv);
      kv.put(sessions, 'a', Array.from({ length: 200 }, (_, line) => `line ${line}`).join('\n'));
      kv.put(sessions, 'a user:2', '');
    },
  });
  await app.go(['g', 'enter'], 'line 18');
  await app.go(['G'], 'line 199');
  await app.go(['g', '/', ...'line 15', 'enter'], (screen) => screen.lines()[3] === 'line 15');
  await app.go(['n'], (screen) => screen.lines()[3] === 'line 150');
  await app.go(['tab', 'tab'], '00000000');
  await app.go(['tab'], 'metadata  none');
  await app.go(['y'], 'Copied the value');
  expect(
    app.screen.clipboards.map((data) => Buffer.from(data.slice(2), 'base64').toString().slice(0, 6)),
  ).toEqual(['line 0']);
});

test('does not copy text that a clipboard would truncate', async () => {
  const app = await openKeys({ fill: withKey('a', 'x'.repeat(75_000)) });
  await app.go(['enter'], 'xxxx');
  await app.go(['y'], 'Not copied');
  expect(app.screen.clipboards).toEqual([]);
});

test('copies the real name of a key, not its displayed form', async () => {
  const name = 'a\u202eb\\c';
  const app = await openKeys({ fill: withKey(name, '') });
  await app.go(['y'], 'Copied the name a<U+202E>b\\c');
  expect(Buffer.from(app.screen.clipboards[0]?.slice(2) ?? '', 'base64').toString()).toBe(name);
});

test('removes a key from the list if it was deleted before the user opened it', async () => {
  const app = await openKeys();
  app.kv.remove(sessions, 'image');
  await app.go(['enter'], 'This key was deleted or has expired');
  await app.go(['esc'], '2 keys');
});

test('folds JSON as a tree, keeps the line, and copies its path', async () => {
  const app = await openKeys();
  await app.go(['down', 'enter'], (screen) => screen.selected()?.startsWith('{') === true);
  await app.go(['j', 'j', 'j'], (screen) => screen.selected()?.includes('"admin"') === true);
  await app.go(['P'], "✓ Copied the path (10 B) to the terminal's clipboard.");
  expect(app.screen.clipboards.at(-1)).toBe(`c;${Buffer.from('$.roles[0]').toString('base64')}`);
  await app.go(['enter'], '"roles": […]  2 lines');
  expect(app.screen.selected()).toContain('"roles": […]');
  await app.go(['+'], '"admin"');
  await app.go(['-'], '"roles": […]');
  // A search opens the fold that contains the match, and no other fold.
  await app.go(['/', ...'admin', 'enter'], (screen) => screen.selected()?.includes('"admin"') === true);
  expect(app.screen.text()).toContain('match 1 of 1');
  await app.go(['esc', 'tab'], 'as hex ·');
  await app.go(['enter'], '! Only JSON can be folded');
});

test('updates the time until the expiry of a key while the key is on the screen', async () => {
  let now = testNow + 7200_000 - 500_000;
  const app = await openKeys({ now: () => now });
  await app.go(['down', 'down', 'enter'], 'expires in 8m20s');
  now += 61_000;
  await app.screen.waitFor('expires in 7m19s');
});

test('shows the column EXPIRES only if a key expires, if the list is sorted by the column, or if the user chose it', async () => {
  const app = await openKeys({
    fill(kv) {
      kv.namespaces.push({ id: sessions, title: 'demo-sessions' });
      for (const key of ['user:1', 'user:2']) kv.put(sessions, key, 'x');
    },
  });
  expect(app.screen.text()).not.toContain('EXPIRES');
  await app.go(['o'], 'EXPIRES');
  await app.go(['o', 'o'], 'sorted by key');
  expect(app.screen.text()).not.toContain('EXPIRES');
  await app.go(['o'], (screen) => !screen.text().includes('sorted by'));
  await app.go(['#', 'ctrl+u', ...'expires meta', 'enter'], (screen) =>
    /KEY +EXPIRES +META/.test(screen.text()),
  );
  await app.go(['#', 'ctrl+u', 'enter'], (screen) => !screen.text().includes('EXPIRES'));
  await app.go(['ctrl+e'], 'When does user:1 expire?');
  await app.go([...'7d', 'enter'], 'EXPIRES');
  expect(app.screen.selected()).toMatch(/^user:1 +7d$/);
});

test('shows the column EXPIRES after the default columns are restored in a list that was opened without it', async () => {
  const app = await openKeys({
    fill(kv) {
      kv.namespaces.push({ id: sessions, title: 'demo-sessions' });
      for (const key of ['user:1', 'user:2'])
        kv.put(sessions, key, 'x', { expiration: testNow / 1000 + 7200 });
    },
  });
  await app.go(['#', 'ctrl+u', ...'meta', 'enter'], (screen) => !screen.text().includes('EXPIRES'));
  await app.go(['esc'], 'Enter keys');
  await app.go(['enter'], (screen) => /KEY +META/.test(screen.text()));
  await app.go(['#', 'ctrl+u', 'enter'], (screen) => /KEY +EXPIRES +META/.test(screen.text()));
});
