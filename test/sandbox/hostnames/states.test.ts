import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  day,
  type HostnameSandbox,
  openHostnameSandbox,
  origin,
  result,
  seen,
  target,
} from './test-sandbox.ts';

let place: HostnameSandbox;
beforeEach(async () => {
  place = await openHostnameSandbox('over a socket');
});
afterEach(() => place.close());

const host = 'shop.tea-house.demo';
const active = { status: 'active', certificate: 'active', errors: [] };
const notPointing = 'custom hostname does not CNAME to this zone.';

async function openActive(more: object = {}): Promise<string> {
  await place.dns([host, 'CNAME', target]);
  const { id } = await place.add(host, more);
  await place.wait(10);
  expect(seen(await place.read(id))).toEqual(active);
  return id;
}

describe('creation', () => {
  test('a hostname that points here becomes active, serves the fallback origin, and has DNS records', async () => {
    await place.dns([host, 'CNAME', target]);
    const { id } = await place.add(host);
    expect(seen(await place.read(id))).toMatchObject({ status: 'pending', certificate: 'initializing' });
    expect(await place.visit(host)).toMatchObject({ status: 530, text: expect.stringContaining('1016') });
    await place.wait(10);
    expect(seen(await place.read(id))).toEqual(active);
    expect(await place.visit(host)).toMatchObject({ status: 200, text: expect.stringContaining(origin) });
    expect(await place.resolver.resolveCname(host)).toEqual([target]);
    expect(await place.resolver.resolve4(host)).toEqual(['127.0.0.1']);
  });

  test('a hostname without DNS is pending and reports why, and the edge answers 1016; the CNAME activates the hostname', async () => {
    const { id } = await place.add(host);
    await place.wait(10);
    expect(seen(await place.read(id))).toMatchObject({ status: 'pending', errors: [notPointing] });
    const page = await place.visit(host);
    expect(page.status).toBe(530);
    expect(page.text).toMatch(/error code: 1016[\s\S]*ownership/);
    expect(page.text).toContain(notPointing);
    await expect(place.resolver.resolve4(host)).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await place.dns([host, 'CNAME', target]);
    expect((await place.read(id)).status).toBe('active');
    await place.patch(id);
    await place.wait(10);
    expect(seen(await place.read(id))).toEqual(active);
  });

  test('the ownership TXT record activates a hostname whose traffic still goes elsewhere', async () => {
    await place.dns([host, 'A', '203.0.113.5']);
    const record = await place.add(host, { ssl: { method: 'txt', type: 'dv' } });
    const { name = '', value = '' } = record.ownership_verification ?? {};
    await place.dns([name, 'TXT', 'an old token']);
    expect((await place.read(record.id)).status).toBe('pending');
    await place.dns([name, 'TXT', 'an old token', value]);
    expect((await place.read(record.id)).status).toBe('active');
    expect(await place.resolver.resolveTxt(name)).toContainEqual([value]);
    expect((await place.read(record.id)).ssl?.status).toBe('initializing');
    await place.wait(10);
    const [validation] = (await place.read(record.id)).ssl?.validation_records ?? [];
    await place.dns([validation?.txt_name ?? '', 'TXT', validation?.txt_value ?? '']);
    await place.wait(10);
    expect(seen(await place.read(record.id))).toEqual(active);
  });

  test("the ownership and certificate pages on the customer's web server activate a hostname over HTTP", async () => {
    await place.dns([host, 'A', '203.0.113.5']);
    const { id, ownership_verification_http: page } = await place.add(host);
    const put = (url = '', body = '') => place.call('PUT', '/sandbox/pages', { json: { url, body } });
    await put(page?.http_url, 'something else');
    expect((await place.read(id)).status).toBe('pending');
    await put(page?.http_url, page?.http_body);
    expect((await place.read(id)).status).toBe('active');
    await place.wait(10);
    const [validation] = (await place.read(id)).ssl?.validation_records ?? [];
    await put(validation?.http_url, validation?.http_body);
    await place.wait(10);
    expect(seen(await place.read(id))).toEqual(active);
  });

  test('a wildcard needs both TXT records, or a delegation to the platform, which then publishes them in DNS', async () => {
    await place.dns([host, 'CNAME', target]);
    const { id } = await place.add(host, { ssl: { method: 'txt', type: 'dv', wildcard: true } });
    await place.wait(30);
    const { ssl } = await place.read(id);
    expect(ssl?.validation_records).toHaveLength(2);
    expect(ssl?.status).toBe('pending_validation');
    const { cname = '', cname_target: to = '' } = ssl?.dcv_delegation_records?.[0] ?? {};
    const texts = (await place.resolver.resolveTxt(to)).flat();
    expect(texts.sort()).toEqual(ssl?.validation_records?.map((one) => one.txt_value).sort());
    await place.dns([cname, 'CNAME', to]);
    await place.wait(10);
    expect(seen(await place.read(id))).toEqual(active);
    await expect(place.resolver.resolveTxt(to)).rejects.toMatchObject({ code: 'ENODATA' });
    expect(await place.visit(`any.${host}`)).toMatchObject({ status: 200 });
  });

  test("a TXT record in the customer's own zone hides the delegation", async () => {
    await place.dns([host, 'CNAME', target]);
    const { id } = await place.add(host, { ssl: { method: 'txt', type: 'dv', wildcard: true } });
    await place.wait(10);
    const { cname = '', cname_target: to = '' } =
      (await place.read(id)).ssl?.dcv_delegation_records?.[0] ?? {};
    const zone = await place.addZone('tea-house.demo');
    const put = (type: string, content: string) =>
      result<{ id: string }>(place.zone('POST', '/dns_records', { type, name: cname, content }, zone));
    const text = await put('TXT', 'a hidden token');
    await put('CNAME', to);
    await place.wait(600);
    expect((await place.read(id)).ssl?.status).toBe('pending_validation');
    expect(await place.resolver.resolveCname(cname)).toEqual([to]);
    expect(await place.resolver.resolveTxt(cname)).toEqual([['a hidden token']]);
    await place.zone('DELETE', `/dns_records/${text.id}`, undefined, zone);
    await place.wait(10);
    expect(seen(await place.read(id))).toEqual(active);
  });
});

describe('moved', () => {
  test('a hostname becomes Moved when its DNS changes, and a PATCH activates it after DNS was changed back', async () => {
    const id = await openActive();
    await place.dns([host, 'CNAME', 'hosting.rival.demo']);
    expect(seen(await place.read(id))).toMatchObject({ status: 'moved', errors: [notPointing] });
    const page = await place.visit(host);
    expect(page).toMatchObject({ status: 530 });
    expect(page.text).toContain('The hostname will be deleted on');
    await place.dns([host, 'CNAME', target]);
    expect((await place.read(id)).status).toBe('moved');
    expect((await place.patch(id)).status).toBe('active');
    expect(await place.visit(host)).toMatchObject({ status: 200 });
  });

  test('a PATCH while DNS points elsewhere only restarts validation', async () => {
    const id = await openActive();
    await place.unset(host);
    expect((await place.patch(id)).status).toBe('pending');
  });

  test('a hostname in Moved is deleted after exactly seven days', async () => {
    const id = await openActive();
    await place.dns([host, 'CNAME', 'hosting.rival.demo']);
    await place.wait(7 * day - 1);
    expect((await place.read(id)).status).toBe('moved');
    await place.wait(1);
    expect(await place.zone('GET', `/custom_hostnames/${id}`)).toMatchObject({ status: 404, code: 1436 });
    expect(await place.visit(host)).toEqual({ status: 530, text: 'error code: 1016\n' });
  });

  test('a hostname becomes Moved after 75 failed checks over seven days', async () => {
    const { id } = await place.add(host);
    await place.wait(7 * day);
    expect((await place.read(id)).status).toBe('pending');
    await place.wait(day / 8);
    expect((await place.read(id)).status).toBe('moved');
  });

  test('a failed lookup does not count as a change of DNS', async () => {
    const id = await openActive();
    await place.dns([host, 'SERVFAIL']);
    await place.wait(600);
    expect((await place.read(id)).status).toBe('active');
  });

  test('a hostname belongs to the zone that validated it last', async () => {
    const id = await openActive();
    const other = await place.addZone('other-saas.demo');
    await place.zone(
      'POST',
      '/dns_records',
      { type: 'A', name: 'go', content: '192.0.2.3', proxied: true },
      other,
    );
    const fallback = { origin: 'go.other-saas.demo' };
    await place.zone('PUT', '/custom_hostnames/fallback_origin', fallback, other);
    await place.wait(5);
    const ssl = { method: 'txt', type: 'dv' };
    const rival = await result<{ ownership_verification: { name: string; value: string } }>(
      place.zone('POST', '/custom_hostnames', { hostname: host, ssl }, other),
    );
    const { name, value } = rival.ownership_verification;
    await place.dns([name, 'TXT', value]);
    await place.wait(5);
    expect((await place.read(id)).status).toBe('active');
    await place.dns([host, 'CNAME', 'go.other-saas.demo']);
    expect((await place.read(id)).status).toBe('moved');
    expect((await place.visit(host)).text).toContain('go.other-saas.demo');
  });
});

describe('blocked', () => {
  const held = 'The hostname is associated with a held zone (tea-house.demo).';

  async function hold(query = '?include_subdomains=true'): Promise<string> {
    const zone = await place.addZone('tea-house.demo');
    await result(place.zone('POST', `/hold${query}`, undefined, zone));
    return zone;
  }

  test('a hold with "Also prevent subdomains" blocks a hostname and names the zone, and its release allows activation', async () => {
    const zone = await hold();
    await place.dns([host, 'CNAME', target]);
    const { id } = await place.add(host);
    await place.wait(10);
    const record = seen(await place.read(id));
    expect(record).toMatchObject({ status: 'blocked', certificate: 'pending_validation' });
    expect(record.errors.join()).toContain(held);
    expect(await place.visit(host)).toMatchObject({ status: 403, text: expect.stringContaining(held) });
    await place.wait(5);
    await result(place.zone('DELETE', '/hold', undefined, zone));
    expect((await place.read(id)).status).toBe('active');
    await place.patch(id);
    await place.wait(10);
    expect(seen(await place.read(id))).toEqual(active);
  });

  test('a hold without subdomains blocks only the name of the zone', async () => {
    await hold('');
    await openActive();
    await place.dns(['tea-house.demo', 'CNAME', target]);
    const { id } = await place.add('tea-house.demo');
    await place.wait(10);
    expect((await place.read(id)).status).toBe('blocked');
  });

  test('a hold applies to hostnames that are not active, even after a pause, and never to active hostnames', async () => {
    const served = await openActive();
    await place.dns(['blog.tea-house.demo', 'CNAME', target]);
    const zone = await hold();
    const { id } = await place.add('blog.tea-house.demo');
    await place.wait(600);
    expect((await place.read(id)).status).toBe('blocked');
    const read = async () => result<object>(place.zone('GET', '/hold', undefined, zone));
    expect(await read()).toMatchObject({ hold: true, include_subdomains: 'true' });
    const after = new Date(place.clock.now + 3600_000).toISOString();
    await result(place.zone('DELETE', `/hold?hold_after=${after}`, undefined, zone));
    expect(await read()).toMatchObject({ hold: false, include_subdomains: 'true' });
    expect((await place.read(id)).status).toBe('active');
    await place.wait(3700);
    expect(await read()).toMatchObject({ hold: true });
    const late = (await place.add('late.tea-house.demo')).id;
    await place.wait(10);
    expect((await place.read(late)).status).toBe('blocked');
    await result(place.zone('PATCH', '/hold', { include_subdomains: false }, zone));
    expect(await read()).toMatchObject({ hold: true, include_subdomains: 'false' });
    expect((await place.read(late)).status).toBe('pending');
    await result(place.zone('POST', '/hold?include_subdomains=true', undefined, zone));
    await place.patch(served);
    await place.wait(70 * day);
    expect(seen(await place.read(served))).toEqual(active);
    expect(await place.visit(host)).toMatchObject({ status: 200 });
  });

  test('a hold ends on hold_after: null, starts now on "", is unchanged for a time in the past, and rejects an invalid time', async () => {
    const zone = await hold();
    const patch = (json: object) => place.zone('PATCH', '/hold', json, zone);
    const held = async (json: object) => (await result<{ hold: boolean }>(patch(json))).hold;
    expect(await held({ hold_after: null })).toBe(false);
    expect(await held({ hold_after: '' })).toBe(true);
    expect(await held({ hold_after: '2020-01-01T00:00:00Z' })).toBe(true);
    expect(await held({ hold_after: '2036-01-01T00:00:00Z' })).toBe(false);
    expect((await patch({ hold_after: 'soon' })).status).toBe(400);
    expect((await patch({ include_subdomains: 'perhaps' })).status).toBe(400);
  });
});

describe('caa_error', () => {
  const caa = (...values: string[]) => place.dns(['tea-house.demo', 'CAA', ...values]);

  test('CAA records without the authority prevent the certificate; a record for the authority and a PATCH make the hostname active', async () => {
    await place.dns([host, 'CNAME', target]);
    await caa('0 issue "digicert.com"');
    const { id } = await place.add(host, {
      ssl: { method: 'http', type: 'dv', certificate_authority: 'google' },
    });
    await place.wait(10);
    const record = seen(await place.read(id));
    expect(record).toMatchObject({ status: 'caa_error', certificate: 'pending_issuance' });
    expect(record.errors.join()).toContain(`caa_error: ${host}`);
    expect(await place.visit(host)).toMatchObject({ status: 526, text: expect.stringContaining('pki.goog') });
    expect(await place.resolver.resolveCaa('tea-house.demo')).toMatchObject([{ issue: 'digicert.com' }]);
    await caa('0 issue "digicert.com"', '0 issue "pki.goog"');
    await place.patch(id, { certificate_authority: 'google' });
    await place.wait(10);
    expect(seen(await place.read(id))).toEqual(active);
  });

  test('a PATCH to another authority, or to the default authority, also fixes caa_error', async () => {
    await place.dns([host, 'CNAME', target]);
    await caa('0 issue "letsencrypt.org"');
    const { id } = await place.add(host, {
      ssl: { method: 'http', type: 'dv', certificate_authority: 'google' },
    });
    await place.wait(10);
    expect((await place.read(id)).status).toBe('caa_error');
    await place.patch(id, { certificate_authority: '' });
    await place.wait(10);
    expect(await place.read(id)).toMatchObject({
      status: 'active',
      ssl: { certificate_authority: 'lets_encrypt' },
    });
    await caa('0 issue "pki.goog"');
    await place.patch(id, { certificate_authority: 'google' });
    await place.wait(10);
    const { ssl, status } = await place.read(id);
    expect([status, ssl?.status, ssl?.certificate_authority, ssl?.issuer]).toEqual([
      'active',
      'active',
      'google',
      'GoogleTrustServices',
    ]);
  });

  test('a failed CAA lookup delays the certificate, but is not a caa_error', async () => {
    await place.dns([host, 'CNAME', target], [host, 'SERVFAIL', 'CAA']);
    const { id } = await place.add(host);
    await place.wait(10);
    const record = seen(await place.read(id));
    expect(record).toMatchObject({ status: 'active', certificate: 'pending_issuance' });
    expect(record.errors.join()).toContain('SERVFAIL');
    await expect(place.resolver.resolveCaa(host)).rejects.toMatchObject({ code: 'ESERVFAIL' });
    await place.unset(host, 'SERVFAIL');
    await place.wait(10);
    expect(seen(await place.read(id))).toEqual(active);
  });
});

describe('a reissue that CAA forbids', () => {
  test('a reissue that CAA forbids reports caa_error, and the edge serves the old certificate until it expires', async () => {
    const id = await openActive();
    await place.dns(['tea-house.demo', 'CAA', '0 issue "digicert.com"']);
    await place.patch(id, { certificate_authority: 'google' });
    await place.wait(600);
    expect((await place.read(id)).status).toBe('caa_error');
    expect(await place.visit(host)).toMatchObject({ status: 200, text: expect.stringContaining(origin) });
    await place.wait(80 * day);
    expect((await place.visit(host)).status).toBe(200);
    await place.wait(10 * day);
    expect((await place.visit(host)).status).toBe(526);
    await place.unset('tea-house.demo');
    await place.patch(id, { certificate_authority: 'google' });
    await place.wait(600);
    expect(seen(await place.read(id))).toEqual(active);
  });
});

describe('names and records that the sandbox rejects', () => {
  test('the sandbox rejects the name of a zone as a custom hostname', async () => {
    const reply = await place.zone('POST', '/custom_hostnames', { hostname: 'saas.sandbox' });
    expect(reply).toMatchObject({ status: 400, code: 1407 });
  });

  test("the sandbox rejects a record next to a CNAME in the customers' DNS, and any record next to a simulated failure", async () => {
    await place.dns([host, 'CNAME', target], [host, 'SERVFAIL', 'CAA']);
    for (const type of ['TXT', 'CAA', 'A']) {
      const contents = [{ TXT: 'hello', CAA: '0 issue "ssl.com"', A: '192.0.2.1' }[type]];
      const reply = await place.call('PUT', '/sandbox/dns', { json: { name: host, type, contents } });
      expect(reply).toMatchObject({ status: 400, text: expect.stringContaining('RFC 1034') });
    }
    await place.unset(host, 'CNAME');
    await place.dns([host, 'TXT', 'hello'], [host, 'CAA', '0 issue "ssl.com"']);
  });

  test('in its own zones, the sandbox rejects A and AAAA next to a CNAME with the code that the platform documents for each order', async () => {
    const put = (type: string, name: string, content: string) =>
      place.zone('POST', '/dns_records', { type, name, content });
    await result(put('CNAME', 'a', target));
    expect(await put('A', 'a', '192.0.2.1')).toMatchObject({ status: 400, code: 81054 });
    expect(await put('CNAME', 'a', origin)).toMatchObject({ status: 400, code: 81053 });
    await result(put('TXT', 'a', 'hello'));
    await result(put('A', 'b', '192.0.2.1'));
    expect(await put('CNAME', 'b', target)).toMatchObject({ status: 400, code: 81053 });
  });
});

test('a fallback origin becomes active only once it is proxied', async () => {
  const [record] = await result<{ id: string }[]>(place.zone('GET', `/dns_records?name=${origin}`));
  const proxied = (on: boolean) => place.zone('PATCH', `/dns_records/${record?.id}`, { proxied: on });
  const status = async () =>
    (await result<{ status: string }>(place.zone('GET', '/custom_hostnames/fallback_origin'))).status;
  await result(proxied(false));
  await result(place.zone('PUT', '/custom_hostnames/fallback_origin', { origin }));
  await place.wait(2 * day);
  expect(await status()).toBe('pending_deployment');
  await place.dns([host, 'CNAME', target]);
  const { id } = await place.add(host);
  await place.wait(60);
  expect(seen(await place.read(id)).errors.join()).toContain('pending_deployment');
  await result(proxied(true));
  expect(await status()).toBe('active');
  await place.wait(10);
  expect(seen(await place.read(id))).toEqual(active);
});

describe('other causes of error 1016', () => {
  test('error 1016 appears if the fallback origin or its DNS record is missing', async () => {
    await openActive();
    const records = await result<{ id: string; name: string }[]>(
      place.zone('GET', `/dns_records?name=${origin}`),
    );
    await place.zone('DELETE', `/dns_records/${records[0]?.id}`);
    const page = await place.visit(host);
    expect(page.status).toBe(530);
    expect(page.text).toMatch(
      /error code: 1016[\s\S]*fallback origin origin\.saas\.sandbox has no DNS record/,
    );
    await place.zone('POST', '/dns_records', {
      type: 'A',
      name: origin,
      content: '192.0.2.8',
      proxied: true,
    });
    expect((await place.visit(host)).status).toBe(200);
    await result(place.zone('DELETE', '/custom_hostnames/fallback_origin'));
    expect((await place.visit(host)).text).toMatch(/error code: 1016[\s\S]*has no fallback origin/);
    expect(await place.zone('GET', '/custom_hostnames/fallback_origin')).toMatchObject({ status: 404 });
    await result(place.zone('PUT', '/custom_hostnames/fallback_origin', { origin }));
    await place.wait(5);
    expect((await place.visit(host)).status).toBe(200);
  });

  test('a hostname without a fallback origin is pending until an origin is set, and reports this', async () => {
    await result(place.zone('DELETE', '/custom_hostnames/fallback_origin'));
    await place.dns([host, 'CNAME', target]);
    const { id } = await place.add(host);
    await place.wait(10);
    expect(seen(await place.read(id))).toMatchObject({
      status: 'pending',
      errors: ['zone does not have a fallback origin set.'],
    });
    await result(place.zone('PUT', '/custom_hostnames/fallback_origin', { origin }));
    await place.wait(5);
    expect((await place.patch(id)).status).toBe('active');
  });

  test('a standalone zone takes precedence over a wildcard custom hostname until the exact hostname is added', async () => {
    await place.dns([host, 'CNAME', target], [`eu.${host}`, 'CNAME', target]);
    const { id } = await place.add(host, { ssl: { method: 'txt', type: 'dv', wildcard: true } });
    const delegation = await result<{ uuid: string }>(place.zone('GET', '/dcv_delegation/uuid'));
    const to = `${host}.${delegation.uuid}.dcv.cloudflare.com`;
    await place.dns([`_acme-challenge.${host}`, 'CNAME', to]);
    await place.wait(600);
    expect(seen(await place.read(id))).toEqual(active);
    expect((await place.visit(`eu.${host}`)).status).toBe(200);
    await place.addZone(`eu.${host}`);
    const page = await place.visit(`eu.${host}`);
    expect(page.status).toBe(530);
    expect(page.text).toMatch(/error code: 1016[\s\S]*standalone zone/);
    expect(await place.resolver.resolveNs(`eu.${host}`)).toContain('ada.ns.cloudflare.com');
    await place.add(`eu.${host}`);
    await place.wait(10);
    expect((await place.visit(`eu.${host}`)).status).toBe(200);
  });
});

describe('time', () => {
  test('a certificate is renewed 30 days before it expires, and expires if it cannot be renewed', async () => {
    const id = await openActive();
    const first = await place.read(id);
    await place.wait(61 * day);
    const renewed = await place.read(id);
    expect(seen(renewed)).toEqual(active);
    expect(renewed.ssl?.serial_number).not.toBe(first.ssl?.serial_number);
    await place.dns(['tea-house.demo', 'CAA', '0 issue ";"']);
    await place.wait(60 * day);
    expect((await place.read(id)).status).toBe('caa_error');
  });

  test('a certificate whose TXT records were removed is pending expiration, then expired, with its own error page', async () => {
    await place.dns([host, 'A', '203.0.113.5']);
    const record = await place.add(host, { ssl: { method: 'txt', type: 'dv' } });
    await place.wait(5);
    const [validation] = (await place.read(record.id)).ssl?.validation_records ?? [];
    const { name = '', value = '' } = record.ownership_verification ?? {};
    const challenge = validation?.txt_name ?? '';
    await place.dns([name, 'TXT', value], [challenge, 'TXT', validation?.txt_value ?? '']);
    await place.wait(5);
    expect(seen(await place.read(record.id))).toEqual(active);
    await place.unset(challenge);
    await place.wait(70 * day);
    expect((await place.read(record.id)).ssl?.status).toBe('pending_expiration');
    expect((await place.visit(host)).status).toBe(200);
    await place.wait(21 * day);
    expect((await place.read(record.id)).ssl?.status).toBe('expired');
    expect(await place.visit(host)).toMatchObject({ status: 526, text: expect.stringContaining('expired') });
    await place.unset(host);
    await place.dns([host, 'CNAME', target]);
    await place.patch(record.id);
    await place.wait(10);
    expect(seen(await place.read(record.id))).toEqual(active);
  });

  test('validation that fails for two weeks times out, and a PATCH restarts the validation with new tokens', async () => {
    await place.dns([host, 'CNAME', target]);
    const { id } = await place.add(host, { ssl: { method: 'txt', type: 'dv', wildcard: true } });
    await place.wait(10);
    const before = (await place.read(id)).ssl?.validation_records;
    await place.wait(15 * day);
    expect((await place.read(id)).ssl?.status).toBe('validation_timed_out');
    await place.patch(id, { method: 'txt' });
    await place.wait(10);
    const { ssl } = await place.read(id);
    expect(ssl?.status).toBe('pending_validation');
    expect(ssl?.validation_records).not.toEqual(before);
  });

  test('a change of settings redeploys an active hostname, which becomes active again', async () => {
    const id = await openActive();
    expect((await place.patch(id, { settings: { min_tls_version: '1.2' } })).status).toBe(
      'active_redeploying',
    );
    expect((await place.visit(host)).status).toBe(200);
    await place.wait(10);
    expect(await place.read(id)).toMatchObject({
      status: 'active',
      ssl: { settings: { min_tls_version: '1.2' } },
    });
  });
});

describe('a hostname that another zone of the platform proxies', () => {
  test('a hostname that another zone proxies is not activated by its TXT record, only by a CNAME to this zone', async () => {
    const zone = await place.addZone('tea-house.demo');
    const made = await result<{ id: string }>(
      place.zone(
        'POST',
        '/dns_records',
        { type: 'A', name: 'shop', content: '192.0.2.3', proxied: true },
        zone,
      ),
    );
    const { id, ownership_verification: ownership } = await place.add(host);
    await place.dns([ownership?.name ?? '', 'TXT', ownership?.value ?? '']);
    await place.wait(10);
    const record = seen(await place.read(id));
    expect(record).toMatchObject({ status: 'pending' });
    expect(record.errors.join()).toContain('using Cloudflare and cannot be activated');
    const alias = { type: 'CNAME', name: 'shop', content: target, proxied: true };
    await result(place.zone('PUT', `/dns_records/${made.id}`, alias, zone));
    expect((await place.read(id)).status).toBe('active');
    expect(await place.resolver.resolve4(host)).toEqual(['127.0.0.2']);
  });
});
