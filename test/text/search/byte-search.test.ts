import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ByteSearch } from '../../../src/text/search/byte-search.ts';
import { createMatcher, readPattern } from '../../../src/text/search/pattern.ts';
import { cost } from '../../fuzz/fuzz.ts';

function searched(bytes: Uint8Array, typed: string): ByteSearch {
  const matcher = createMatcher(readPattern(typed));
  if ('fault' in matcher) throw new Error(matcher.fault);
  const search = new ByteSearch(bytes, matcher);
  while (!search.isDone) search.step();
  return search;
}

function getHits({ hits }: ByteSearch): number[] {
  return Array.from({ length: hits.length }, (_, index) => hits.at(index));
}

function found(value: string | Uint8Array, typed: string): string[] {
  const bytes = Buffer.from(value);
  return searched(bytes, typed)
    .within(0, bytes.length)
    .map((range) => bytes.subarray(...range).toString());
}

test('finds strings, expressions and fuzzy matches, with smart case, line by line', () => {
  const value = 'Error: one\nerror: two\n\nwarning ERROR\n';
  expect(found(value, 'error')).toEqual(['Error', 'error', 'ERROR']);
  expect(found(value, 'Error')).toEqual(['Error']);
  expect(found(value, '/^e\\w+/')).toEqual(['Error', 'error']);
  expect(found(value, '/o.*$/')).toEqual(['or: one', 'or: two', 'OR']);
  expect(found(value, '~wrn')).toEqual(['w', 'rn']);
  expect(getHits(searched(Buffer.from(value), '~wrn'))).toEqual([23]);
});

test('finds lines that lack a string, including an empty line, but no line after the last line feed', () => {
  const bytes = Buffer.from('one\ntwo\n\nthree\n');
  expect(getHits(searched(bytes, '!o'))).toEqual([8, 9]);
  expect(getHits(searched(bytes, '!/^$/'))).toEqual([0, 4, 9]);
  expect(searched(bytes, '!o').within(0, bytes.length)).toEqual([]);
});

test('reports byte positions after multi-byte characters and after bytes that are not UTF-8', () => {
  const bytes = Buffer.concat([
    Buffer.of(0xff, 0xfe),
    Buffer.from('é😀 find me '),
    Buffer.of(0x80),
    Buffer.from('find'),
  ]);
  expect(
    searched(bytes, 'find')
      .within(0, bytes.length)
      .map((range) => bytes.subarray(...range).toString()),
  ).toEqual(['find', 'find']);
});

test('finds a match across the pieces of a long line once, and all matches in a long text', () => {
  const positions = fc.uniqueArray(fc.integer({ min: 0, max: 40_000 }), {
    maxLength: 30,
    selector: (at) => at >> 4,
  });
  const long = fc.record({ positions, feed: fc.boolean(), how: fc.constantFrom('needle', '/n[e]{2}dle/') });
  fc.assert(
    fc.property(long, ({ positions, feed, how }) => {
      const bytes = Buffer.alloc(400_000, 'é');
      const at = positions.toSorted((one, other) => one - other).map((position) => position * 10);
      const saved = at.filter((position, index) => position >= (at[index - 1] ?? -16) + 16);
      for (const position of saved) bytes.write('needle', position);
      if (feed) for (let line = 99_999; line < bytes.length; line += 100_000) bytes.write('\n', line);
      const whole = saved.filter(
        (position) => bytes.subarray(position, position + 6).toString() === 'needle',
      );
      expect(getHits(searched(bytes, how))).toEqual(whole);
    }),
    { numRuns: 15 },
  );
}, 30_000);

test('abandons a backtracking expression within a bounded step, and continues with an expression that is only slow', () => {
  const bytes = Buffer.from(`fine\n${'a'.repeat(60)}!\nmore`);
  const search = searched(bytes, '/(a+)+$/');
  expect(search.fault).toContain('takes too long');
  const slow = Buffer.from(`${'a'.repeat(300)}\n`.repeat(400));
  expect(searched(slow, '/a*b/').fault).toBeUndefined();
});

test('keeps a bounded number of matches, and reports that more matches exist', () => {
  const search = searched(Buffer.alloc(300_000, 'a'), 'a');
  expect(search.isFull).toBe(true);
  expect(search.hits.length).toBeGreaterThanOrEqual(100_000);
  expect(search.hits.length).toBeLessThan(150_000);
});

test('searches 25 MiB of short lines, and a single line of 25 MiB', () => {
  const lines = Buffer.alloc(25 * 1024 * 1024, 'abcdefghi\n');
  const line = Buffer.alloc(25 * 1024 * 1024, 'abcdefghi ');
  lines.write('needle', lines.length - 10);
  line.write('needle', line.length - 10);
  const spent = cost(() => {
    expect([lines, line].map((bytes) => getHits(searched(bytes, 'NEEDLE'.toLowerCase())))).toEqual([
      [lines.length - 10],
      [line.length - 10],
    ]);
  });
  expect(spent).toBeLessThan(10_000);
});
