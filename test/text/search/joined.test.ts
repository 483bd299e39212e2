import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSearchedAtOnce, joinTexts, textAt, writeFound } from '../../../src/text/search/joined.ts';
import { createMatcher, readPattern } from '../../../src/text/search/pattern.ts';

const texts = fc.array(
  fc.string({ unit: fc.constantFrom('a', 'b', 'A', '\n', '\u{130}', '\u{1f600}'), maxLength: 4 }),
  {
    maxLength: 20,
  },
);

test('returns each string unchanged', () => {
  fc.assert(
    fc.property(texts, (given) => {
      const joined = joinTexts(given);
      expect(given.map((_, index) => textAt(joined, index))).toEqual(given);
    }),
  );
});

test('finds the same matches in one pass as a search of each string, and no match across a boundary', () => {
  const typed = fc.string({ unit: fc.constantFrom('a', 'b', 'A', '!', '\n'), minLength: 1, maxLength: 3 });
  let searched = 0;
  fc.assert(
    fc.property(texts, typed, (given, pattern) => {
      const matcher = createMatcher(readPattern(pattern));
      const joined = joinTexts(given);
      if ('fault' in matcher || !isSearchedAtOnce(matcher, joined)) return;
      searched++;
      const list = new Uint32Array(given.length + 1);
      const length = writeFound(joined, matcher, { list, from: 1, offset: 7 });
      const found = [...list.subarray(1, length)].map((index) => index - 7);
      expect(found).toEqual(given.flatMap((text, index) => (matcher.lets(text) ? [index] : [])));
    }),
    { numRuns: 2000 },
  );
  expect(searched).toBeGreaterThan(300);
});
