import { expect, test } from 'vitest';
import { formatSize, groupDigits } from '../../src/text/size.ts';

test.each([
  [0, '0 B'],
  [512, '512 B'],
  [1023, '1023 B'],
  [1024, '1.0 KiB'],
  [10_180, '9.9 KiB'],
  [10_240, '10 KiB'],
  [1_048_063, '1023 KiB'],
  [1_048_064, '1.0 MiB'],
  [1_400_000, '1.3 MiB'],
  // The maximum sizes of a value and of an upload, according to the provider's documentation.
  [26_214_400, '25 MiB'],
  [314_572_800, '300 MiB'],
])('formats %i bytes as %s', (bytes, shown) => {
  expect(formatSize(bytes)).toBe(shown);
});

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1_234_567, '1,234,567'],
])('groups the digits of %i as %s', (count, shown) => {
  expect(groupDigits(count)).toBe(shown);
});
