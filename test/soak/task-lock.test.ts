import { expect, test } from 'vitest';
import { contend } from '../services/tasks/contenders.ts';

test('allows only one of three processes at a time to hold a stale lock, 2,000 times', async () => {
  expect(await contend(2000)).toEqual({ rounds: 2000, without: 0, faults: [] });
});
