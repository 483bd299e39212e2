import fc from 'fast-check';
import { expect, test } from 'vitest';
import { characterStart } from '../../src/text/utf8.ts';

test('moves a window to the start of a character, and never splits a character', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), fc.nat(), (text, at) => {
      const bytes = new TextEncoder().encode(text);
      const start = characterStart(bytes, at % (bytes.length + 1));
      expect(
        Buffer.from(bytes.subarray(0, start)).toString() + Buffer.from(bytes.subarray(start)).toString(),
      ).toBe(text);
    }),
  );
});

test('cuts bytes that are not text at the given offset', () => {
  expect(characterStart(Uint8Array.of(0x80, 0x80, 0x80, 0x80, 0x80), 3)).toBe(3);
  expect(characterStart(Uint8Array.of(0x41, 0x80, 0x80), 2)).toBe(2);
});
