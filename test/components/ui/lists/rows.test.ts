import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  appendRows,
  eachRow,
  lowerBound,
  noRows,
  type Rows,
  rowAt,
  spliceRows,
} from '../../../../components/ui/lists/rows.ts';

function buildRows(...pages: (readonly number[])[]): Rows<number> {
  return pages.reduce<Rows<number>>((rows, page) => appendRows(rows, page), noRows);
}

const pages = fc.array(fc.array(fc.integer(), { maxLength: 3000 }), { maxLength: 4 });

test('keeps the rows of all pages in order, regardless of the lengths of the pages', () => {
  fc.assert(
    fc.property(pages, (given) => {
      const rows = buildRows(...given);
      expect([...eachRow(rows)]).toEqual(given.flat());
      expect(rows.length).toBe(given.flat().length);
    }),
    { numRuns: 50 },
  );
});

test('returns a row by its index, or undefined if the index is out of range', () => {
  const rows = buildRows(Array.from({ length: 2500 }, (_, index) => index));
  expect([0, 1023, 1024, 2499].map((index) => rowAt(rows, index))).toEqual([0, 1023, 1024, 2499]);
  expect([-1, 2500].map((index) => rowAt(rows, index))).toEqual([undefined, undefined]);
});

test('adds and removes rows like an array, and leaves the previous rows unchanged', () => {
  fc.assert(
    fc.property(
      pages,
      fc.nat(3000),
      fc.nat(3),
      fc.array(fc.integer(), { maxLength: 3 }),
      (given, at, count, added) => {
        const before = buildRows(...given);
        const wanted = given.flat().toSpliced(Math.min(at, before.length), count, ...added);
        const rows = spliceRows(before, Math.min(at, before.length), count, added);
        expect([...eachRow(rows)]).toEqual(wanted);
        expect([...eachRow(before)]).toEqual(given.flat());
        expect([...eachRow(rows)].map((_, index) => rowAt(rows, index))).toEqual(wanted);
        expect(rows.chunks.every((chunk) => chunk.length > 0 && chunk.length <= 1024)).toBe(true);
      },
    ),
    { numRuns: 50 },
  );
});

test('yields the rows from an index to the end', () => {
  const rows = buildRows(Array.from({ length: 3000 }, (_, index) => index));
  expect([...eachRow(rows, 2998)]).toEqual([2998, 2999]);
  expect([...eachRow(rows, 1023)].length).toBe(1977);
});

test('finds the index at which a row is or would be inserted', () => {
  const rows = buildRows(Array.from({ length: 3000 }, (_, index) => index * 2));
  expect(lowerBound(rows, (row) => row < 4000)).toBe(2000);
  expect(lowerBound(rows, (row) => row < 4001)).toBe(2001);
  expect(lowerBound(rows, () => true)).toBe(3000);
  expect(lowerBound(noRows, () => true)).toBe(0);
});

test('appends the 1,000th page of 1,000 rows without copying the other pages', () => {
  const page = Array.from({ length: 1000 }, (_, index) => index);
  let rows: Rows<number> = noRows;
  for (let at = 0; at < 1000; at++) rows = appendRows(rows, page);
  const next = appendRows(rows, page);
  expect(next.length).toBe(1_001_000);
  expect(next.chunks.slice(0, 976).every((chunk, at) => chunk === rows.chunks[at])).toBe(true);
});
