import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anchorAt, linesFrom, scroll } from '../../../../components/ui/viewer/scroll.ts';
import {
  type Anchor,
  atTop,
  hexSource,
  type Source,
  textSource,
} from '../../../../components/ui/viewer/source.ts';
import { markedRuns } from '../../../../src/text/mark.ts';
import { measureCharacter } from '../../../../src/text/width.ts';
import { cost } from '../../../fuzz/fuzz.ts';

function text(value: string, width = 20): Source {
  return textSource(Buffer.from(value), width);
}

const numbered = Array.from({ length: 100 }, (_, index) => `line ${index}`).join('\n');

test('shows the lines of a value, wraps long lines, and shows no empty line after the last line feed', () => {
  expect(linesFrom(text('one\n\ntwo\n', 20), atTop, 10)).toEqual(['one', '', 'two']);
  expect(linesFrom(text('abcdefgh', 3), atTop, 10)).toEqual(['abc', 'def', 'gh']);
  expect(linesFrom(text(''), atTop, 10)).toEqual(['']);
});

test('marks control characters and invalid UTF-8; a stored backslash appears once', () => {
  const bytes = Buffer.concat([Buffer.from('\u001b[2Ja\rb\u202e\\n\\\\'), Buffer.of(0xff)]);
  const [line = ''] = linesFrom(textSource(bytes, 40), atTop, 5);
  const drawn = markedRuns(line).map(({ text, marked }) => (marked ? `[${text}]` : text));
  expect(drawn.join('')).toBe('[␛][2Ja[␍]b[<U+202E>]\\n\\\\[<FF>]');
});

test('shows every character of a value once, with no line wider than the screen', () => {
  const value = fc
    .array(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), { maxLength: 20 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(value, fc.integer({ min: 8, max: 40 }), (given, width) => {
      const source = text(given, width);
      const lines = linesFrom(source, atTop, 10_000);
      expect(lines.join('')).toBe(given.replaceAll('\n', ''));
      expect(lines.every((line) => measureCharacter(line) <= width)).toBe(true);
    }),
  );
});

test('splits a huge line into segments at the starts of characters', () => {
  const source = text('é'.repeat(10_000), 80);
  expect(source.segments).toBeGreaterThan(4);
  const lines = linesFrom(source, { segment: 1, line: 0 }, 3);
  expect(lines.every((line) => /^é+$/.test(line))).toBe(true);
});

const moves: ReadonlyArray<
  readonly [about: string, from: Anchor, move: Parameters<typeof scroll>[2], first: string]
> = [
  ['down by one', atTop, 'down', 'line 1'],
  ['down at the end stays', { segment: 90, line: 0 }, 'down', 'line 90'],
  ['up by one', { segment: 5, line: 0 }, 'up', 'line 4'],
  ['up at the start stays', atTop, 'up', 'line 0'],
  ['a page keeps one line visible', atTop, 'page-down', 'line 9'],
  ['a page up', { segment: 50, line: 0 }, 'page-up', 'line 41'],
  ['a page near the end shows a full screen', { segment: 88, line: 0 }, 'page-down', 'line 90'],
  ['to the end', atTop, 'last', 'line 90'],
  ['to the start', { segment: 50, line: 0 }, 'first', 'line 0'],
];

for (const [about, from, move, first] of moves) {
  test(`scrolls through 100 lines on a screen of 10: ${about}`, () => {
    const source = text(numbered);
    expect(linesFrom(source, scroll(source, from, move, 10), 10)[0]).toBe(first);
  });
}

test('scrolls within a long line as if it were several short lines', () => {
  const source = text('abcdefghij', 2);
  const once = scroll(source, atTop, 'down', 2);
  expect(linesFrom(source, once, 2)).toEqual(['cd', 'ef']);
  expect(linesFrom(source, scroll(source, once, 'last', 2), 2)).toEqual(['gh', 'ij']);
});

test('scrolls to the end and back, line by line', () => {
  const source = text('abcdefgh\nx\n\nyyyyyyyy', 4);
  const all = linesFrom(source, atTop, 100);
  let anchor = atTop;
  const seen = all.slice(0, -1).map(() => {
    const [line] = linesFrom(source, anchor, 1);
    anchor = scroll(source, anchor, 'down', 1);
    return line;
  });
  expect([...seen, ...linesFrom(source, anchor, 1)]).toEqual(all);
  for (let step = 0; step < all.length; step++) anchor = scroll(source, anchor, 'up', 1);
  expect(anchor).toEqual(atTop);
});

test('keeps a valid position if its anchor does not exist at the new width', () => {
  expect(linesFrom(text('abcdefgh', 8), { segment: 0, line: 3 }, 5)).toEqual(['abcdefgh']);
  expect(linesFrom(text('one\ntwo'), { segment: 9, line: 0 }, 5)).toEqual(['two']);
});

test('finds the line that shows a byte, and the positions of byte ranges in each line', () => {
  const source = text(`${'x'.repeat(50)}needle\nmore \u001bé😀needle`, 20);
  expect(linesFrom(source, anchorAt(source, 50), 1)).toEqual(['xxxxxxxxxxneedle']);
  expect(
    source.shows(0, [
      [38, 53],
      [55, 70],
    ]),
  ).toEqual([
    [],
    [[18, 20]],
    [
      [0, 13],
      [15, 16],
    ],
  ]);
  const [line = ''] = linesFrom(source, anchorAt(source, 70), 1);
  const [[range = [0, 0]] = []] = source.shows(1, [[69, 75]]);
  expect(line.slice(...range)).toBe('needle');
  const dump = hexSource(Buffer.from('hello world, hello'), 80);
  const [row = ''] = linesFrom(dump, anchorAt(dump, 7), 1);
  const shown =
    dump.shows(0, [
      [7, 9],
      [15, 20],
    ])[0] ?? [];
  expect(shown.map((one) => row.slice(...one))).toEqual(['6f  72', '6c', 'or', 'l']);
});

test('dumps bytes in rows that fit the width', () => {
  const source = hexSource(Buffer.from('hello world, hello'), 80);
  expect(source.segments).toBe(2);
  expect(linesFrom(source, atTop, 5)[1]).toMatch(/^00000010 {2}6c 6f .*lo$/);
  expect(source.segmentAt(17)).toBe(1);
  expect(linesFrom(hexSource(Buffer.alloc(0), 80), atTop, 5).length).toBe(1);
});

test('opens and scrolls 25 MiB and creates only the visible lines', () => {
  const huge = Buffer.alloc(25 * 1024 * 1024, 'abcdefghi\n');
  const spent = cost(() => {
    const source = textSource(huge, 120);
    const end = scroll(source, atTop, 'last', 50);
    expect(linesFrom(source, end, 50).length).toBe(50);
  });
  // If the viewer laid out the whole text, the test would take minutes.
  expect(spent).toBeLessThan(5000);
});
