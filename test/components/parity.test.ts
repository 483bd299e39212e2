import { expect, test } from 'vitest';
import { keymap } from '../../components/app/keymap.ts';
import type { Shortcut } from '../../components/kit/keys/shortcut.ts';
import { commands, inConsole, namedReasons, reasonWithoutConsole } from './command-places.ts';

test('every command has an equivalent in the console, or a reason why it has none', () => {
  const known = [...Object.keys(inConsole), ...namedReasons];
  expect(new Set(known).size, 'no command is on both lists').toBe(known.length);
  expect(
    commands.filter((words) => words in inConsole === (reasonWithoutConsole(words) !== undefined)),
    'each command has a place or a reason',
  ).toEqual([]);
  expect(
    known.filter((words) => !commands.includes(words)),
    'every row names an existing command',
  ).toEqual([]);
});

test('the keymap contains every action that the table of equivalents names', () => {
  const actions = Object.entries<ReadonlyArray<Shortcut<string>>>({ ...keymap }).flatMap(([mode, rows]) =>
    rows.map(({ does }) => `${mode} ${does}`),
  );
  const named = Object.values(inConsole).flat();
  expect(named.filter((place) => !actions.includes(place))).toEqual([]);
});
