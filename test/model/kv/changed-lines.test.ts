import { expect, test } from 'vitest';
import { changedLines } from '../../../src/model/kv/line-difference.ts';

test.each([
  ['a\nb\nc', 'a\nX\nc', { at: 2, before: ['b'], after: ['X'] }],
  ['a\nb', 'a\nb\nc', { at: 3, before: [], after: ['c'] }],
  ['a\na\na', 'a\na', { at: 3, before: ['a'], after: [] }],
  ['', 'x', { at: 1, before: [''], after: ['x'] }],
  ['same', 'same', { at: 2, before: [], after: [] }],
])('finds the range of lines in which %j and %j differ', (before, after, expected) => {
  expect(changedLines(before, after)).toEqual(expected);
});
