import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { keymap } from '../../../components/app/keymap.ts';
import { actionNames, parseOwnKeys } from '../../../components/app/own-keys.ts';
import { findShortcut } from '../../../components/kit/keys/find-shortcut.ts';
import { scratchFolder } from '../../support/world.ts';
import { fillDemo, openConsole, openKeys, sessions } from '../open-console.tsx';

const read = (text: string) => parseOwnKeys(text, 'keys.toml');

test('a key in the file of the user’s keys replaces the key of its action in all panes, and of no other action', () => {
  const keys = read('remove = ["~", "delete"]');
  expect(findShortcut('keys', '~', keys)?.does).toBe('remove');
  expect(findShortcut('objects', 'delete', keys)?.does).toBe('remove');
  expect(findShortcut('keys', 'd', keys)).toBeUndefined();
  expect(findShortcut('keys', 'n', keys)?.does).toBe('create');
});

test('treats an empty file as no file', () => {
  expect(read('# nothing yet\n')).toEqual(keymap);
});

const wrong: ReadonlyArray<readonly [about: string, text: string, words: RegExp]> = [
  ['no TOML', 'quit = "Q"\nremove =\n', /^keys\.toml, line 2: not TOML/],
  ['an unknown action', 'quit = "Q"\n\nremoove = "x"', /^keys\.toml, line 3: unknown action "remoove"/],
  ['no press', '# keys\nremove = "escape"', /^keys\.toml, line 2: "escape" is not a key/],
  ['a press that is not a string', 'remove = 4', /^keys\.toml, line 1: 4 is not a key/],
  ['no press at all', 'remove = []', /line 1: remove needs a key/],
  [
    'a press with two actions',
    '\nremove = "n"',
    /line 2: n is assigned to two actions in Namespaces: ".*" and ".*" \(create\)/,
  ],
  [
    'a letter for an action that also works while the user types',
    'interrupt = "Q"',
    /line 1: interrupt also works while you type/,
  ],
  ['an action with fixed presses', 'answer = "x"', /line 1: the keys of answer cannot be changed/],
];

test.each(wrong)('rejects an invalid file, and names the line: %s', (_, text, words) => {
  expect(() => read(text)).toThrow(words);
});

test('accepts other keys for every action except the fixed actions, even if all actions change together', () => {
  const text = actionNames
    .map((name) => {
      const row = Object.values(keymap)
        .flat()
        .find(({ does }) => does === name);
      return `${JSON.stringify(name)} = ${JSON.stringify(row?.press)}`;
    })
    .join('\n');
  expect(text.split('\n').length).toBe(actionNames.length);
});

function foldersWith(text: string) {
  const config = scratchFolder('config');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'keys.toml'), text);
  const state = scratchFolder('state');
  return { config, state, data: state };
}

test('the console uses the keys in the file, and shows the keys and the path of the file', async () => {
  const app = await openKeys({ folders: foldersWith('remove = "~"\nredraw = "ctrl+p"') });
  await app.go(['d', '~'], 'Delete the key image?');
  await app.go(['n'], 'Enter value');
  await app.go(['?', ...Array<string>(9).fill('pagedown')], 'keys.toml');
  await app.go([...'delete the key'], (screen) => /^~ +Delete the key/m.test(screen.text()));
  expect(app.kv.find(sessions, 'image')).toBeDefined();
});

test('the console reports an invalid file, and uses the default keys', async () => {
  const app = openConsole({
    folders: foldersWith('quit = "Q"\nremove = "n"'),
    columns: 300,
    fill: fillDemo,
  });
  await app.screen.waitFor('keys.toml, line 2: n is assigned to two actions in Namespaces');
  await app.go(['d'], 'PERMANENT: cannot be undone');
});
