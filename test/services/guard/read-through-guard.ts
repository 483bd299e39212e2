import { openServed } from '../../support/served.ts';
import { startGuard } from './start-guard.ts';

/** Reads from a sandbox with 20 clients of a guard. The sandbox allows only `requests` requests in `seconds` seconds. */
export async function readThroughGuard({
  reads,
  requests,
  seconds,
}: Readonly<Record<'reads' | 'requests' | 'seconds', number>>) {
  const served = await openServed();
  const { EDGECTL_API_BASE_URL: url = '', EDGECTL_API_TOKEN: token = '' } = served.person.env;
  const guard = await startGuard(served.person);
  const limited = await fetch(`${url}/sandbox/faults`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ match: '/**', rate: { requests, seconds, per: 'token' } }),
  });
  if (!limited.ok) throw new Error(`The sandbox was not limited: ${limited.status}`);
  const begun = Date.now();
  const statuses: number[] = [];
  let next = 0;
  const runClient = async () => {
    while (next < reads) statuses.push((await guard.call('GET', `/zones?page=${++next}`)).status);
  };
  await Promise.all(Array.from({ length: 20 }, runClient));
  const tookMs = Date.now() - begun;
  await guard.stop();
  return { statuses, tookMs };
}
