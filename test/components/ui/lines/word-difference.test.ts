import { expect, test } from 'vitest';
import {
  pairLines,
  showFirstChange,
  wordDifference,
} from '../../../../components/ui/lines/word-difference.ts';
import { markText } from '../../../../src/text/mark.ts';

/** Draws parts with brackets around the changed words. */
function bracketed(parts: readonly { readonly text: string; readonly isChanged: boolean }[] = []): string {
  return parts.map(({ text, isChanged }) => (isChanged ? `[${text}]` : text)).join('');
}

test.each([
  ['  "percent": 0,', '  "percent": 10,', '  "percent": [0],', '  "percent": [10],'],
  ['  ]', '  ],', '  ]', '  ][,]'],
  ['from the old place', 'from a new place', 'from [the old] place', 'from [a new] place'],
  ['a  b  c', 'a b  c', 'a[  ]b  c', 'a[ ]b  c'],
  ['né à Paris', 'née à Paris', '[né] à Paris', '[née] à Paris'],
])('marks the words that differ between %j and %j', (before, after, old, next) => {
  const difference = wordDifference(before, after);
  expect([bracketed(difference?.before), bracketed(difference?.after)]).toEqual([old, next]);
});

test('marks nothing in lines that have little in common', () => {
  expect(wordDifference('the quick brown fox', '{ "percent": 10 }')).toBeUndefined();
  expect(wordDifference('', 'x')).toBeUndefined();
});

test('never splits the mark of a control character', () => {
  const difference = wordDifference(markText('name: \u202e'), markText('name: \u202d'));
  expect(difference?.before.at(-1)?.text).toBe(markText('\u202e'));
});

test('marks the changed middle of lines that are too long for a comparison of words', () => {
  const long = 'value '.repeat(20_000);
  const difference = wordDifference(`${long}old${long}`, `${long}new${long}`);
  expect(difference?.before.map(({ text }) => text.length)).toEqual([long.length, 3, long.length]);
});

test('compares removed and added lines pairwise, in their order', () => {
  const lines = ['  a', '- b', '- c', '+ d', '  e', '+ f', '- g', '+ h'].map((line) => ({
    sign: line.charAt(0) as ' ' | '-' | '+',
    text: line.slice(2),
  }));
  expect(pairLines(lines)).toEqual([undefined, 'd', undefined, 'b', undefined, undefined, 'h', 'g']);
});

test('truncates the unchanged start of a line if the change is too far to the right', () => {
  const parts =
    wordDifference(`${'0123456789'.repeat(20)} old`, `${'0123456789'.repeat(20)} new`)?.before ?? [];
  expect(bracketed(showFirstChange(parts, 40))).toBe('…123456789 [old]');
  expect(showFirstChange(parts, 400)).toBe(parts);
});
