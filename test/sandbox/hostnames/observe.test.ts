import { expect, test } from 'vitest';
import { readInternet } from '../../../src/sandbox/hostnames/internet.ts';
import { type Internet, observe } from '../../../src/sandbox/hostnames/observe.ts';
import { brand } from '../../../src/sandbox/hostnames/run.ts';
import { delegationSuffix } from '../../../src/v4/wire.ts';
import { openHostnameSandbox, target } from './test-sandbox.ts';

test('looks up a hostname once per reading of the simulated internet, or each time if the result depends on other hostnames', async () => {
  const place = await openHostnameSandbox();
  const { platform } = place.sandbox;
  const [zone] = platform.registry().zones.list();
  if (zone === undefined) throw new Error('a sandbox has a zone');
  const delegation = delegationSuffix(zone.delegation, brand);
  await place.add('delegated.customer.demo');
  await place.dns(
    ['shop.customer.demo', 'CNAME', target],
    ['_acme-challenge.delegated.customer.demo', 'CNAME', `delegated.customer.demo.${delegation}`],
  );
  const internet = readInternet(platform);
  let answers = 0;
  const dns: Internet['dns'] = {
    ...internet.dns,
    answer(name, type) {
      answers += 1;
      return internet.dns.answer(name, type);
    },
  };
  const counted = { ...internet, dns };
  const view = (hostname: string) => {
    const before = answers;
    const seen = observe(counted, { zone, hostname, delegation, rival: false })(0);
    return { seen, answers: answers - before };
  };
  const first = view('shop.customer.demo');
  expect(first.answers).toBeGreaterThan(0);
  expect(view('shop.customer.demo')).toEqual({ seen: first.seen, answers: 0 });
  const delegated = view('delegated.customer.demo');
  expect(delegated.seen).toMatchObject({ delegated: true });
  expect(view('delegated.customer.demo')).toEqual(delegated);
  await place.close();
});
