import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { transports } from '../test-sandbox.ts';
import { type HostnameSandbox, openHostnameSandbox, result, target } from './test-sandbox.ts';

const dv = { method: 'http', type: 'dv' };

describe.each(transports)('custom hostname routes %s', (way) => {
  let place: HostnameSandbox;
  beforeAll(async () => {
    place = await openHostnameSandbox(way, { issuanceLimit: 1000 });
  });
  afterAll(() => place.close());

  const list = async (query: string): Promise<string[]> => {
    const found = await result<CustomHostname[]>(place.zone('GET', `/custom_hostnames?${query}`));
    return found.map(({ hostname }) => hostname);
  };

  test('creates a hostname without validation records at first; a later read returns the records', async () => {
    const reply = await place.zone('POST', '/custom_hostnames', { hostname: 'First.Tokens.demo', ssl: dv });
    expect(reply.status).toBe(200);
    const { result: created } = reply.envelope<CustomHostname>();
    expect(created?.hostname).toBe('first.tokens.demo');
    expect(created?.ssl?.validation_records).toBeUndefined();
    await place.wait(3);
    const { ssl } = await place.read(created?.id ?? '');
    expect(ssl?.validation_records?.[0]?.http_url).toContain('http://first.tokens.demo/.well-known/');
  });

  test.each([
    ['{', 400, 1400],
    [{ hostname: 'bad name.demo' }, 400, 1407],
    [{ hostname: 'münchen.demo' }, 400, 1408],
    [{ hostname: 'shop.test' }, 400, 1409],
    [{ hostname: 'single' }, 400, 1410],
    [{ hostname: 'a.example.com' }, 400, 1411],
    [{ hostname: 'o.refused.demo', custom_origin_server: 'nothing.saas.sandbox' }, 400, 1421],
    [{ hostname: 'm.refused.demo', ssl: { method: 'carrier-pigeon', type: 'dv' } }, 400, 1432],
    [{ hostname: 'm.refused.demo', ssl: { method: 'http', type: 'ev' } }, 400, 1433],
    [{ hostname: 'm.refused.demo', ssl: { method: 'http' } }, 400, 1440],
    [{ hostname: 'm.refused.demo', ssl: { ...dv, certificate_authority: 'acme' } }, 400, 1434],
    [{ hostname: '*.refused.demo', ssl: dv }, 400, 1448],
    [{ hostname: 'first.tokens.demo', ssl: dv }, 409, 1406],
    [{ hostname: `${'long.'.repeat(13)}refused.demo`, ssl: dv }, 400, 1469],
  ])('a creation with %j is rejected: %d with %d', async (body, status, code) => {
    const way = typeof body === 'string' ? body : { json: body };
    const reply = await place.call('POST', `/zones/${place.zoneId}/custom_hostnames`, way);
    expect([reply.status, reply.code]).toEqual([status, code]);
  });

  test("invalid and foreign ids and zones are rejected with the provider's codes", async () => {
    const of = async (path: string) => {
      const { status, code } = await place.call('GET', path);
      return [status, code];
    };
    const own = `/zones/${place.zoneId}/custom_hostnames`;
    expect(await of(`${own}/nonsense`)).toEqual([400, 1435]);
    expect(await of(`${own}/00000000-0000-4000-8000-000000000000`)).toEqual([404, 1436]);
    expect(await of('/zones/nonsense/custom_hostnames')).toEqual([404, 7003]);
    expect(await of(`/zones/${'0'.repeat(32)}/custom_hostnames`)).toEqual([403, 9109]);
  });

  test('hostname routes require credentials; an e-mail and a key are sufficient', async () => {
    const path = `/zones/${place.zoneId}/custom_hostnames`;
    expect((await place.call('GET', path, undefined, {})).status).toBe(400);
    const { email, apiKey } = place.sandbox.access();
    const headers = { 'x-auth-email': email, 'x-auth-key': apiKey };
    expect((await place.call('GET', path, undefined, headers)).status).toBe(200);
  });

  describe('the list', () => {
    const names = Array.from({ length: 12 }, (_, index) => `shop-${String(index + 10)}.listed.demo`);
    beforeAll(async () => {
      await place.dns(...names.slice(0, 6).map((name) => [name, 'CNAME', target] as const));
      for (const [index, hostname] of names.entries()) {
        const authority = index % 2 === 0 ? 'google' : 'lets_encrypt';
        await place.add(hostname, { ssl: { ...dv, certificate_authority: authority } });
      }
      await place.add('wild.listed.demo', { ssl: { method: 'txt', type: 'dv', wildcard: true } });
      await place.add('plain.listed.demo', { ssl: undefined });
      await place.add('origin.listed.demo', { custom_origin_server: 'origin.saas.sandbox' });
      await place.wait(10);
    });

    test('is paged, counts all hostnames, and is empty past its end', async () => {
      const page = (number: number) => `hostname.contain=shop-&per_page=5&page=${number}`;
      const pages = await Promise.all([1, 2, 3, 4].map((number) => list(page(number))));
      expect(pages.map((one) => one.length)).toEqual([5, 5, 2, 0]);
      expect(pages.flat()).toEqual(names);
      const reply = await place.zone('GET', `/custom_hostnames?${page(2)}`);
      const info = { page: 2, per_page: 5, count: 5, total_count: 12, total_pages: 3 };
      expect(reply.envelope().result_info).toEqual(info);
    });

    test.each([
      ['hostname.exact=SHOP-10.listed.demo', ['shop-10.listed.demo']],
      ['hostname=shop-10.listed.demo', ['shop-10.listed.demo']],
      ['hostname.startsWith=shop-1&per_page=50', names.slice(0, 10)],
      ['hostname.contain=p-2', names.slice(10)],
      ['hostname_status=active', [...names.slice(0, 6)]],
      ['ssl_status=active&certificate_authority=google', [names[0], names[2], names[4]]],
      ['wildcard=true', ['wild.listed.demo']],
      ['custom_origin_server=origin.saas.sandbox', ['origin.listed.demo']],
      ['ssl=0', ['plain.listed.demo']],
      ['hostname_status=pending&certificate_authority=lets_encrypt', [names[7], names[9], names[11]]],
    ])('filters by %s', async (query, expected) => {
      expect(await list(query)).toEqual(expected);
    });

    test('finds a hostname by id, and orders certificates by status', async () => {
      const [wild] = await result<CustomHostname[]>(place.zone('GET', '/custom_hostnames?wildcard=true'));
      expect(await list(`id=${wild?.id}`)).toEqual(['wild.listed.demo']);
      const ordered = (direction: string) =>
        result<CustomHostname[]>(
          place.zone('GET', `/custom_hostnames?order=ssl_status&direction=${direction}&per_page=50`),
        );
      const up = (await ordered('asc')).map(({ ssl }) => ssl?.status ?? '');
      expect(up).toEqual([...up].sort());
      expect((await ordered('desc')).map(({ ssl }) => ssl?.status ?? '')).toEqual([...up].sort().reverse());
    });

    test.each([
      ['hostname.exact=a.demo&hostname.contain=b', 1437],
      ['id=x&hostname.contain=b', 1438],
      ['hostname.contain=%20%20', 1437],
      ['hostname_status=happy', 1437],
      ['ssl_status=happy', 1437],
      ['per_page=4', 10012],
      ['per_page=51', 10012],
      ['page=0', 10012],
    ])('rejects %s with %d', async (query, code) => {
      const reply = await place.zone('GET', `/custom_hostnames?${query}`);
      expect([reply.status, reply.code]).toEqual([400, code]);
    });
  });

  test('returns the id of a deleted hostname with and without envelope, and frees the name immediately', async () => {
    const { id } = await place.add('gone.short-lived.demo');
    const reply = await place.zone('DELETE', `/custom_hostnames/${id}`);
    expect(JSON.parse(reply.text)).toMatchObject({ id, success: true, result: { id } });
    expect((await place.zone('GET', `/custom_hostnames/${id}`)).code).toBe(1436);
    expect((await place.add('gone.short-lived.demo')).id).not.toBe(id);
  });

  test('a PATCH without ssl changes the origin and metadata, and keeps the certificate', async () => {
    await place.dns(['meta.patched.demo', 'CNAME', target]);
    const { id } = await place.add('meta.patched.demo');
    await place.wait(10);
    const before = await place.read(id);
    const json = { custom_metadata: { plan: 'gold' }, custom_origin_server: 'origin.saas.sandbox' };
    const after = await result<CustomHostname>(place.zone('PATCH', `/custom_hostnames/${id}`, json));
    expect(after).toMatchObject({ ...json, ssl: before.ssl });
    expect((await place.zone('PATCH', `/custom_hostnames/${id}`, { ssl: { method: 'http' } })).code).toBe(
      1440,
    );
  });

  test('the quota counts every record and rejects records above its limit', async () => {
    const quota = async () =>
      result<{ used: number; exceeded: boolean }>(place.zone('GET', '/custom_hostnames/quota'));
    const { used } = await quota();
    await place.call('PUT', '/sandbox/quota', { json: { allocated: used, hard_cap: used + 1 } });
    await place.add('last.quota.demo');
    expect(await quota()).toEqual({ allocated: used, used: used + 1, exceeded: true, hard_cap: used + 1 });
    const reply = await place.zone('POST', '/custom_hostnames', { hostname: 'more.quota.demo', ssl: dv });
    expect([reply.status, reply.code]).toEqual([403, 1405]);
    await place.call('PUT', '/sandbox/quota', { json: { allocated: 5000, hard_cap: 50_000 } });
  });
});

describe('the issuance limit', () => {
  let place: HostnameSandbox;
  beforeAll(async () => {
    place = await openHostnameSandbox();
  });
  afterAll(() => place.close());

  const post = (hostname: string, more: object = { ssl: dv }) =>
    place.zone('POST', '/custom_hostnames', { hostname, ...more });

  test('allows 15 successful issuances a minute, then rejects all for 30 seconds, and counts from zero after the block', async () => {
    for (let count = 1; count <= 15; count += 1) {
      expect((await post(`n${count}.limit.demo`)).status).toBe(200);
      expect((await post('n1.limit.demo')).status).toBe(409);
    }
    expect((await post('without.limit.demo', {})).status).toBe(200);
    const refused = await post('n16.limit.demo');
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '30']);
    expect(refused.envelope().errors[0]?.message).toContain('30 more seconds');
    expect((await place.call('GET', '/sandbox/issuance')).envelope().result).toEqual({
      limit: 15,
      used: 15,
      blocked_seconds: 30,
    });
    await place.wait(29);
    const still = await post('n16.limit.demo');
    expect([still.status, still.headers['retry-after']]).toEqual([429, '1']);
    await place.wait(1);
    for (let count = 16; count <= 30; count += 1) {
      expect((await post(`n${count}.limit.demo`)).status).toBe(200);
    }
    expect((await post('n31.limit.demo')).status).toBe(429);
  });

  test('does not count a change of the authority', async () => {
    const [first] = await result<CustomHostname[]>(
      place.zone('GET', '/custom_hostnames?hostname=n1.limit.demo'),
    );
    await place.patch(first?.id ?? '', { certificate_authority: 'lets_encrypt' });
    expect((await place.call('GET', '/sandbox/issuance')).envelope().result).toMatchObject({ used: 15 });
  });

  test('is never reached with one creation per four seconds', async () => {
    await place.wait(3600);
    for (let count = 1; count <= 60; count += 1) {
      expect((await post(`p${count}.limit.demo`)).status).toBe(200);
      await place.wait(4.1);
    }
  });
});

describe('the plan of a zone', () => {
  test.each(['free', 'business', 'enterprise'] as const)(
    'determines the features of the zone: %s',
    async (plan) => {
      const planned = await openHostnameSandbox('in process', { plan });
      try {
        const add = (hostname: string, more: object) =>
          planned.zone('POST', '/custom_hostnames', {
            hostname,
            ssl: { method: 'http', type: 'dv' },
            ...more,
          });
        const named = { ssl: { method: 'http', type: 'dv', certificate_authority: 'google' } };
        const paid = plan === 'enterprise';
        const metadata = { custom_metadata: { plan: 'gold' } };
        expect((await add('a.acme.com', metadata)).code).toBe(paid ? undefined : 1413);
        expect((await add('b.acme.com', named)).code).toBe(paid ? undefined : 1459);
        const wildcard = { ssl: { method: 'txt', type: 'dv', wildcard: true } };
        expect((await add('w.acme.com', wildcard)).code).toBe(paid ? undefined : 1400);
        const sni = { custom_origin_server: 'origin.saas.sandbox', custom_origin_sni: 'origin.saas.sandbox' };
        expect((await add('s.acme.com', sni)).code).toBe(paid ? undefined : 1414);
        const own = { ssl: { custom_certificate: 'x', custom_key: 'y' } };
        expect((await add('o.acme.com', own)).code).toBe(paid ? 1426 : 1400);
        expect((await add('c.acme.com', {})).status).toBe(200);
        const quota = await planned.zone('GET', '/custom_hostnames/quota');
        expect(quota.envelope<{ allocated: number }>().result?.allocated).toBe(paid ? 5000 : 100);
        await planned.call('PUT', '/sandbox/quota', { json: { allocated: 0, hard_cap: 0 } });
        expect(await add('d.acme.com', {})).toMatchObject({ status: 403, code: 1404 });
      } finally {
        await planned.close();
      }
    },
  );
});
