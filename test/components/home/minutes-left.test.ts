import { expect, test } from 'vitest';
import { formatMinutesLeft, minutesValidMs } from '../../../components/ui/status/use-age.ts';

test.each([
  [605, ['10m', '9m', '8m', '7m', '6m', '5m', '4m', '3m', '2m', '1m', '<1m']],
  [59, ['<1m']],
  [7321, ['2h2m', '2h1m', '2h']],
])('redraws the time left from %i seconds only when its words change', (from, words) => {
  const drawn: string[] = [];
  for (let left: number = from; left > 0 && drawn.length < words.length; ) {
    drawn.push(formatMinutesLeft(left));
    const validMs = minutesValidMs(left) ?? Number.POSITIVE_INFINITY;
    expect(formatMinutesLeft(left - (validMs - 3) / 1000)).toBe(drawn.at(-1));
    left -= validMs / 1000;
  }
  expect(drawn).toEqual(words);
});

test('redraws nothing after the countdown has ended', () => {
  expect(minutesValidMs(0)).toBeUndefined();
});
