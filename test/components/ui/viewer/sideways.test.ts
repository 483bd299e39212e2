import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isJsonSource, jsonSideways } from '../../../../components/ui/viewer/json-source.ts';
import { foldAll } from '../../../../components/ui/viewer/json-tree.ts';
import { anchorAt, linesFrom, scroll } from '../../../../components/ui/viewer/scroll.ts';
import {
  leftColumnFor,
  shiftSideways,
  translatePosition,
} from '../../../../components/ui/viewer/shifting.ts';
import { hexSideways, textSideways } from '../../../../components/ui/viewer/sideways.ts';
import { atTop, textSource } from '../../../../components/ui/viewer/source.ts';
import { markText } from '../../../../src/text/mark.ts';
import { measureCharacter } from '../../../../src/text/width.ts';
import { cost } from '../../../fuzz/fuzz.ts';
import { inSoak } from '../../../support/in-part.ts';

test('shows a window of each unwrapped line, and whether it continues', () => {
  const bytes = Buffer.from(`short\n${'0123456789'.repeat(5)}\n日本語日本語`);
  const at = (left: number) => linesFrom(textSideways(bytes, { columns: 8, left }), atTop, 9);
  expect(at(0)).toEqual(['short', '01234567', '日本語日']);
  expect(at(3)).toEqual(['rt', '34567890', ' 語日本']);
  expect(at(48)).toEqual(['', '89', '']);
  const source = textSideways(bytes, { columns: 8, left: 45 });
  expect([0, 1, 2].map((line) => source.goesOn(line))).toEqual([false, false, false]);
  expect(textSideways(bytes, { columns: 8, left: 0 }).goesOn(1)).toBe(true);
});

test('shows every column of a line in some window, and finds the positions of bytes in the window', () => {
  const line = fc.array(fc.constantFrom('a', 'é', '日', '\u001b', '\\', '😀', '"'), { maxLength: 3000 });
  fc.assert(
    fc.property(line, fc.integer({ min: 2, max: 90 }), fc.nat(), (letters, columns, seed) => {
      const value = letters.join('');
      const bytes = Buffer.from(value);
      const whole = markText(value);
      const windows = Math.ceil(measureCharacter(whole) / columns);
      const shown = Array.from({ length: windows }, (_, index) =>
        textSideways(bytes, { columns, left: index * columns }),
      );
      const texts = shown.map((source) => source.lines(0)[0] ?? '');
      expect(texts.every((text) => measureCharacter(text) <= columns)).toBe(true);
      // The border between two windows can split a wide character of two code units.
      expect(texts.join('').replaceAll(' ', '').length).toBeGreaterThanOrEqual(whole.length - 2 * windows);
      const index = seed % Math.max(1, letters.length);
      const offset = Buffer.byteLength(letters.slice(0, index).join(''));
      const [source] = shown;
      if (source === undefined) return;
      const left = source.columnAt(offset);
      const there = textSideways(bytes, { columns: 30, left });
      const [[range] = []] = there.shows(0, [[offset, offset + Buffer.byteLength(letters[index] ?? '')]]);
      const found = range && (there.lines(0)[0] ?? '').slice(...range);
      expect(found).toBe(markText(letters[index] ?? ''));
    }),
    { numRuns: 30 },
  );
});

test('keeps the colors of JSON in a window, and folds as with wrapped lines', () => {
  const bytes = Buffer.from(JSON.stringify({ name: 'x'.repeat(9000), roles: ['admin', 1] }));
  const source = jsonSideways(bytes, undefined, { columns: 12, left: 4 }, '');
  const rows = linesFrom(source, atTop, 9);
  expect(rows).toEqual(['', 'ame": "xxxxx', 'oles": [', '"admin",', '1', '', '']);
  const styled = source.stretches?.({ segment: 1, line: 0, text: rows[1] ?? '' });
  expect(styled?.map(({ text, role }) => [text, role])).toEqual([
    ['ame"', 'name'],
    [': ', 'dim'],
    ['"xxxxx', 'string'],
  ]);
  const far = jsonSideways(bytes, undefined, { columns: 12, left: 8000 }, '');
  expect(far.stretches?.({ segment: 1, line: 0, text: 'xxx' })).toEqual([{ text: 'xxx', role: 'string' }]);
  if (!isJsonSource(source)) throw new Error('there is no tree');
  const folded = jsonSideways(bytes, foldAll(source.tree), { columns: 30, left: 0 }, '');
  expect(linesFrom(folded, atTop, 9)[2]).toBe('  "roles": […]  2 lines');
  expect(folded.goesOn(1)).toBe(true);
});

test('scrolls a hex dump sideways', () => {
  const dump = hexSideways(Buffer.from('hello world, hello'), { columns: 20, left: 43 });
  expect(linesFrom(dump, atTop, 2)).toEqual([' 2c 20 68 65 6c  hel', '                 lo']);
  expect(dump.goesOn(0)).toBe(true);
});

test('scrolls half a screen at a time up to the end of the longest visible line, and to a match', () => {
  const lines = (left: number) =>
    textSideways(Buffer.from(`short\n${'x'.repeat(50)}`), { columns: 19, left });
  const reading = (left: number) => ({
    lines: lines(left),
    position: { top: atTop },
    columns: 20,
    height: 5,
  });
  expect(shiftSideways(0, 'shift-right', reading(0))).toBe(10);
  expect(shiftSideways(40, 'shift-right', reading(40))).toBe(40);
  expect(shiftSideways(5, 'shift-left', reading(5))).toBe(0);
  expect([
    leftColumnFor(lines(0), 46, 0, 20),
    leftColumnFor(lines(20), 8, 20, 20),
    leftColumnFor(lines(0), 8, 0, 20),
  ]).toEqual([30, 0, 0]);
});

test('keeps its position when wrapping is switched', () => {
  const bytes = Buffer.from(`${'a'.repeat(9000)}\n${'b'.repeat(100)}\nlast`);
  const [wrapped, not] = [textSource(bytes, 20), textSideways(bytes, { columns: 19, left: 0 })];
  const low = anchorAt(wrapped, 9050);
  expect(translatePosition(not, wrapped, { top: low }).top).toEqual({ segment: 1, line: 0 });
  expect(translatePosition(wrapped, not, { top: atTop, line: { segment: 2, line: 0 } }).line).toEqual(
    anchorAt(wrapped, 9102),
  );
});

inSoak(() => {
  test('opens 25 MiB of lines, and a single line of 25 MiB, and scrolls down and far to the right', () => {
    const lines = Buffer.alloc(25 * 1024 * 1024, 'abcdefghi\n');
    const line = Buffer.alloc(25 * 1024 * 1024, 'abcdefghi ');
    const spent = cost(() => {
      const many = textSideways(lines, { columns: 120, left: 0 });
      expect(linesFrom(many, scroll(many, atTop, 'last', 50), 50).length).toBe(50);
      const left = textSideways(line, { columns: 120, left: 0 }).columnAt(20_000_000);
      for (let step = 0; step < 50; step++) {
        const one = textSideways(line, { columns: 120, left: left + step * 60 });
        expect(linesFrom(one, atTop, 5)[0]).toHaveLength(120);
      }
    });
    expect(spent).toBeLessThan(6000);
  });
});
