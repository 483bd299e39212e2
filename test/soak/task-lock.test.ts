import { expect, test } from 'vitest';
import { contend } from '../services/tasks/contenders.ts';

test('only one of three processes holds a stale lock at a time, 2,000 times', async () => {
  expect(await contend(2000)).toEqual({ rounds: 2000, without: 0, faults: [] });
});
