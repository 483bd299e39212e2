import { expect, test } from 'vitest';
import { countdownValidMs } from '../../../../components/ui/status/use-age.ts';
import { closeDuration } from '../../../../src/text/time.ts';

/** Returns the strings that a countdown draws between two numbers of seconds. */
function drawnTexts(from: number, to: number): string[] {
  const words: string[] = [];
  for (let left = from; left > to; left -= (countdownValidMs(left) ?? Number.POSITIVE_INFINITY) / 1000)
    words.push(closeDuration(left));
  return words;
}

test.each([
  [605, 597, ['10m', '9m59s', '9m58s']],
  [3, 0, ['3s', '2s', '1s']],
  [7321, 7200, ['2h2m', '2h1m', '2h']],
])('redraws a countdown from %i seconds whenever its words change', (from, to, words) => {
  expect(drawnTexts(from, to)).toEqual(words);
});

test('does not redraw a finished countdown', () => {
  expect(countdownValidMs(0)).toBeUndefined();
});
