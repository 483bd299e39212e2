import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LastOccurrences } from '../../../src/model/kv/duplicates.ts';
import { IndexRanges } from '../../../src/model/kv/index-ranges.ts';
import { compareKeys } from '../../../src/model/kv/key-order.ts';
import { anyCharacter } from '../../support/any-character.ts';
import { roundsInPart } from '../../support/in-part.ts';

describe('IndexRanges', () => {
  it('contains exactly the indices of the added ranges, in the fewest ranges', () => {
    const range = fc.tuple(fc.nat(40), fc.nat(10)).map(([from, length]) => [from, from + length] as const);
    fc.assert(
      fc.property(fc.array(range), (added) => {
        const ranges = new IndexRanges(added);
        const held = Array.from({ length: 60 }, (_, index) =>
          added.some(([from, to]) => index >= from && index < to),
        );
        expect(held.map((_, index) => ranges.has(index))).toEqual(held);
        expect(ranges.count).toBe(held.filter(Boolean).length);
        const edges = held.filter((here, index) => here && held[index - 1] !== true).length;
        expect(ranges.toArray()).toHaveLength(edges);
      }),
      { numRuns: roundsInPart(1000, 5) },
    );
  });
});

describe('LastOccurrences', () => {
  it('finds the last entry of each key, even if the filter is full', () => {
    const keys = fc.array(fc.oneof(fc.constantFrom('a', 'b', 'c'), fc.string()), { maxLength: 50 });
    fc.assert(
      fc.property(keys, (list) => {
        const found = new LastOccurrences(() => 0);
        for (const [index, key] of list.entries()) found.see(key, index);
        for (const [index, key] of list.entries()) {
          expect(found.isLast(key, index)).toBe(list.lastIndexOf(key) === index);
        }
      }),
    );
    const count = 300_000;
    for (const expected of [0, count, 100 * count]) {
      const many = new LastOccurrences(() => expected);
      for (let index = 0; index < count; index++) many.see(`key ${index % 200_000}`, index);
      const last = Array.from({ length: count }, (_, index) => many.isLast(`key ${index % 200_000}`, index));
      expect(last.filter(Boolean)).toHaveLength(200_000);
      expect(last.slice(0, 100_000).some(Boolean)).toBe(false);
    }
  });
});

describe('compareKeys', () => {
  it('orders keys by their UTF-8 bytes', () => {
    const character = fc.oneof(
      fc.constantFrom('a', '\ue000', '\uffff', '😀', '\u{10000}', 'é'),
      fc.string({ unit: anyCharacter, maxLength: 1 }),
    );
    const key = fc.array(character, { maxLength: 5 }).map((parts) => parts.join(''));
    fc.assert(
      fc.property(key, key, (a, b) => {
        expect(Math.sign(compareKeys(a, b))).toBe(Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))));
      }),
      { numRuns: roundsInPart(2000, 5) },
    );
  });
});
