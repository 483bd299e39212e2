import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { CustomHostname } from '../../src/model/hostnames/hostname.ts';
import { hostnameExport } from '../../src/services/hostnames/fleet/export.ts';
import { csvLine, withoutFormula } from '../../src/text/csv.ts';
import { readCsv } from '../support/read-csv.ts';

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
  // RFC 4180, 2.4, mentions only the comma, so the other delimiter is an ordinary character.
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
  ['empty cells in every position', ',b,\n', [['', 'b', '']]],
  ['empty lines', '\n\na\n\n , \n', [['a']]],
  ['spaces around unquoted cells', ' a , b \n', [['a', 'b']]],
  ['nothing', '', []],
])('reads %s', (_what, text, expected) => {
  expect(rows(text)).toEqual(expected);
  expect(readCsv(text).wrongLine).toBeUndefined();
});

test('reports the line on which a record begins, regardless of what precedes it', () => {
  const { records } = readCsv('a\n\n"b\nb"\nc\n');
  expect(records.map(({ line }) => line)).toEqual([1, 3, 5]);
});

test.each([
  ['an unterminated quote', 'a\n"b\nc', 2],
  ['a quote within a cell', 'a\nb"c\n', 2],
  ['text after a quote', '"a"b\n', 1],
])('rejects %s and reports its line', (_what, text, line) => {
  expect(readCsv(text).wrongLine).toBe(line);
});

test.each(['"', ''])('reads a cell of any length, quoted (%j) or not', (quote) => {
  const { records, wrongLine } = readCsv(`a,${quote}${'x'.repeat(20_000_000)}${quote}\n`);
  expect(wrongLine).toBeUndefined();
  expect(records[0]?.fields[1]?.length).toBe(20_000_000);
});

test('reads back written records unchanged', () => {
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

// OWASP, "CSV Injection": the characters that start a formula in spreadsheets.
test.each(['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1'])(
  'prefixes %j with an apostrophe to prevent a formula',
  (cell) => {
    expect(withoutFormula(cell)).toBe(`'${cell}`);
  },
);

test.each(['', 'a=1', 'shop.acme.com', '*.acme.com', '{"a":"=1"}', "'x"])(
  'leaves %j unchanged: it is not a formula',
  (cell) => {
    expect(withoutFormula(cell)).toBe(cell);
  },
);

test('exports exact cells, and escapes formulas on request', async () => {
  const record = {
    id: 'i',
    hostname: 'a.acme.com',
    custom_origin_server: '=HYPERLINK("x")',
    custom_origin_sni: '@a',
  };
  const exported = async (escapesFormulas: boolean) => {
    const pages = (async function* () {
      yield [record as CustomHostname];
    })();
    const texts = hostnameExport(pages, { zoneId: 'z', format: 'csv', escapesFormulas }, () => undefined);
    let text = '';
    for await (const piece of texts) text += piece;
    return rows(text)[1]?.slice(6, 8);
  };
  expect(await exported(false)).toEqual(['=HYPERLINK("x")', '@a']);
  expect(await exported(true)).toEqual([`'=HYPERLINK("x")`, "'@a"]);
});
