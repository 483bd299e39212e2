import { expect, test } from 'vitest';
import { tableLines } from '../../src/text/table.ts';

const columns = [{ heading: 'NAME' }, { heading: 'SIZE', align: 'right' }, { heading: 'NOTE' }] as const;

test('cells are aligned by columns, escaped, and lines end without spaces', () => {
  expect(
    tableLines(columns, [
      ['東京', '12', 'wide'],
      ['a\nb', '7', ''],
    ]),
  ).toEqual(['NAME  SIZE  NOTE', '東京    12  wide', 'a\\nb     7']);
});

test('a row is cut at the width of the terminal', () => {
  expect(tableLines(columns, [['key', '1', 'a long note']], { width: 18 })).toEqual([
    'NAME  SIZE  NOTE',
    'key      1  a lon…',
  ]);
});

test('a missing cell is empty and strict ASCII reaches the cells', () => {
  expect(tableLines(columns, [['é']], { ascii: true })).toEqual(['NAME    SIZE  NOTE', '\\u{e9}']);
});
