import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, readCsv } from '../../src/text/csv.ts';

const rows = (text: string) => readCsv(text).records.map(({ fields }) => fields);

test.each([
  [
    'commas',
    'a,b\nc,d',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  [
    'semicolons',
    'a;b\r\nc;d\r\n',
    [
      ['a', 'b'],
      ['c', 'd'],
    ],
  ],
  // RFC 4180, 2.4: of the other delimiter nothing is said, so it is a character like others.
  [
    'a semicolon in a file with commas',
    'a,b,c\nx,red;blue\n',
    [
      ['a', 'b', 'c'],
      ['x', 'red;blue'],
    ],
  ],
  [
    'a comma in a file with semicolons',
    'a;b;c\nx;1,5\n',
    [
      ['a', 'b', 'c'],
      ['x', '1,5'],
    ],
  ],
  ['a semicolon in quotes before the first comma', '"a;b",c\nd;e\n', [['a;b', 'c'], ['d;e']]],
  [
    'quotes, doubled quotes and line breaks in them',
    '"a,1","say ""hi""\nthere"\n',
    [['a,1', 'say "hi"\nthere']],
  ],
  ['empty cells at every place', ',b,\n', [['', 'b', '']]],
  ['empty lines', '\n\na\n\n , \n', [['a']]],
  ['spaces round cells without quotes', ' a , b \n', [['a', 'b']]],
  ['nothing', '', []],
])('reads %s', (_what, text, expected) => {
  expect(rows(text)).toEqual(expected);
  expect(readCsv(text).wrongLine).toBeUndefined();
});

test('tells the line on which a record begins, whatever stands before it', () => {
  const { records } = readCsv('a\n\n"b\nb"\nc\n');
  expect(records.map(({ line }) => line)).toEqual([1, 3, 5]);
});

test.each([
  ['a quote that does not end', 'a\n"b\nc', 2],
  ['a quote within a cell', 'a\nb"c\n', 2],
  ['text after a quote', '"a"b\n', 1],
])('refuses %s with its line', (_what, text, line) => {
  expect(readCsv(text).wrongLine).toBe(line);
});

test.each(['"', ''])('reads a cell of any length, in quotes (%j) or not', (quote) => {
  const { records, wrongLine } = readCsv(`a,${quote}${'x'.repeat(20_000_000)}${quote}\n`);
  expect(wrongLine).toBeUndefined();
  expect(records[0]?.fields[1]?.length).toBe(20_000_000);
});

test('writes records that are read back as they were', () => {
  const cell = fc.oneof(fc.string(), fc.constantFrom(' a ', '\u00a0', 'a;b', '"', '', '\r\n', '=1+1'));
  const records = fc.array(fc.tuple(cell, cell), { minLength: 1 });
  fc.assert(
    fc.property(records, (rows) => {
      const filled = rows.filter((row) => row.some((one) => one !== ''));
      const read = readCsv(filled.map((row) => csvLine(row)).join(''));
      expect(read.records.map(({ fields }) => fields)).toEqual(filled);
    }),
  );
});
