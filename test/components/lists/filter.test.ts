import { expect, test } from 'vitest';
import { filterTest } from '../../../components/lists/filter.ts';

test.each([
  ['user', 'USER:1', true],
  ['user', 'a user', true],
  ['User', 'user:1', false],
  ['User', 'a User', true],
  ['é', 'CAFÉ', true],
  ['a.c', 'abc', false],
  ['[1]-(x)|^$*+?{2}\\/', 'a [1]-(X)|^$*+?{2}\\/ b', true],
  ['', 'anything', true],
])('%j in %j: %j, in any case unless the pattern has a capital letter', (pattern, text, found) => {
  expect(filterTest(pattern)(text)).toBe(found);
});
