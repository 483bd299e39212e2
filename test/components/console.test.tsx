import { expect, test } from 'vitest';
import { Problem } from '../../src/model/problem.ts';
import type { MemoryKv } from './memory-kv.ts';
import { fillDemo, openConsole, testNow } from './open-console.tsx';

const sessions = 'a'.repeat(32);

/** The console on the keys of `demo-sessions`. */
async function openKeys(options: Parameters<typeof openConsole>[0] = {}) {
  const app = openConsole({ fill: fillDemo, ...options });
  await app.screen.waitFor('demo-sessions');
  await app.go(['down'], (screen) => screen.selected()?.includes('demo-sessions') ?? false);
  await app.go(['enter'], 'user:2');
  return app;
}

function withKey(key: string, value: string): (kv: MemoryKv) => void {
  return (kv) => {
    fillDemo(kv);
    kv.put(sessions, key, value);
  };
}

test('drills down from namespaces to keys to a value, and back with Esc', async () => {
  const app = await openKeys();
  await app.go(['down', 'enter'], '"Ada"');
  expect(app.screen.lines()[1]).toBe('Namespaces › demo-sessions › user:1 · 38 B, JSON · json · 100%');
  await app.go(['esc'], 'Enter value');
  expect(app.screen.selected()).toContain('user:1');
  await app.go(['esc'], 'demo-flags');
  expect(app.screen.selected()).toContain('demo-sessions');
  app.press('q');
  expect(await app.ended).toBe(0);
});

test('says who acts where, on every pane', async () => {
  const app = await openKeys({
    label: { target: 'production', readOnly: true, accountLabel: 'Acme\u001b[31m' },
  });
  expect(app.screen.lines()[0]).toBe('PRODUCTION READ-ONLY  demo · Acme\\e[31m');
  await app.go(['enter'], 'hex');
  expect(app.screen.lines()[0]).toBe('PRODUCTION READ-ONLY  demo · Acme\\e[31m');
});

test('shows when keys expire and which have metadata, with the name last', async () => {
  const app = await openKeys();
  const rows = app.screen.lines().filter((line) => /image|user:/.test(line));
  expect(rows.map((row) => row.trimEnd())).toEqual([
    '               image',
    '         {}    user:1',
    '     2h        user:2',
  ]);
});

test('takes keys that come in one read one after the other', async () => {
  const app = await openKeys();
  app.send('\u001b[B\u001b[Bk\r');
  await app.screen.waitFor('"Ada"');
});

test('leaves by Ctrl-C with 130, also from a form, and closes the session', async () => {
  const app = await openKeys();
  await app.go(['n'], 'New key');
  app.press('ctrl+c');
  expect(await app.ended).toBe(130);
  expect(app.sessions()).toBe(0);
  expect(app.screen.modes()).toEqual({
    alternate: false,
    wrap: true,
    paste: false,
    mouse: 'none',
    cursor: true,
  });
  expect(app.isRaw()).toBe(false);
});

test('leaves when the process is told to end', async () => {
  const app = await openKeys();
  app.interrupt();
  expect(await app.ended).toBe(130);
  expect(app.screen.modes().alternate).toBe(false);
});

test('writes a new key with a time to live and metadata, and shows it selected', async () => {
  const app = await openKeys();
  await app.go(['n'], 'New key');
  app.press(...'user:1b', 'tab', ...'hello', 'tab', ...'90m', 'tab', ...'{"a":1}');
  await app.screen.waitFor('{"a":1}');
  await app.go(['enter'], 'Stored user:1b.');
  expect(app.screen.selected()).toMatch(/1h {2}\{\} {4}user:1b/);
  const entry = { name: 'user:1b', expiration: testNow / 1000 + 5400, metadata: { a: 1 } };
  expect(app.kv.find(sessions, 'user:1b')).toEqual({ entry, value: Buffer.from('hello') });
});

test('shows errors beside their fields and sends nothing', async () => {
  const app = await openKeys();
  await app.go(['n'], 'New key');
  app.press(...'a b', 'tab', 'tab', ...'soon', 'enter');
  await app.screen.waitFor('white space');
  await app.screen.waitFor('"soon" is not a duration');
  expect(app.kv.calls.some((call) => call.startsWith('writeValue'))).toBe(false);
});

test('keeps a form as it was typed when the platform refuses, and can save it again', async () => {
  const app = await openKeys();
  app.kv.failNext(
    'writeValue',
    new Problem('unreachable', 'The platform does not answer.', { requestId: 'ray-77' }),
  );
  await app.go(['n'], 'New key');
  app.press(...'new', 'tab', ...'value', 'enter');
  await app.screen.waitFor('error: The platform does not answer.');
  expect(app.screen.text()).toContain('request id: ray-77');
  await app.go(['enter'], 'Stored new.');
  expect(app.kv.find(sessions, 'new')?.value.toString()).toBe('value');
});

test('asks before it replaces a key that exists; no goes back to the form', async () => {
  const app = await openKeys();
  await app.go(['n'], 'New key');
  app.press(...'user:2', 'tab', ...'mine', 'enter');
  await app.screen.waitFor('The key user:2 exists already. Replace it?');
  await app.go(['enter'], 'New key');
  expect(app.screen.text()).toContain('mine');
  await app.go(['enter'], 'exists already');
  await app.go(['down', 'enter'], 'Stored user:2.');
  expect(app.kv.find(sessions, 'user:2')?.value.toString()).toBe('mine');
});

test('edits value, expiry and metadata of a key in one form', async () => {
  const app = await openKeys();
  await app.go(['down', 'e'], 'Edit user:1');
  await app.go(['ctrl+u', ...'changed', 'tab', ...'2h', 'enter'], 'Stored user:1.');
  expect(app.kv.find(sessions, 'user:1')).toEqual({
    entry: { name: 'user:1', expiration: testNow / 1000 + 7200, metadata: { owner: 'web' } },
    value: Buffer.from('changed'),
  });
});

test('asks before it overwrites what others have written meanwhile', async () => {
  const app = await openKeys();
  await app.go(['down', 'e'], 'Edit user:1');
  app.kv.put(sessions, 'user:1', 'theirs');
  await app.go([...'x', 'enter'], 'has changed since you opened it');
  await app.go(['esc'], 'Edit user:1');
  expect(app.kv.find(sessions, 'user:1')?.value.toString()).toBe('theirs');
});

test('sets when a key expires', async () => {
  const app = await openKeys();
  await app.go(['s'], 'When does image expire?');
  await app.go([...'7d', 'enter'], 'Stored image.');
  expect(app.screen.selected()).toMatch(/7d {2} {6}image/);
});

test('deletes a key only after a yes that is not the first answer, and ignores digits', async () => {
  const app = await openKeys();
  await app.go(['d'], 'Delete the key image?');
  expect(app.screen.text()).toContain(`Namespace: demo-sessions (${sessions}).`);
  await app.go(['2', '1', 'enter'], 'Enter value');
  expect(app.kv.find(sessions, 'image')).toBeDefined();
  await app.go(['d'], 'Delete the key image?');
  await app.go(['down', 'enter'], 'Deleted image.');
  expect(app.kv.find(sessions, 'image')).toBeUndefined();
  expect(app.screen.selected()).toContain('user:1');
});

test('runs no shortcut for a paste, and takes one into a field without what cannot be shown', async () => {
  const app = await openKeys();
  app.send('\u001b[200~dq\r\u001b[201~');
  await app.go(['n'], 'New key');
  app.send('\u001b[200~pasted\u001b]0;title\u0007key\u001b[201~');
  await app.screen.waitFor('pasted]0;titlekey');
  await app.screen.waitFor('2 characters of the paste left out');
  expect(app.screen.titles).toEqual([]);
});

test('filters while one types, asks the platform for a prefix with Enter, and Esc clears', async () => {
  const app = await openKeys();
  await app.go(['/', ...'er:'], '2 of 3 loaded');
  expect(app.screen.text()).not.toContain('image');
  await app.go(['esc'], 'image');
  await app.go(['/', ...'user', 'enter'], 'prefix user');
  expect(app.kv.calls).toContain(`listKeys ${sessions} prefix=user from=0`);
  await app.go(['esc'], 'image');
});

test('keeps a filter when one goes on to the list', async () => {
  const app = await openKeys();
  await app.go(['/', ...'2', 'down'], 'Enter value');
  await app.go(['enter'], 'second line');
  await app.go(['esc'], '1 of 3');
});

test('loads pages as one scrolls, and says that more is on the server', async () => {
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

test('reads the list again with the selection kept', async () => {
  const app = await openKeys();
  await app.go(['G'], (screen) => screen.selected()?.includes('user:2') ?? false);
  app.kv.put(sessions, 'aaa', 'new');
  await app.go(['r'], 'aaa');
  expect(app.screen.selected()).toContain('user:2');
});

test('keeps an error until it is read, and tries again', async () => {
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

test('drops an answer that comes after the pane was left', async () => {
  const app = await openKeys();
  const release = app.kv.hold('readValue');
  await app.go(['enter'], 'Reading…');
  await app.go(['esc'], 'Enter value');
  release();
  await app.go(['down', 'enter'], '"Ada"');
});

test('looks through a value in its views, searches it, and copies it', async () => {
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
  await app.go(['3'], '00000000');
  await app.go(['4'], 'metadata  none');
  await app.go(['y'], 'Copied the value');
  expect(
    app.screen.clipboards.map((data) => Buffer.from(data.slice(2), 'base64').toString().slice(0, 6)),
  ).toEqual(['line 0']);
});

test('does not copy what a clipboard would cut off', async () => {
  const app = await openKeys({ fill: withKey('a', 'x'.repeat(75_000)) });
  await app.go(['enter'], 'xxxx');
  await app.go(['y'], 'Not copied');
  expect(app.screen.clipboards).toEqual([]);
});

test('copies a name as it is, not as it is shown', async () => {
  const name = 'a\u202eb\\c';
  const app = await openKeys({ fill: withKey(name, '') });
  await app.go(['y'], 'Copied the name a\\u{202e}b\\\\c');
  expect(Buffer.from(app.screen.clipboards[0]?.slice(2) ?? '', 'base64').toString()).toBe(name);
});

test('deletes from the value pane, and the list knows', async () => {
  const app = await openKeys();
  await app.go(['enter'], 'hex');
  await app.go(['d'], 'Delete the key image?');
  await app.go(['down', 'enter'], 'Deleted image.');
  expect(app.screen.text()).toContain('2 keys');
});

test('drops a key from the list that was gone when it was opened', async () => {
  const app = await openKeys();
  app.kv.remove(sessions, 'image');
  await app.go(['enter'], 'This key is gone');
  await app.go(['esc'], '2 keys');
});

test('creates, renames and deletes namespaces; deleting asks for the title', async () => {
  const app = openConsole({ fill: fillDemo });
  await app.screen.waitFor('demo-flags');
  await app.go(['n', ...'alpha', 'enter'], '3 namespaces');
  expect(app.screen.selected()).toContain('alpha');
  await app.go(['e', 'ctrl+u', ...'omega', 'enter'], 'omega');
  await app.go(['d'], 'will be lost');
  await app.go([...'omeg', 'enter'], 'This is not its title.');
  expect(app.kv.namespaces.length).toBe(3);
  await app.go([...'a', 'enter'], '2 namespaces');
  expect(app.kv.namespaces.map(({ title }) => title)).not.toContain('omega');
});

test('shows in the form why a namespace cannot be created', async () => {
  const app = openConsole({ fill: fillDemo });
  await app.screen.waitFor('demo-flags');
  await app.go(['n', ...'demo-flags', 'enter'], 'already exists');
  expect(app.screen.text()).toContain('request id: ray-1');
});

test('refuses to write in a read-only session, and says why', async () => {
  const app = await openKeys({ label: { readOnly: true } });
  for (const press of ['n', 'e', 'E', 's', 'd']) {
    await app.go([press], 'This session is read-only.');
    await app.go(['down', 'up'], 'Enter value');
  }
  await app.go(['?'], 'Write a new key (This session is read-only)');
});

test('switches the target, begins with its namespaces, and closes the session before', async () => {
  const app = await openKeys();
  await app.go(['t'], '> local');
  await app.go(['up', 'enter'], 'PREVIEW');
  await app.screen.waitFor('2 namespaces');
  expect(app.sessions()).toBe(1);
});

test('stays where it is when the other target cannot be opened', async () => {
  const refuse = (target: string) =>
    target === 'production' ? new Problem('not-signed-in', 'No token.') : undefined;
  const app = await openKeys({ refuse });
  await app.go(['t', 'up', 'up', 'enter'], 'error: No token.');
  await app.go(['esc'], 'user:2');
  expect(app.screen.lines()[0]).toContain('LOCAL');
  expect(app.sessions()).toBe(1);
});

test('refuses to open at all when the first session is refused, with the screen untouched', async () => {
  const app = openConsole({ refuse: () => new Problem('not-signed-in', 'No token.') });
  await expect(app.ended).rejects.toMatchObject({ code: 'not-signed-in' });
  expect(app.screen.raw).toBe('');
});

test('shows what a session notes in place of the footer until the next press, escaped', async () => {
  const app = await openKeys();
  app.note('Retried once\u001b[2J.');
  await app.screen.waitFor('Retried once\\e[2J.');
  await app.go(['down'], 'Enter value');
});

test('shows what was noted before there was a screen', async () => {
  const app = openConsole({ fill: fillDemo, note: 'Read wrangler.toml.' });
  await app.screen.waitFor('Read wrangler.toml.');
});

test('finds a shortcut in the help by a word', async () => {
  const app = await openKeys();
  await app.go(['?', ...'prefix'], (screen) => /search: prefix/.test(screen.text()));
  expect(app.screen.text()).toContain('Show loaded keys that contain a text');
  await app.go(['esc'], 'Enter value');
});

test('draws nothing while nobody does anything', async () => {
  const app = await openKeys();
  await app.screen.waitFor('3 keys');
  await app.go(['down'], (screen) => screen.selected()?.includes('user:1') ?? false);
  const before = app.screen.raw.length;
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(app.screen.raw.length).toBe(before);
});
