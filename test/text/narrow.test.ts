import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { narrow } from '../../build/lighter.mjs';

/** In the build, the width of a string of these characters is its length. */
const isNarrow = new RegExp(`^[${narrow}]$`);

test('assigns one column to characters that are measured only by their length, even next to other characters', () => {
  const found = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).filter((character) =>
    isNarrow.test(character),
  );
  expect(found.length).toBeGreaterThan(900);
  expect(found.filter((character) => stringWidth(character) !== 1)).toEqual([]);
  expect(stringWidth(found.join(''))).toBe(found.length);
  expect(stringWidth(found.toReversed().join(''))).toBe(found.length);
});
