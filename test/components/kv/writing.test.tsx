import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { undoService } from '../../../src/services/console/undo.ts';
import { scratchFolder } from '../../support/world.ts';
import { fillDemo, openConsole, openKeys, sessions, testNow } from '../open-console.tsx';
import { openPlatform } from '../open-objects.tsx';

/** Creates an editor that saves its input, waits for a signal, and appends a word. */
function slowEditor() {
  const folder = scratchFolder('editor');
  const [given, go] = [join(folder, 'given'), join(folder, 'go')];
  const path = join(folder, 'edit.sh');
  const wait = `while [ ! -e ${go} ]; do sleep 0.01; done; rm ${go}`;
  writeFileSync(path, `cp "$1" ${given}; ${wait}; printf mine >> "$1"`);
  return {
    env: { PATH: process.env['PATH'] ?? '', EDITOR: `sh ${path}` },
    opened: () => existsSync(given),
    given: () => readFileSync(given, 'utf8'),
    go: () => writeFileSync(go, ''),
    forget: () => rmSync(given),
  };
}

test('writes a new key with a time to live and metadata, and shows it selected', async () => {
  const app = await openKeys();
  await app.go(['n'], 'New key');
  app.press(...'user:1b', 'tab', ...'hello', 'tab', ...'90m', 'tab', ...'{"a":1}');
  await app.screen.waitFor('{"a":1}');
  await app.go(['enter'], 'Stored user:1b.');
  expect(app.screen.selected()).toMatch(/^user:1b +1h30m +a=1$/);
  const entry = { name: 'user:1b', expiration: testNow / 1000 + 5400, metadata: { a: 1 } };
  expect(app.kv.find(sessions, 'user:1b')).toEqual({ entry, value: Buffer.from('hello') });
});

test('moves from the name of a new key to its value on Enter, and writes the key on a second Enter', async () => {
  const app = await openKeys();
  await app.go(['n'], 'Enter next');
  await app.go([...'user:1c', 'enter'], '> Value');
  expect(app.kv.find(sessions, 'user:1c')).toBe(undefined);
  await app.go([...'hello', 'enter'], 'Stored user:1c.');
  expect(app.kv.find(sessions, 'user:1c')?.value).toEqual(Buffer.from('hello'));
});

test('shows errors next to their fields and sends nothing', async () => {
  const app = await openKeys();
  await app.go(['n'], 'New key');
  app.press(...'a b', 'tab', 'tab', ...'soon', 'enter');
  await app.screen.waitFor('hitespace and');
  await app.screen.waitFor('Not a time');
  expect(app.kv.calls.some((call) => call.startsWith('writeKey'))).toBe(false);
});

test('keeps the input of a form if the platform rejects the write, and can save the input again', async () => {
  const app = await openKeys();
  app.kv.failNext(
    'writeKey',
    new Problem('unreachable', 'The platform does not answer.', { requestId: 'ray-77' }),
  );
  await app.go(['n'], 'New key');
  app.press(...'new', 'tab', ...'value', 'enter');
  await app.screen.waitFor('error: The platform does not answer.');
  expect(app.screen.text()).toContain('request id: ray-77');
  await app.go(['enter'], 'Stored new.');
  expect(app.kv.find(sessions, 'new')?.value.toString()).toBe('value');
});

test('asks before it replaces an existing key; No returns to the form', async () => {
  const app = await openKeys();
  await app.go(['n'], 'New key');
  app.press(...'user:2', 'tab', ...'mine', 'enter');
  await app.screen.waitFor('The key user:2 already exists. Replace it?');
  await app.go(['enter'], 'New key');
  expect(app.screen.text()).toContain('mine');
  await app.go(['enter'], 'already exists');
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

test('asks before it overwrites changes by others', async () => {
  const app = await openKeys();
  await app.go(['down', 'e'], 'Edit user:1');
  app.kv.put(sessions, 'user:1', 'theirs');
  await app.go([...'x', 'enter'], 'has changed since you opened it');
  await app.go(['esc'], 'Edit user:1');
  expect(app.kv.find(sessions, 'user:1')?.value.toString()).toBe('theirs');
});

test('compares JSON line by line when someone else changed it, although both values have a single line', async () => {
  const app = await openKeys({ columns: 120, rows: 40 });
  await app.go(['down', 'e'], 'Edit user:1');
  app.kv.put(sessions, 'user:1', '{"name":"Ada","roles":["admin"],"id":12345678901234567890}');
  const mine = '{"name":"Ada","roles":["reader"],"id":12345678901234567890}';
  await app.go(['ctrl+u', ...mine, 'enter'], '- stored  + new  1 line removed, 1 added  JSON, formatted');
  expect(app.screen.text()).toMatch(/^╭─ user:1 has changed since you opened it\. Replace it\? ─+╮$/m);
  expect(app.screen.text()).toMatch(
    /4 - {5}"admin"\s.*\n.*4 \+ {5}"reader"\s.*\n.*5 {5}\],\s.*\n.*6 {5}"id": 12345678901234567890/,
  );
  await app.go(['y'], 'Stored user:1.');
  expect(app.kv.find(sessions, 'user:1')?.value.toString()).toBe(mine);
});

test('compares JSON as it is stored when only white space differs', async () => {
  const app = await openKeys({ columns: 120, rows: 40 });
  await app.go(['down', 'e'], 'Edit user:1');
  app.kv.put(sessions, 'user:1', '{"name": "Ada"}');
  await app.go(['ctrl+u', ...'{"name":"Ada"}', 'enter'], '1 line removed, 1 added');
  expect(app.screen.text()).toMatch(/1 - \{"name": "Ada"\}\s.*\n.*1 \+ \{"name":"Ada"\}/);
  expect(app.screen.text()).not.toContain('formatted');
});

test('sets the expiry of a key', async () => {
  const app = await openKeys();
  await app.go(['ctrl+e'], 'When does image expire?');
  await app.go([...'7d', 'enter'], 'Stored image.');
  expect(app.screen.selected()).toMatch(/^image +7d$/);
});

test('deletes a key only after Yes is selected, which is not the default, and ignores digits', async () => {
  const app = await openKeys();
  await app.go(['d'], 'Delete the key image?');
  expect(app.screen.text()).toContain(`Namespace: demo-sessions (${sessions})`);
  await app.go(['2', '1', 'enter'], 'Enter value');
  expect(app.kv.find(sessions, 'image')).toBeDefined();
  await app.go(['d'], 'Delete the key image?');
  await app.go(['down', 'enter'], 'Deleted image.');
  expect(app.kv.find(sessions, 'image')).toBeUndefined();
  expect(app.screen.selected()).toContain('user:1');
});

test('deletes a key in the background on a slow server; the row shows the deletion, and other shortcuts stay available', async () => {
  const app = await openKeys();
  const letGo = app.kv.hold('removeKey');
  await app.go(['d'], 'Delete the key image?');
  await app.go(['y'], (screen) => /^image +deleting…$/m.test(screen.text()));
  await app.go(['d'], 'Wait: deleting.');
  await app.go(['down', 'd'], 'Delete the key user:1?');
  await app.go(['y'], 'sending 2 changes…');
  await app.go(['enter'], '"Ada"');
  await app.go(['esc'], 'sending 2 changes…');
  await app.go(['/', ...'im', 'enter'], (screen) => !screen.text().includes('user:1'));
  await app.go(['esc'], 'user:2');
  await app.go(['esc'], 'TITLE');
  await app.go(['q'], 'Still deleting. Press q again to quit.');
  await app.go(['t', 'up', 'enter'], 'Switch to preview without waiting for the result?');
  await app.go(['n'], 'TITLE');
  await app.go(['enter'], 'image');
  letGo();
  await app.screen.waitFor((screen) => !/^(image|user:1)/m.test(screen.text()));
  expect(app.screen.text()).toMatch(/Deleted (image|user:1)\./);
});

test('shows a running deletion in the tree view', async () => {
  const app = await openKeys();
  app.kv.hold('removeKey');
  await app.go(['T'], 'tree by');
  await app.go(['d'], 'Delete the key image?');
  await app.go(['y'], (screen) => /image +deleting…$/m.test(screen.text()));
});

test('links to a failed deletion if the user was in another pane, and can retry the deletion', async () => {
  const app = await openKeys();
  const letGo = app.kv.hold('removeKey');
  app.kv.failNext('removeKey', new Problem('unreachable', 'No answer.'));
  await app.go(['d'], 'Delete the key image?');
  await app.go(['y'], 'deleting…');
  await app.go(['esc'], 'TITLE');
  letGo();
  await app.screen.waitFor("Deleting failed: No answer. Press ' to return to the change.");
  await app.go(['5'], "1 failed (')");
  await app.go(["'"], 'error: No answer.');
  expect(app.screen.text()).toMatch(/^image/m);
  await app.go(['r'], 'Deleted image.');
  expect(app.kv.find(sessions, 'image')).toBeUndefined();
  expect(app.screen.text()).not.toContain('failed');
});

test('links from a failed background save to the form with the input and the error', async () => {
  const app = await openKeys();
  const letGo = app.kv.hold('writeKey');
  app.kv.failNext('writeKey', new Problem('unreachable', 'No answer.'));
  await app.go(['n', ...'new', 'tab', ...'typed'], 'typed');
  await app.go(['enter'], 'saving…');
  await app.go(['esc'], (screen) => screen.text().includes('saving…') && !screen.text().includes('New key'));
  await app.go(['/', ...'user', 'enter'], 'filter: user');
  letGo();
  await app.screen.waitFor("Saving failed: No answer. Press ' to return to the change.");
  await app.go(["'"], 'error: No answer.');
  expect(app.screen.text()).toContain('typed');
  await app.go(['enter'], 'Stored new.');
});

test('closes the form if a save takes long, and asks afterward if the key already exists', async () => {
  const app = await openKeys();
  const letGo = app.kv.hold('readKey');
  await app.go(['n', ...'user:2', 'tab', ...'mine'], 'mine');
  await app.go(['enter'], 'saving…');
  await app.screen.waitFor((screen) => !screen.text().includes('New key'));
  expect(app.screen.text()).toMatch(/^user:2 +saving…$/m);
  letGo();
  await app.screen.waitFor("Saving needs an answer. Press ' to return to the change.");
  expect(app.screen.text()).toMatch(/^user:2 +saving needs an answer$/m);
  await app.go(["'"], 'The key user:2 already exists. Replace it?');
  await app.go(['n'], 'New key');
  expect(app.screen.text()).toContain('mine');
});

test('runs no shortcut during a paste; a field stores the paste unchanged and shows it escaped', async () => {
  const app = await openKeys();
  app.send('\u001b[200~dq\r\u001b[201~');
  await app.go(['n'], 'New key');
  app.send('\u001b[200~pasted\u001b]0;title\u0007key\u001b[201~');
  await app.screen.waitFor('pasted␛]0;title␇key');
  expect(app.screen.titles).toEqual([]);
});

test('stores typed and pasted text byte for byte, over several lines', async () => {
  const app = await openKeys();
  await app.go(['n', ...'lines', 'tab'], 'New key');
  app.send('\u001b[200~👨\u200d👩 \u200b\r-----END-----\r\u001b[201~');
  await app.screen.waitFor('2 lines, 20 characters.');
  app.press('ctrl+j', 'x', 'enter');
  await app.screen.waitFor('Stored lines.');
  const value = '👨\u200d👩 \u200b\n-----END-----\n\nx';
  expect(app.kv.find(sessions, 'lines')?.value.toString()).toBe(value);
});

test('shows the difference before a form changes a value with several lines; No returns to the form', async () => {
  const app = await openKeys();
  await app.go(['end'], (screen) => screen.selected()?.startsWith('user:2') ?? false);
  await app.go(['e'], 'Edit user:2');
  await app.go(['end', '!', 'enter'], 'Store this in user:2 of demo-sessions?');
  expect(app.screen.text()).toMatch(/^2 - second line$/m);
  expect(app.screen.text()).toMatch(/^2 \+ second line!$/m);
  expect(app.kv.find(sessions, 'user:2')?.value.toString()).toBe('plain text\nsecond line');
  await app.go(['n'], 'Edit user:2');
  await app.go(['enter'], 'No, change nothing');
  await app.go(['y'], 'Stored user:2.');
  expect(app.kv.find(sessions, 'user:2')?.value.toString()).toBe('plain text\nsecond line!');
});

test('reports an invalid time to live of any length without covering the list', async () => {
  const app = await openKeys();
  await app.go(['n', ...'new', 'tab', 'tab'], 'New key');
  app.send('x'.repeat(10_000));
  await app.go(['enter'], 'Not a time');
  expect(app.screen.text()).toContain('user:1');
});

test('inserts ten thousand characters into a field as one edit, and keeps them editable', async () => {
  const app = await openKeys();
  await app.go(['n', 'tab'], 'New key');
  app.send(`${'x'.repeat(10_000)}end`);
  await app.go([], 'xxxend');
  await app.go(['ctrl+a', 'Y'], 'Yxxx');
  await app.go(['ctrl+e', 'ctrl+w'], (screen) => !screen.text().includes('xxx'));
  await app.go([...'short', 'shift+tab', ...'new', 'enter'], 'Stored new.');
  expect(app.kv.find(sessions, 'new')?.value.toString()).toBe('short');
});

test('shows a stored value in the value pane without rereading the value', async () => {
  const app = await openKeys();
  await app.go(['down', 'enter'], '"name": "Ada"');
  await app.go(['e'], 'Edit user:1');
  await app.go(['ctrl+u', ...'{"name":"Eve"}', 'enter'], 'Stored user:1.');
  await app.screen.waitFor('"name": "Eve"');
  const reads = app.kv.calls.filter((call) => call.startsWith('readKey'));
  expect(reads).toHaveLength(2);
});

test('deletes a key without a question if undo covers it and the setting disables questions', async () => {
  const { session } = await openPlatform();
  const app = await openKeys({ services: { undo: { ...undoService(session), keeps: true, asks: false } } });
  await app.go(['d'], 'Deleted image.');
  expect(app.kv.find(sessions, 'image')).toBeUndefined();
});

test('deletes from the value pane, and updates the list', async () => {
  const app = await openKeys();
  await app.go(['enter'], 'hex');
  await app.go(['d'], 'Delete the key image?');
  await app.go(['down', 'enter'], 'Deleted image.');
  expect(app.screen.text()).toContain('2 keys');
});

test('creates, renames and deletes namespaces, and requires the title before it deletes a namespace', async () => {
  const app = openConsole({ fill: fillDemo, label: { target: 'production' } });
  await app.screen.waitFor('demo-flags');
  await app.go(['n'], 'Enter save');
  await app.go([...'alpha', 'enter'], '3 namespaces');
  expect(app.screen.selected()).toContain('alpha');
  await app.go(
    ['e', 'ctrl+u', ...'omega', 'enter'],
    (screen) => screen.selected()?.includes('omega') ?? false,
  );
  expect(app.screen.text()).toMatch(/demo-flags.*demo-sessions.*omega/s);
  await app.go([], ' to omega.');
  await app.go(['d'], 'The namespace has no keys.');
  await app.go([...'omeg', 'enter'], 'The title does not match.');
  expect(app.screen.lines().at(-1)).toMatch(/^Enter delete /);
  expect(app.kv.namespaces.length).toBe(3);
  await app.go([...'a', 'enter'], '2 namespaces');
  expect(app.kv.namespaces.map(({ title }) => title)).not.toContain('omega');
});

test.each([
  [80, 24],
  [40, 12],
])('shows what to do on a screen of %ix%i when local data has no namespaces', async (columns, rows) => {
  const app = openConsole({ columns, rows });
  await app.screen.waitFor('0 namespaces');
  const wanted =
    'Local data has no list of namespaces: bind a namespace in edgectl.toml ([[kv_namespaces]]), ' +
    'or write to a namespace with edgectl kv key put';
  await app.screen.waitFor((screen) => screen.lines().join(' ').replaceAll(/ +/g, ' ').includes(wanted));
  expect(app.screen.text()).not.toContain('n new');
  await app.go(['n'], (screen) => /^! Local data has no list of namespaces/m.test(screen.text()));
  expect(app.screen.text()).not.toContain('New namespace');
});

test('deletes the content of a local namespace, but neither creates nor renames local namespaces', async () => {
  const app = openConsole({ fill: fillDemo });
  await app.screen.waitFor('demo-flags');
  await app.go(['n'], 'Local data has no list of namespaces: bind a namespace in edgectl.toml.');
  await app.go(['e'], 'Local namespaces have no titles.');
  await app.go(['?', ...'title'], 'Change the title of the namespace (Local namespaces have no titles)');
  await app.go(['esc'], 'Esc close');
  await app.go(['esc'], 'Enter keys');
  await app.go(['d'], 'PERMANENT: cannot be undone');
  await app.go([...'demo-flags', 'enter'], '1 namespace');
  expect(app.kv.calls.filter((call) => /^(create|rename)/.test(call))).toEqual([]);
});

test('explains that the preview target does not list a namespace with another title', async () => {
  const app = openConsole({ fill: fillDemo, label: { target: 'preview' } });
  await app.screen.waitFor('demo-flags');
  await app.go(
    ['n', ...'api', 'enter'],
    'Created api. Not listed in the preview target: press t for production.',
  );
  await app.go(['n', ...'api_preview', 'enter'], 'Created api_preview.');
});

test('the form shows why a namespace cannot be created', async () => {
  const app = openConsole({ fill: fillDemo, label: { target: 'production' } });
  await app.screen.waitFor('demo-flags');
  await app.go(['n', ...'demo-flags', 'enter'], 'already exists');
  expect(app.screen.text()).toContain('request id: ray-1');
});

test('refuses to write in a read-only session, and shows the reason', async () => {
  const app = await openKeys({ label: { readOnly: true } });
  for (const press of ['n', 'e', 'E', 'ctrl+e', 'd']) {
    await app.go([press], 'This session is read-only.');
    await app.go(['down', 'up'], 'Enter value');
  }
  await app.go(['?', ...'new key'], 'Write a new key (This session is read-only)');
});

test('shows how a value changed by others differs, and offers to store, edit or discard the new text', async () => {
  const editor = slowEditor();
  const app = await openKeys({ env: editor.env });
  app.press('G', 'E');
  await expect.poll(editor.opened, { timeout: 5000 }).toBe(true);
  app.kv.put(sessions, 'user:2', 'plain text\ntheirs');
  editor.go();
  await app.screen.waitFor('user:2 has changed since you opened it. Replace it?');
  await app.screen.waitFor((drawn) => /2 - theirs\s+2 \+ second linemine/.test(drawn.text()));
  await app.go(['esc'], 'Enter value');
  expect(app.screen.text()).toContain('Stored nothing, and kept the draft. Press E to open it again.');
  expect(app.kv.find(sessions, 'user:2')?.value.toString()).toBe('plain text\ntheirs');
  await app.go(['E'], '> edit it again');
  editor.forget();
  app.press('enter');
  await expect.poll(editor.opened, { timeout: 5000 }).toBe(true);
  expect(editor.given()).toBe('plain text\nsecond linemine');
  editor.go();
  await app.screen.waitFor('+ second lineminemine');
  await app.go(['up', 'enter'], 'Stored user:2.');
  expect(app.kv.find(sessions, 'user:2')?.value.toString()).toBe('plain text\nsecond lineminemine');
});

test('shows every line of a changed value before it is saved, and keeps the list in sight if the screen has room', async () => {
  const lines = Array.from({ length: 13 }, (_, at) => `line ${at + 1}`);
  for (const [size, shown] of [
    [{ columns: 120, rows: 40 }, lines.length],
    [{ columns: 200, rows: 50 }, lines.length],
    [{ columns: 80, rows: 20 }, 4],
  ] as const) {
    const editor = slowEditor();
    const app = await openKeys({ env: editor.env, ...size });
    app.kv.put(sessions, 'user:2', lines.join('\n'));
    app.press('G', 'E');
    await expect.poll(editor.opened, { timeout: 5000 }).toBe(true);
    editor.go();
    await app.screen.waitFor('Store new text in user:2?');
    const text = app.screen.text();
    expect(text).toMatch(/13 \+ line 13mine/);
    expect(lines.filter((line) => new RegExp(`\\d [ -] ${line}\\s`).test(text))).toHaveLength(shown);
    expect(/… 9 unchanged lines/.test(text)).toBe(shown < lines.length);
    const below = app.screen
      .lines()
      .slice(app.screen.lines().findIndex((line) => line.includes('line 13mine')) + 1);
    const choices = ['store the new text', '> edit it again', 'discard it'];
    expect(below.slice(0, 4).map((line) => line.replaceAll('│', '').trim())).toEqual(['', ...choices]);
    expect(text.includes('user:1')).toBe(size.rows >= 40);
  }
});

test('does not show discarded text when the editor opens again', async () => {
  const editor = slowEditor();
  const app = await openKeys({ env: editor.env });
  app.press('G', 'E');
  await expect.poll(editor.opened, { timeout: 5000 }).toBe(true);
  editor.go();
  await app.screen.waitFor('Store new text in user:2?');
  expect(app.screen.lines().at(-1)).toContain('Esc close, keep the draft');
  await app.go(['down', 'enter'], 'Discarded the new text; nothing changed.');
  editor.forget();
  app.press('E');
  await expect.poll(editor.opened, { timeout: 5000 }).toBe(true);
  expect(editor.given()).toBe('plain text\nsecond line');
  editor.go();
  await app.screen.waitFor('Store new text in');
});

test('asks before a switch of the target discards an edited value', async () => {
  const editor = slowEditor();
  const app = await openKeys({ env: editor.env });
  app.press('G', 'E');
  await expect.poll(editor.opened, { timeout: 5000 }).toBe(true);
  editor.go();
  await app.screen.waitFor('Store new text in user:2?');
  await app.go(['esc'], 'Enter value');
  await app.go(['t', 'up', 'enter'], 'Discard your changes');
  expect(app.screen.text()).toContain('The edited value of user:2.');
  await app.go(['n'], 'Enter value');
  await app.go(['E'], 'Store new text in');
  await app.go(['esc'], 'Enter value');
  await app.go(['t', 'up', 'enter'], 'No, change nothing');
  await app.go(['y'], 'PREVIEW');
});

test('stores nothing if the editor changes nothing, and reports a failure of the editor', async () => {
  const app = await openKeys({ env: { PATH: process.env['PATH'] ?? '', EDITOR: 'true' } });
  await app.go(['E'], 'Nothing changed.');
  expect(app.kv.calls.some((call) => call.startsWith('writeKey'))).toBe(false);
  const failing = await openKeys({ env: { PATH: process.env['PATH'] ?? '', EDITOR: 'false' } });
  await failing.go(['E'], 'The editor false exited with code 1.');
});

test('completes the name of a new key from the loaded keys, then from the platform, until the user types', async () => {
  const app = openConsole({
    fill(kv) {
      kv.namespaces.push({ id: sessions, title: 'demo-sessions' });
      for (let key = 0; key < 1100; key++) kv.put(sessions, `cart:${String(key).padStart(4, '0')}`, 'x');
      for (const key of ['zone:1', 'zone:2']) kv.put(sessions, key, 'x');
    },
  });
  const field = (text: string) => (screen: typeof app.screen) =>
    screen.lines().some((line) => line.startsWith(`> ${text}`));
  await app.screen.waitFor('demo-sessions');
  await app.go(['enter'], 'cart:0000');
  await app.go(['n'], 'New key');
  await app.go(['c', 'tab'], field('Key       cart:'));
  const answer = app.kv.hold('listKeys');
  await app.go(['ctrl+u', 'x'], field('Key       x'));
  await expect.poll(() => app.kv.calls.at(-1)).toContain('prefix=x');
  await app.go(['ctrl+u', 'z'], field('Key       z'));
  await expect.poll(() => app.kv.calls.at(-1)).toContain('prefix=z');
  answer();
  await expect
    .poll(() => {
      app.press('tab');
      return app.screen.text();
    })
    .toContain('zone:');
  expect(app.kv.calls.filter((call) => call.includes('prefix=c'))).toEqual([]);
});
