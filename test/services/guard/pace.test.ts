import { expect, test } from 'vitest';
import { openServed } from '../../support/served.ts';
import { readThroughGuard } from './read-through-guard.ts';
import { startGuard } from './start-guard.ts';

test('gets no 429 with 20 clients of a guard from a platform that announces its limit', async () => {
  const { statuses } = await readThroughGuard({ reads: 80, requests: 40, seconds: 1 });
  expect([statuses.length, new Set(statuses)]).toEqual([80, new Set([200])]);
});

test('a guard delays the 16th custom hostname of a minute', async () => {
  const served = await openServed();
  const { EDGECTL_API_BASE_URL: url = '', EDGECTL_API_TOKEN: token = '' } = served.person.env;
  const accountId = served.person.env['EDGECTL_ACCOUNT_ID'] ?? '';
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const post = async (path: string, body: unknown) => {
    const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json() as Promise<{ result?: { id: string } }>;
  };
  const zone = await post('/zones', { name: 'platform.dev', account: { id: accountId } });
  await post('/sandbox/faults', { match: '/**', rate: { requests: 400, seconds: 60, per: 'token' } });
  const guard = await startGuard(served.person);
  // For a platform on a loopback address, the guard applies the limit only after the platform has announced a limit.
  await guard.call('GET', '/zones');
  const create = (index: number, signal?: AbortSignal) =>
    guard.call('POST', `/zones/${zone.result?.id}/custom_hostnames`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ hostname: `shop-${index}.customer.dev`, ssl: { method: 'http', type: 'dv' } }),
      ...(signal && { signal }),
    });
  const statuses = [];
  for (let index = 0; index < 15; index++) statuses.push((await create(index)).status);
  const gone = new AbortController();
  const last = create(15, gone.signal).catch(() => undefined);
  // The limit is fifteen certificates per minute; the guard adds a second to allow for inaccurate clocks.
  expect(await guard.untilShown(/waiting/)).toMatch(/waiting (5\d|60)\.\d s/);
  gone.abort();
  await last;
  await guard.stop();
  await served.close();
  expect(new Set(statuses)).toEqual(new Set([200]));
});
