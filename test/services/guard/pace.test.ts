import { expect, test } from 'vitest';
import { readThroughGuard } from './read-through-guard.ts';

test('20 clients of a guard get no 429 from a platform that announces its limit', async () => {
  const { statuses } = await readThroughGuard({ reads: 240, requests: 120, seconds: 3 });
  expect([statuses.length, new Set(statuses)]).toEqual([240, new Set([200])]);
});
