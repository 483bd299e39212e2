import { expect, test, vi } from 'vitest';
import { startTicker } from '../../../src/sandbox/hostnames/serve.ts';
import { openHostnameSandbox, target } from './test-sandbox.ts';

test('advances hostnames that no client reads, until the ticker is stopped', async () => {
  const place = await openHostnameSandbox();
  await place.dns(['shop.ticking.demo', 'CNAME', target]);
  await place.add('shop.ticking.demo');
  const statuses = () => {
    const [stored] = place.sandbox.platform.registry().hostnames.named('shop.ticking.demo');
    return [stored?.state.record.status, stored?.state.record.ssl?.status];
  };
  expect(statuses()).toEqual(['pending', 'initializing']);
  const stop = startTicker(place.sandbox.platform, { every: 5 });
  place.clock.now += 60_000;
  await vi.waitFor(() => expect(statuses()).toEqual(['active', 'active']), { timeout: 10_000 });
  await stop();
  await place.close();
});

test('reports an error, and retries at the next check', async () => {
  const place = await openHostnameSandbox();
  const faults: unknown[] = [];
  let isBroken = true;
  const platform = {
    ...place.sandbox.platform,
    now: () => {
      if (isBroken) throw new Error('no clock');
      return place.clock.now;
    },
  };
  await place.add('shop.ticking.demo');
  place.clock.now += 10_000;
  const stop = startTicker(platform, { every: 5, onBug: (error) => faults.push(error) });
  await vi.waitFor(() => expect(faults.length).toBeGreaterThan(1), { timeout: 10_000 });
  isBroken = false;
  const status = () => platform.registry().hostnames.named('shop.ticking.demo')[0]?.state.record.ssl?.status;
  await vi.waitFor(() => expect(status()).toBe('pending_validation'), { timeout: 10_000 });
  await stop();
  await place.close();
});
