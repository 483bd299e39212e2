import { expect, test } from 'vitest';
import { contend } from '../services/tasks/contenders.ts';

test('of three processes at locks that were left behind one is in at a time, 2,000 times', async () => {
  expect(await contend(2000)).toEqual({ rounds: 2000, without: 0, faults: [] });
});
