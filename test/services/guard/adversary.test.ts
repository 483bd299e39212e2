import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeAttacked, expectRefused, isIn, openAttacked, runLocked } from '../../support/hostile-runs.ts';
import { ways } from '../../support/hostile-ways.ts';

beforeAll(async () => {
  await openAttacked();
  await runLocked();
});
afterAll(closeAttacked);

test.for(ways.filter((way) => isIn('locked', way)))(
  'behind a guard of a locked profile, a program is refused: $name',
  (way) => expectRefused('locked', way),
);

test('the threat model lists each attack that is not prevented', () => {
  const text = readFileSync('docs/threat-model.md', 'utf8');
  const [, table = ''] = /<!-- not prevented -->\n([\s\S]*?)<!-- \/not prevented -->/.exec(text) ?? [];
  const rows = table
    .trim()
    .split('\n')
    .slice(2)
    .map((row) =>
      row
        .split('|')
        .slice(1, 5)
        .map((cell) => cell.trim()),
    );
  const word = (possible: boolean | 'maybe') => (possible === false ? 'refused' : 'possible');
  expect(rows).toEqual(
    ways.flatMap(({ name, notPrevented }) =>
      notPrevented === undefined
        ? []
        : [[name, word(notPrevented.unlocked), word(notPrevented.locked), word(notPrevented.otherUser)]],
    ),
  );
});
