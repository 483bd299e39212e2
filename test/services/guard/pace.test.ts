import { expect, test } from 'vitest';
import { openServed } from '../../support/served.ts';
import { startGuard } from './start-guard.ts';

test('20 clients of a guard stay within an announced limit, at most 5 % slower than it allows', async () => {
  const served = await openServed();
  const { EDGECTL_API_BASE_URL: url = '', EDGECTL_API_TOKEN: token = '' } = served.person.env;
  const guard = await startGuard(served.person);
  const answer = await fetch(`${url}/sandbox/faults`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ match: '/**', rate: { requests: 120, seconds: 3, per: 'token' } }),
  });
  expect(answer.status).toBeLessThan(300);
  const begun = Date.now();
  const statuses: number[] = [];
  await Promise.all(
    Array.from({ length: 20 }, async (_, client) => {
      for (let read = 0; read < 12; read++)
        statuses.push((await guard.call('GET', `/zones?page=${client * 12 + read + 1}`)).status);
    }),
  );
  expect(new Set(statuses)).toEqual(new Set([200]));
  expect(Date.now() - begun).toBeLessThan(1.05 * 6000);
  await guard.stop();
});
