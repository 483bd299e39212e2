import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cutText, foldText } from '../../../../components/ui/lines/fold.ts';
import { markedRuns, markText } from '../../../../src/text/mark.ts';
import { measureCharacter } from '../../../../src/text/width.ts';

test('breaks at a space in the second half of the line, if there is one', () => {
  expect(foldText('one two three four', 10)).toEqual(['one two', 'three four']);
  expect(foldText('averyveryverylongword and', 10)).toEqual(['averyveryv', 'erylongwor', 'd and']);
  expect(foldText('three four five', 10)).toEqual(['three four', 'five']);
  expect(foldText('short', 10)).toEqual(['short']);
  expect(foldText('', 10)).toEqual(['']);
});

test('breaks after a separator if there is no space, and keeps a count and its unit together', () => {
  expect(foldText('http://menu.example/.well-known/challenge/058', 26)).toEqual([
    'http://menu.example/',
    '.well-known/challenge/058',
  ]);
  expect(foldText('0583e2ae-1b13-4312-aa73-f2a771a93f3d', 30)).toEqual([
    '0583e2ae-1b13-4312-aa73-',
    'f2a771a93f3d',
  ]);
  expect(foldText('2026-11-28 13:10Z, 2 h ago', 22)).toEqual(['2026-11-28 13:10Z,', '2 h ago']);
  expect(foldText('deployed by edgectl 12 min ago', 26)).toEqual(['deployed by edgectl', '12 min ago']);
  expect(foldText('certificate issued, 50 days ago', 18)).toEqual(['certificate', 'issued,', '50 days ago']);
  expect(foldText('50 days ago', 8)).toEqual(['50 days', 'ago']);
  expect(foldText('2 h ago and a', 7)).toEqual(['2 h ago', 'and a']);
  expect(foldText('all 2 of them', 9)).toEqual(['all 2 of', 'them']);
});

test('cuts at the last column, but never inside a mark or a grapheme', () => {
  const drawn = (text: string, width: number) =>
    cutText(markText(text), width).map((line) =>
      markedRuns(line)
        .map((run) => run.text)
        .join(''),
    );
  expect(drawn('aaaa\u202ebb', 8)).toEqual(['aaaa', '<U+202E>', 'bb']);
  expect(drawn('aaa\n\\\\b', 4)).toEqual(['aaa␊', '\\\\b']);
  expect(cutText('日本語', 4)).toEqual(['日本', '語']);
  expect(cutText('ae\u0301', 1)).toEqual(['a', 'e\u0301']);
});

test('loses no character and exceeds no line when it folds', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 200 }).map((given) => markText(given));
  fc.assert(
    fc.property(text, fc.integer({ min: 10, max: 40 }), (given, width) => {
      const lines = cutText(given, width);
      expect(lines.join('')).toBe(given);
      expect(lines.every((line) => measureCharacter(line) <= width)).toBe(true);
    }),
  );
});
