import { afterAll, beforeAll, test } from 'vitest';
import {
  closeAttacked,
  expectRefused,
  isIn,
  lack,
  openAttacked,
  runUnlocked,
} from '../support/hostile-runs.ts';
import { ways } from '../support/hostile-ways.ts';

beforeAll(async () => {
  await openAttacked();
  await runUnlocked('unlocked');
  if (lack === undefined) await runUnlocked('otherUser');
});
afterAll(closeAttacked);

test.for(ways.filter((way) => isIn('unlocked', way)))(
  'behind a guard without a lock, a program is refused unless the threat model permits it: $name',
  (way) => expectRefused('unlocked', way),
);

test.for([...ways])(
  'a program that runs as a different user than the guard is refused: $name',
  async (way, { skip }) => {
    if (lack !== undefined) return skip(lack);
    await expectRefused('otherUser', way);
  },
);
