import { expect, test } from 'vitest';
import { readThroughGuard } from '../services/guard/read-through-guard.ts';

test('11,000 reads by 20 clients of a guard get no 429, and take at most 5 % longer than the limit allows', async () => {
  const { statuses, tookMs } = await readThroughGuard({ reads: 11_000, requests: 1200, seconds: 30 });
  process.stdout.write(`11,000 reads took ${(tookMs / 1000).toFixed(1)} s; the limit allows 275.0 s.\n`);
  expect([statuses.length, new Set(statuses)]).toEqual([11_000, new Set([200])]);
  expect(tookMs).toBeLessThan((1.05 * 11_000 * 30_000) / 1200);
}, 400_000);
