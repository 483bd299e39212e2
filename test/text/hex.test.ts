import { expect, test } from 'vitest';
import { hexLines, hexRowLength } from '../../src/text/hex.ts';

test('shows offset, bytes and ASCII in a dump, and aligns the last row', () => {
  expect(hexLines(Buffer.from('Hello, world!\n\u001b[2Jé'), 0x20, 16)).toEqual([
    '00000020  48 65 6c 6c 6f 2c 20 77  6f 72 6c 64 21 0a 1b 5b  Hello, world!..[',
    '00000030  32 4a c3 a9                                       2J..',
  ]);
  expect(hexLines(Uint8Array.of(0, 127, 65), 0, 2)).toEqual(['00000000  00 7f  ..', '00000002  41     A']);
  expect(hexLines(new Uint8Array(), 0, 16)).toEqual([]);
});

test.each([120, 80, 76, 75, 60, 40, 30, 24])('chooses a row that fits into %i columns', (width) => {
  const length = hexRowLength(width);
  const [line = ''] = hexLines(new Uint8Array(length).fill(65), 0, length);
  expect(line.length).toBeLessThanOrEqual(width);
});

test('shows 16 bytes per row on a terminal of 80 columns, and at least one byte on the narrowest terminal', () => {
  expect(hexRowLength(80)).toBe(16);
  expect(hexRowLength(40)).toBe(4);
  expect(hexRowLength(3)).toBe(1);
});
