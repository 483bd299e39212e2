import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { seedHostnames } from '../../../src/sandbox/hostnames/demo.ts';
import { openTestSandbox, type TestSandbox } from '../test-sandbox.ts';

let place: TestSandbox;
let records: ReadonlyMap<string, CustomHostname>;
const day = 24 * 60 * 60 * 1000;

beforeAll(async () => {
  place = await openTestSandbox('in process');
  await seedHostnames(place.sandbox.platform);
  records = await read();
});
afterAll(() => place.close());

async function read(): Promise<Map<string, CustomHostname>> {
  const zone = place.sandbox.platform.registry().zoneId();
  const reply = await place.call('GET', `/zones/${zone}/custom_hostnames?per_page=50`);
  return new Map(
    (reply.envelope<CustomHostname[]>().result ?? []).map((record) => [record.hostname, record]),
  );
}

test.each([
  ['shop.tea-house.demo', 'active', 'active'],
  ['landing.paperplane.demo', 'active', undefined],
  ['store.olive-and-fig.demo', 'pending', 'pending_validation'],
  ['new.saffron-kitchen.demo', 'pending', 'initializing'],
  ['shop.old-mill.demo', 'moved', 'active'],
  ['menu.sushi-garden.demo', 'moved', 'active'],
  ['shop.lockwood.demo', 'blocked', 'pending_validation'],
  ['secure.cedar-savings.demo', 'caa_error', 'pending_issuance'],
  ['cdn.fern-studio.demo', 'caa_error', 'pending_issuance'],
  ['portal.quiet-harbor.demo', 'active', 'pending_validation'],
  ['silver-fjord.demo', 'pending', 'active'],
  ['forms.slow-panel.demo', 'active', 'validation_timed_out'],
  ['docs.lantern.demo', 'active', 'pending_expiration'],
  ['promo.last-season.demo', 'active', 'expired'],
])('the demo hostname %s is %s with the certificate %s', (hostname, status, certificate) => {
  const record = records.get(hostname);
  expect([record?.status, record?.ssl?.status]).toEqual([status, certificate]);
});

test('demo hostnames include reasons why they do not work', () => {
  expect(records.get('shop.lockwood.demo')?.verification_errors?.join()).toContain(
    'held zone (lockwood.demo)',
  );
  expect(records.get('shop.orange-grove.demo')?.verification_errors?.join()).toContain('is using Cloudflare');
  expect(records.get('silver-fjord.demo')?.verification_errors?.join()).toContain('does not CNAME');
  expect(records.get('dns.broken-arrow.demo')?.verification_errors?.join()).toContain('DNS lookup');
  const expires = Date.parse(records.get('docs.lantern.demo')?.ssl?.expires_on ?? '');
  expect((expires - place.clock.now) / day).toBeCloseTo(3.1, 1);
});

test('a timed-out hostname becomes active when its validation is restarted, because its record now exists', async () => {
  const { id, ssl } = records.get('forms.slow-panel.demo') ?? {};
  const path = `/zones/${place.sandbox.platform.registry().zoneId()}/custom_hostnames/${id}`;
  const json = { ssl: { method: ssl?.method, type: ssl?.type, wildcard: ssl?.wildcard } };
  expect((await place.call('PATCH', path, { json })).status).toBe(200);
  place.clock.now += 120_000;
  const { ssl: after } = (await read()).get('forms.slow-panel.demo') ?? {};
  expect(after?.status).toBe('active');
});

test('demo hostnames do not count against the issuance limit, and seeding does not recreate them on the same day', async () => {
  const issuance = await place.call('GET', '/sandbox/issuance');
  expect(issuance.envelope().result).toEqual({ limit: 15, used: 0, blocked_seconds: 0 });
  expect(await seedHostnames(place.sandbox.platform)).toBe(0);
  expect((await read()).get('shop.tea-house.demo')?.id).toBe(records.get('shop.tea-house.demo')?.id);
});

test('seeding resets the demo hostnames after a day, and keeps the hostnames of other users', async () => {
  const zone = place.sandbox.platform.registry().zoneId();
  const json = { hostname: 'mine.elsewhere.demo', ssl: { method: 'http', type: 'dv' } };
  expect((await place.call('POST', `/zones/${zone}/custom_hostnames`, { json })).status).toBe(200);
  place.clock.now += 2 * day;
  expect(await seedHostnames(place.sandbox.platform)).toBe(records.size);
  const again = await read();
  expect(again.get('mine.elsewhere.demo')?.hostname).toBe('mine.elsewhere.demo');
  expect(again.get('menu.sushi-garden.demo')?.status).toBe('moved');
  expect(again.size).toBe(records.size + 1);
});
