import fc from 'fast-check';
import { expect, it } from 'vitest';
import { afterPrefix, keyRange } from '../../src/store/key-order.ts';

const character = fc.constantFrom(
  'a',
  'b',
  '\u0000',
  '\ud7ff',
  '\ue000',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}',
  'é',
);
const key = fc.string({ unit: character, maxLength: 6 });

function order(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

it('bounds exactly the keys that start with a prefix, in the order of UTF-8 bytes', () => {
  fc.assert(
    fc.property(key, key, (prefix, other) => {
      const end = afterPrefix(prefix);
      const within = order(other, prefix) >= 0 && (end === undefined || order(other, end) < 0);
      expect(within).toBe(other.startsWith(prefix));
    }),
    { numRuns: 2000 },
  );
});

it('returns no end for a prefix of only the last code point', () => {
  expect(afterPrefix('\u{10ffff}\u{10ffff}')).toBeUndefined();
  expect(afterPrefix('a\u{10ffff}')).toBe('b');
  expect(afterPrefix('\ud7ff')).toBe('\ue000');
});

it('uses the greater of the two lower bounds', () => {
  expect(keyRange('b', 'a')).toEqual({ from: 'b', before: 'c' });
  expect(keyRange('b', 'bb')).toEqual({ after: 'bb', before: 'c' });
  expect(keyRange(undefined, '\uffff')).toEqual({ after: '\uffff', before: undefined });
  expect(keyRange('\uffff', '\u{10000}')).toMatchObject({ after: '\u{10000}' });
});
