import { describe, expect, test } from 'vitest';
import { fitText, pad } from '../../src/text/width.ts';

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
  ])('%j in %i columns is %j', (text, width, shown) => {
    expect(fitText(text, width)).toBe(shown);
  });
});

test('padding fills to the column, on either side', () => {
  expect(pad('東', 4)).toBe('東  ');
  expect(pad('7', 3, 'right')).toBe('  7');
  expect(pad('too long', 4)).toBe('too…');
});
