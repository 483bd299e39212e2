import { expect, test } from 'vitest';
import { noBordersReason, wholeRegion } from '../../../../components/ui/layout/layout.ts';

test.each([
  [40, 12, false],
  [99, 40, false],
  [100, 40, true],
  [120, 15, false],
  [250, 70, true],
])('a screen of %ix%i has borders: %s', (columns, rows, isFramed) => {
  const region = wholeRegion({ columns, rows });
  expect(region).toEqual({ left: 0, width: columns, columns: columns - (isFramed ? 4 : 0), isFramed });
  expect(noBordersReason({ columns, rows }) === undefined).toBe(isFramed);
});

test('draws one region without borders for a screen reader', () => {
  expect(wholeRegion({ columns: 200, rows: 50, isSpoken: true }).isFramed).toBe(false);
});
