import { expect, test } from 'vitest';
import { hasMoreValues } from '../../src/text/json.ts';

test.each([
  ['[1,2,3]', 3],
  ['{"a":[],"b":{"c":"x,[{:\\",\\\\"}}', 7],
  ['["\\\\","a"]', 2],
  ['["an open string, with commas', 1],
  [' ', 0],
])('counts in %s %i value marks outside strings', (text, count) => {
  const bytes = Buffer.from(text);
  expect([hasMoreValues(bytes, count), count > 0 && !hasMoreValues(bytes, count - 1)]).toEqual([
    false,
    false,
  ]);
});
