import { expect, test } from 'vitest';
import { readThroughGuard } from './read-through-guard.ts';

test('20 clients of a guard get no 429 from a platform that announces its limit', async () => {
  const { statuses } = await readThroughGuard({ reads: 80, requests: 40, seconds: 1 });
  expect([statuses.length, new Set(statuses)]).toEqual([80, new Set([200])]);
});
