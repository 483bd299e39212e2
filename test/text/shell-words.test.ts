import { expect, it } from 'vitest';
import { splitShellWords } from '../../src/text/shell.ts';

it.each([
  ['./told --team ops', ['./told', '--team', 'ops']],
  [`'a b' "c \\" d" e\\ f`, ['a b', 'c " d', 'e f']],
  ["a'b'\"c\" ''", ['abc', '']],
  ['$(id) `id` $HOME; rm', ['$(id)', '`id`', '$HOME;', 'rm']],
  ['  ', []],
  ["'no end", undefined],
])('splits the command %j into the words %j', (command, words) => {
  expect(splitShellWords(command)).toEqual(words);
});
