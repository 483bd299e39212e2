import { expect, test } from 'vitest';
import { tableLines } from '../../src/text/table.ts';

const columns = [{ heading: 'NAME' }, { heading: 'SIZE', align: 'right' }, { heading: 'NOTE' }] as const;

test('aligns and escapes cells, without trailing spaces', () => {
  expect(
    tableLines(columns, [
      ['東京', '12', 'wide'],
      ['a\nb', '7', ''],
    ]),
  ).toEqual(['NAME  SIZE  NOTE', '東京    12  wide', 'a\\nb     7']);
});

test('cuts a row at the width of the terminal', () => {
  expect(tableLines(columns, [['key', '1', 'a long note']], { width: 18 })).toEqual([
    'NAME  SIZE  NOTE',
    'key      1  a lon…',
  ]);
});

test('treats a missing cell as empty, and applies strict ASCII to cells', () => {
  expect(tableLines(columns, [['é']], { ascii: true })).toEqual(['NAME    SIZE  NOTE', '\\u{e9}']);
});
