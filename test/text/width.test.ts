import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { fitMiddle, fitText, graphemeLength, graphemeLengthBefore, pad } from '../../src/text/width.ts';

describe('fit', () => {
  test.each([
    ['short', 10, 'short'],
    ['exactly', 7, 'exactly'],
    ['one too many', 11, 'one too ma…'],
    ['abc', 1, '…'],
    ['abc', 0, ''],
    ['', 0, ''],
    ['東京都', 6, '東京都'],
    ['東京都', 5, '東京…'],
    ['東京都', 4, '東…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['abcdefgh\u0301', 8, 'abcdefgh\u0301'],
    ['😀😀', 3, '😀…'],
  ])('fits %j into %i columns as %j', (text, width, shown) => {
    expect(fitText(text, width)).toBe(shown);
  });
});

test('pads to the column, on either side', () => {
  expect(pad('東', 4)).toBe('東  ');
  expect(pad('7', 3, 'right')).toBe('  7');
  expect(pad('too long', 4)).toBe('too…');
});

test('measures the graphemes on both sides of an offset', () => {
  expect(graphemeLength('a😀b', 1)).toBe(2);
  expect(graphemeLengthBefore('a😀b', 3)).toBe(2);
  expect(graphemeLengthBefore('e\u0301', 2)).toBe(2);
  expect(graphemeLengthBefore('', 0)).toBe(0);
});

/** Returns the ends of the graphemes, according to a segmenter that sees the whole text. */
function endsIn(text: string): number[] {
  return [...new Intl.Segmenter('en').segment(text)].map(({ segment, index }) => index + segment.length);
}

test('traverses a string of any length by grapheme, forward and backward', () => {
  const piece = fc.constantFrom(
    'a',
    'bc ',
    'é',
    'e\u0301',
    '東',
    '👨\u200d👩\u200d👧',
    '🇦🇹',
    '\ue008',
    'कुं',
    '한',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 60 }), fc.integer({ min: 1, max: 40 }), (pieces, times) => {
      const text = pieces.join('').repeat(times);
      const forward: number[] = [];
      for (let at = 0; at < text.length; ) {
        at += graphemeLength(text, at);
        forward.push(at);
      }
      expect(forward).toEqual(endsIn(text));
      const back: number[] = [];
      for (let at = text.length; at > 0; at -= graphemeLengthBefore(text, at)) back.unshift(at);
      expect(back).toEqual(forward);
    }),
    { numRuns: 60 },
  );
});

test('segments long strings in ranges when graphemes are queried one by one', () => {
  const text = 'abc\u2408\u2408\u2408'.repeat(2000);
  using segment = vi.spyOn(Intl.Segmenter.prototype, 'segment');
  for (let at = 0; at < text.length; ) at += graphemeLength(text, at);
  for (let at = text.length; at > 0; ) at -= graphemeLengthBefore(text, at);
  expect(segment.mock.calls.length).toBeLessThan(40);
  segment.mockClear();
  expect(fitText(text, 60)).toHaveLength(60);
  expect(fitMiddle(text, 60)).toHaveLength(60);
  const asked = segment.mock.calls.map(([part]) => part.length);
  expect(asked.reduce((sum, length) => sum + length, 0)).toBeLessThan(5000);
});
