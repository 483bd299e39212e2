import { expect, test } from 'vitest';
import { tooSmallLines } from '../../../../components/ui/layout/TooSmall.tsx';

test.each([
  [39, 12, ['The console needs 40x10; this is 39x12.', 'Press Ctrl-C to quit.']],
  [30, 6, ['The console needs 40x10; this', 'is 30x6. Press Ctrl-C to quit.']],
  [60, 1, ['The console needs 40x10; this is 60x1. Press Ctrl-C to quit.']],
  [40, 1, ['Needs 40x10; has 40x1. Ctrl-C to quit.']],
  [30, 1, ['Needs 40x10; has 30x1']],
  [10, 3, ['Needs', '40x10; has', '10x3']],
  [12, 1, ['Needs 40x10']],
  [6, 1, ['40x10']],
  [2, 1, ['40x10']],
])('shows the required size without splitting words on a screen of %dx%d', (columns, rows, lines) => {
  expect(tooSmallLines({ columns, rows })).toEqual(lines);
});
