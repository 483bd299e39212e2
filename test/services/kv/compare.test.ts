import { expect, test } from 'vitest';
import { compareValues, comparisonLines } from '../../../src/services/kv/compare.ts';
import type { WholeKey } from '../../../src/services/kv/key-change.ts';

function key(value: string | Uint8Array, more: { metadata?: unknown; expiration?: number } = {}): WholeKey {
  return { entry: { name: 'k', ...more }, value: Buffer.from(value) };
}

function lines(left: WholeKey | undefined, right: WholeKey | undefined): string[] {
  return comparisonLines(compareValues(left, right)).map(({ sign, text }) => `${sign}${text}`);
}

test('compares JSON by content, and also compares metadata and expiry', () => {
  expect(lines(key('{"b":[1,2],"a":1}'), key('{ "a": 1, "b": [1, 2] }'))).toEqual([]);
  expect(
    lines(
      key('{"b":1,"a":1}', { metadata: { owner: 'web' }, expiration: 1_800_000_000 }),
      key('{"a":2,"b":1}', { metadata: { owner: 'app' } }),
    ),
  ).toEqual([
    '@value, JSON with sorted names, lines 1-4 and 1-4',
    ' {',
    '-  "a": 1,',
    '+  "a": 2,',
    '   "b": 1',
    ' }',
    '@metadata, JSON with sorted names, lines 1-3 and 1-3',
    ' {',
    '-  "owner": "web"',
    '+  "owner": "app"',
    ' }',
    '@expires',
    '-2027-01-15T08:00:00Z',
    '+never',
  ]);
});

test("distinguishes numbers that differ beyond JavaScript's precision", () => {
  expect(lines(key('{"id":12345678901234567890}'), key('{"id":12345678901234567891}'))).toHaveLength(3);
  expect(lines(key('{"id":1}'), key('{"id":1.0}'))).toEqual([]);
});

test('compares text by lines, and bytes by their position', () => {
  expect(lines(key('one\ntwo'), key('one\n2'))).toEqual(['@value, lines 1-2 and 1-2', ' one', '-two', '+2']);
  const bytes = Buffer.from('89504e470d0a1a0a00', 'hex');
  expect(lines(key(bytes), key(Buffer.concat([bytes, Buffer.of(0)])))).toEqual([
    '@value, binary, first difference at byte 9',
    '-9 bytes',
    '+10 bytes',
  ]);
});

test('shows a key that exists only on one side', () => {
  expect(lines(key('x'), undefined)).toEqual([
    '@the key is missing on the second side',
    '@value, lines 1 and none',
    '-x',
  ]);
  expect(lines(undefined, undefined)).toEqual(['@the key is missing on both sides']);
});
