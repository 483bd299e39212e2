import { describe, expect, test } from 'vitest';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { hasCaaError } from '../../../src/model/hostnames/hostname.ts';
import { readFallbackOrigin } from '../../../src/services/hostnames/fallback-origin.ts';
import {
  createHostname,
  deleteHostname,
  editHostname,
  findHostname,
  listHostnames,
  readHostname,
  refreshHostname,
  resolveHostname,
} from '../../../src/services/hostnames/hostnames.ts';
import type { Session } from '../../../src/services/session/session.ts';
import { readHold, releaseHold } from '../../../src/services/zones/hold.ts';
import { refusal, result, stubPlatform } from './platform.ts';

const id = '0d89c70d-ad9f-4843-b99f-6cc0252067e9';
const record: CustomHostname = {
  id,
  hostname: 'shop.acme.com',
  status: 'active',
  ssl: {
    status: 'active',
    method: 'txt',
    type: 'dv',
    wildcard: true,
    bundle_method: 'optimal',
    certificate_authority: 'google',
    settings: { http2: 'on', min_tls_version: '1.2', ciphers: ['AES128-SHA'] },
  },
};

describe('listing', () => {
  test('reads all pages, 50 rows at a time, and sends every filter under its own name', async () => {
    const all = Array.from({ length: 120 }, (_, at) => ({ id: `${at}`, hostname: `h${at}.acme.com` }));
    const platform = stubPlatform(({ query }) => {
      const page = Number(query.get('page'));
      const shown = all.slice((page - 1) * 50, page * 50);
      return result(shown, { page, per_page: 50, total_pages: 3, total_count: 120, count: shown.length });
    });
    const found: string[] = [];
    const filter = { contains: 'a b', status: 'moved', certificateStatus: 'active', wildcard: true };
    for await (const page of listHostnames(platform.session, 'z', filter)) {
      found.push(...page.map(({ hostname }) => hostname));
    }
    expect(found).toEqual(all.map(({ hostname }) => hostname));
    expect(platform.calls).toHaveLength(3);
    expect(platform.calls[0]).toBe(
      'GET /zones/z/custom_hostnames?hostname.contain=a%20b&hostname_status=moved&ssl_status=active&wildcard=true&per_page=50&page=1',
    );
  });
});

describe('finding a hostname by its name', () => {
  test('requests the exact name, and accepts no other name', async () => {
    const platform = stubPlatform(({ query }) =>
      result(query.get('hostname.exact') === 'shop.acme.com' ? [record] : []),
    );
    expect((await findHostname(platform.session, 'z', 'SHOP.acme.com.'))?.id).toBe(id);
    expect(await findHostname(platform.session, 'z', 'hop.acme.com')).toBeUndefined();
    expect(platform.calls).toHaveLength(2);
  });

  test.each([
    ['rejects the filter', refusal(400, 1437, 'unknown filter')],
    ['ignores the filter', result([{ id: 'x', hostname: 'other.acme.com' }])],
  ])('uses the older request if the platform %s', async (_what, first) => {
    const platform = stubPlatform(({ query }) => (query.has('hostname') ? result([record]) : first));
    expect((await findHostname(platform.session, 'z', 'shop.acme.com'))?.id).toBe(id);
    expect(platform.calls).toHaveLength(2);
  });

  test('reads an id directly, reports an unknown name as not found, and refuses anything else before any request', async () => {
    const platform = stubPlatform(({ path }) => (path.endsWith(id) ? result(record) : result([])));
    expect((await resolveHostname(platform.session, 'z', id)).hostname).toBe('shop.acme.com');
    await expect(resolveHostname(platform.session, 'z', 'nope.acme.com')).rejects.toMatchObject({
      code: 'not-found',
      remedy: { kind: 'explain-missing', hostname: 'nope.acme.com' },
    });
    const before = platform.calls.length;
    for (const wrong of ['..', '../../accounts', '10.0.0.1', 'a b.com', '']) {
      await expect(resolveHostname(platform.session, 'z', wrong)).rejects.toMatchObject({
        code: 'invalid-input',
      });
    }
    expect(platform.calls).toHaveLength(before);
  });
});

describe('creating', () => {
  test.each([200, 201, 202])('accepts %i as success', async (status) => {
    const created = { ...record, ssl: { ...record.ssl, method: 'http' } };
    const platform = stubPlatform(() => result(created, undefined, status));
    const made = await createHostname(platform.session, 'z', { hostname: 'shop.acme.com' });
    expect(made.id).toBe(id);
    expect(platform.bodies).toEqual([{ hostname: 'shop.acme.com', ssl: { method: 'http', type: 'dv' } }]);
  });

  test("sends the provider's terms instead of ours", async () => {
    const platform = stubPlatform(() => result(record));
    await createHostname(platform.session, 'z', {
      hostname: 'shop.acme.com',
      authority: 'default',
      branding: true,
      wildcard: true,
      minimumTls: '1.2',
      origin: 'eu.saas.com',
      metadata: { plan: 'pro' },
    });
    expect(platform.bodies).toEqual([
      {
        hostname: 'shop.acme.com',
        ssl: {
          method: 'txt',
          type: 'dv',
          certificate_authority: '',
          wildcard: true,
          acmecloud_branding: true,
          settings: { min_tls_version: '1.2' },
        },
        custom_origin_server: 'eu.saas.com',
        custom_metadata: { plan: 'pro' },
      },
    ]);
  });

  test.each([
    ['a Common Name of 65 characters', { hostname: `${'a'.repeat(56)}.acme.com` }, 1469],
    ['a reserved name', { hostname: 'shop.example' }, 1409],
    [
      'metadata of more than 4,096 bytes',
      { hostname: 'a.acme.com', metadata: { m: 'x'.repeat(4100) } },
      1401,
    ],
    ['an unknown TLS version', { hostname: 'a.acme.com', minimumTls: '1.4' }, 1425],
  ])('rejects %s before any request', async (_what, wanted, platformCode) => {
    const platform = stubPlatform(() => result(record));
    await expect(createHostname(platform.session, 'z', wanted)).rejects.toMatchObject({
      code: 'invalid-input',
      platformCode,
    });
    expect(platform.calls).toEqual([]);
  });

  test.each([
    ['in this zone', [record], { remedy: { kind: 'show-hostname', hostname: 'shop.acme.com' } }],
    ['elsewhere', [], { hint: expect.stringContaining('another zone or account') }],
  ])('reports a duplicate that exists %s', async (_where, found, advice) => {
    const platform = stubPlatform(({ method }) =>
      method === 'POST' ? refusal(409, 1406, 'Duplicate custom hostname found.') : result(found),
    );
    await expect(createHostname(platform.session, 'z', { hostname: 'shop.acme.com' })).rejects.toMatchObject({
      platformCode: 1406,
      ...advice,
    });
    expect(platform.calls.filter((call) => call.startsWith('POST'))).toHaveLength(1);
  });
});

describe('changing', () => {
  test('sends the values that a change of the authority would reset', async () => {
    const settings = { ...record.ssl?.settings, min_tls_version: '1.3' };
    const changed = { ...record, ssl: { ...record.ssl, settings } };
    const platform = stubPlatform(() => result(changed, undefined, 202));
    await editHostname(platform.session, 'z', record, { authority: 'default', minimumTls: '1.3' });
    expect(platform.bodies).toEqual([
      {
        ssl: {
          method: 'txt',
          type: 'dv',
          bundle_method: 'optimal',
          settings: { http2: 'on', min_tls_version: '1.3', ciphers: ['AES128-SHA'] },
          certificate_authority: '',
          wildcard: true,
        },
      },
    ]);
  });

  test('changes an origin without the certificate, and removes it with an empty value', async () => {
    const platform = stubPlatform(() => result(record));
    await editHostname(platform.session, 'z', record, { origin: '' });
    expect(platform.bodies).toEqual([{ custom_origin_server: null }]);
  });

  test('requests the same certificate in a refresh, but never orders a certificate to replace an uploaded certificate', async () => {
    const platform = stubPlatform(() => result(record));
    await refreshHostname(platform.session, 'z', record);
    await refreshHostname(platform.session, 'z', { ...record, ssl: { custom_certificate: 'PEM' } });
    expect(platform.bodies).toEqual([
      {
        ssl: {
          method: 'txt',
          type: 'dv',
          bundle_method: 'optimal',
          settings: record.ssl?.settings,
          wildcard: true,
        },
      },
      {},
    ]);
  });
});

test.each([
  ['a refresh', (session: Session) => refreshHostname(session, 'z', record)],
  ['an edit', (session: Session) => editHostname(session, 'z', record, { origin: 'o.acme.com' })],
])(
  'reports success for %s after the platform has answered, even if the clock of the platform cannot be read',
  async (_what, change) => {
    const answered = { ...record, custom_origin_server: 'o.acme.com' };
    const { session } = stubPlatform(({ method }) =>
      method === 'PATCH' ? result(answered) : refusal(500, 1000, 'broken'),
    );
    const remote = {
      ...session,
      where: { kind: 'remote', baseUrl: 'http://127.0.0.1:9/client/v4' },
    } as const;
    expect(await change(remote)).toMatchObject({ id });
  },
);

test('treats the bare id, which the provider returns, as a successful delete', async () => {
  const platform = stubPlatform(() => ({ status: 200, json: { id } }));
  await expect(deleteHostname(platform.session, 'z', { id, hostname: 'a.b.com' })).resolves.toBeUndefined();
});

test.each([
  { status: 'caa_error' },
  { status: 'pending', ssl: { status: 'caa_error' } },
  {
    status: 'pending',
    ssl: { status: 'pending_issuance', validation_errors: [{ message: 'caa_error: acme.com' }] },
  },
])('finds caa_error in each field that can contain it: %o', async (fields) => {
  const platform = stubPlatform(() => result({ id, hostname: 'shop.acme.com', ...fields }));
  expect(hasCaaError(await readHostname(platform.session, 'z', id))).toBe(true);
});

test('keeps an unknown status unchanged', async () => {
  const platform = stubPlatform(() =>
    result({ ...record, status: 'levitating', ssl: { status: 'quantum' } }),
  );
  expect(await readHostname(platform.session, 'z', id)).toMatchObject({
    status: 'levitating',
    ssl: { status: 'quantum' },
  });
});

test.each([
  ['404', undefined],
  ['an empty object', result({})],
  ['null', result(null)],
])('reads a fallback origin that is %s as not set', async (_what, reply) => {
  const platform = stubPlatform(() => reply);
  expect(await readFallbackOrigin(platform.session, 'z')).toBeUndefined();
});

test('reads a hold as a string or a boolean, and releases it until a time', async () => {
  const platform = stubPlatform(({ method }) =>
    result({ hold: method === 'GET', include_subdomains: 'true' }),
  );
  expect(await readHold(platform.session, 'z')).toEqual({ hold: true, includeSubdomains: true });
  await releaseHold(platform.session, 'z', { subdomainsOnly: false, until: Date.UTC(2027, 0, 1) });
  expect(platform.calls.at(-1)).toBe('DELETE /zones/z/hold?hold_after=2027-01-01T00%3A00%3A00.000Z');
});
