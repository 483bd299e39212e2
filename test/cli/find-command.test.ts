import { expect, test } from 'vitest';
import { commandTable } from '../../src/cli/commands/table.ts';
import { findCommand } from '../../src/cli/parsing/find-command.ts';

test.each([
  [['kv', 'key', 'get', 'x'], 'kv key get', ['x']],
  [['--json', 'kv', 'key', 'get', 'x', '--text'], 'kv key get', ['--json', 'x', '--text']],
  [
    ['--env', 'staging', 'kv', '--yes', 'key', 'get', 'kv'],
    'kv key get',
    ['--env', 'staging', '--yes', 'kv'],
  ],
  [['-c', 'kv', 'kv', 'key', 'get'], 'kv key get', ['-c', 'kv']],
  [['--config=a.toml', 'kv', 'key', 'list'], 'kv key list', ['--config=a.toml']],
  [['kv:key', 'get', 'x'], 'kv key get', ['x']],
  [['kv:key', 'put', 'a:b', 'c:d'], 'kv key put', ['a:b', 'c:d']],
])('%j names %s', (argv, words, rest) => {
  const found = findCommand(argv, commandTable);
  expect(found).toMatchObject({ kind: 'command', row: { words }, rest });
});

test('the colon form is reported, so that it can be called deprecated', () => {
  expect(findCommand(['kv:key', 'get'], commandTable)).toMatchObject({ colon: 'kv:key' });
  expect(findCommand(['kv', 'key', 'get', 'a:b'], commandTable)).toMatchObject({ colon: undefined });
});

test.each([
  [[], [], undefined],
  [['kv'], ['kv'], undefined],
  [['kv', 'nothing'], ['kv'], 'nothing'],
  [['--json'], [], undefined],
  [['--', 'kv'], [], undefined],
])('%j names no command', (argv, words, unknown) => {
  expect(findCommand(argv, commandTable)).toMatchObject({ kind: 'group', words, unknown });
});

test('no two rows of the table have the same words, and every row loads a command', async () => {
  const words = commandTable.map((row) => row.words);
  expect(new Set(words).size).toBe(words.length);
  for (const row of commandTable) expect((await row.load()).run).toBeTypeOf('function');
});
