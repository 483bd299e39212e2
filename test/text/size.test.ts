import { expect, test } from 'vitest';
import { formatSize, groupDigits } from '../../src/text/size.ts';

test.each([
  [0, '0 B'],
  [512, '512 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [1024, '1.0 kB'],
  [9949, '9.9 kB'],
  [9960, '10 kB'],
  [999_499, '999 kB'],
  [999_500, '1.0 MB'],
  [1_400_000, '1.4 MB'],
  [26_214_400, '26 MB'],
])('%i bytes are %s', (bytes, shown) => {
  expect(formatSize(bytes)).toBe(shown);
});

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1_234_567, '1,234,567'],
])('%i is grouped as %s', (count, shown) => {
  expect(groupDigits(count)).toBe(shown);
});
