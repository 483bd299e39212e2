import { describe, expect, it } from 'vitest';
import { hostnameRefusal, originRecordRefusal, originRefusal } from '../../../src/model/hostnames/fault.ts';
import { readChange, readCreation } from '../../../src/model/hostnames/request.ts';

const ssl = { method: 'http', type: 'dv' };
const long = `${'a'.repeat(30)}.${'b'.repeat(30)}.acme-store.com`;

function code(body: unknown): number | undefined {
  const reading = readCreation(body, 'cloudflare');
  return 'refusal' in reading ? reading.refusal.code : undefined;
}

describe('a custom hostname', () => {
  it.each([
    ['', 1407],
    ['a'.repeat(256), 1407],
    [`${'a.'.repeat(127)}co`, 1407],
    ['192.0.2.1', 1407],
    ['2001:db8::1', 1407],
    ['shop acme.com', 1407],
    ['shop..acme.com', 1407],
    ['-shop.acme.com', 1407],
    ['shop/../x.acme.com', 1407],
    ['shop.acme.com.', 1407],
    ['a.*.acme.com', 1407],
    [`${'a'.repeat(64)}.acme.com`, 1407],
    ['bücher.acme.com', 1408],
    ['shop.test', 1409],
    ['shop.acme.example', 1409],
    ['shop.invalid', 1409],
    ['app.localhost', 1409],
    ['com', 1410],
    ['shop.123', 1410],
    ['shop.example.com', 1411],
    ['example.org', 1411],
  ])('is rejected as %j with %i', (hostname, expected) => {
    expect(hostnameRefusal(hostname)).toMatchObject({ status: 400, code: expected });
    expect(code({ hostname, ssl })).toBe(expected);
  });

  it.each([
    'shop.acme-store.com',
    'xn--bcher-kva.acme.com',
    'a_b.acme.co.uk',
    'myexample.com',
    '1.2.3.acme.com',
  ])('is accepted as %s', (hostname) => {
    expect(hostnameRefusal(hostname)).toBeUndefined();
  });

  it('accepts a Common Name of 64 characters; requires branding for 65, inside or next to ssl, under either field name', () => {
    const exact = `${'a'.repeat(49)}.acme-store.com`;
    expect(exact).toHaveLength(64);
    expect(code({ hostname: exact, ssl: { ...ssl, wildcard: true, method: 'txt' } })).toBeUndefined();
    expect(code({ hostname: `a${exact}`, ssl })).toBe(1469);
    expect(code({ hostname: long, ssl: { ...ssl, cloudflare_branding: false } })).toBe(1469);
    for (const field of ['cloudflare_branding', 'provider_branding']) {
      expect(code({ hostname: long, ssl: { ...ssl, [field]: true } })).toBeUndefined();
      expect(code({ hostname: long, ssl, [field]: true })).toBeUndefined();
    }
  });

  it('reports that a long hostname requires branding', () => {
    const reading = readCreation({ hostname: long, ssl }, 'cloudflare');
    expect(reading).toMatchObject({ refusal: { message: expect.stringContaining('Branding is required') } });
  });
});

describe('a creation', () => {
  it.each([
    [undefined, 1400],
    [[], 1400],
    [{ hostname: 7 }, 1400],
    [{ hostname: 'a.acme.com', ssl: 'dv' }, 1434],
    [{ hostname: 'a.acme.com', ssl: { method: 'http' } }, 1440],
    [{ hostname: 'a.acme.com', ssl: { type: 'dv' } }, 1440],
    [{ hostname: 'a.acme.com', ssl: { method: 'dns', type: 'dv' } }, 1432],
    [{ hostname: 'a.acme.com', ssl: { method: 'txt', type: 'ev' } }, 1433],
    [{ hostname: 'a.acme.com', ssl: { ...ssl, certificate_authority: 'nobody' } }, 1434],
    [{ hostname: 'a.acme.com', ssl: { ...ssl, wildcard: 'yes' } }, 1434],
    [{ hostname: 'a.acme.com', ssl: { ...ssl, bundle_method: 'tight' } }, 1449],
    [{ hostname: 'a.acme.com', ssl: { ...ssl, settings: { http2: true } } }, 1422],
    [{ hostname: 'a.acme.com', ssl: { ...ssl, settings: { tls_1_2_only: 'yes' } } }, 1423],
    [{ hostname: 'a.acme.com', ssl: { ...ssl, settings: { tls_1_3: 'yes' } } }, 1424],
    [{ hostname: 'a.acme.com', ssl: { ...ssl, settings: { min_tls_version: '1.4' } } }, 1425],
    [{ hostname: 'a.acme.com', ssl: { ...ssl, settings: { ciphers: ['NULL'] } } }, 1442],
    [
      {
        hostname: 'a.acme.com',
        ssl: { ...ssl, settings: { ciphers: ['AES128-SHA'], min_tls_version: '1.3' } },
      },
      1443,
    ],
    [{ hostname: 'a.acme.com', ssl: { ...ssl, settings: [] } }, 1434],
    [{ hostname: '*.acme.com', ssl }, 1448],
    [{ hostname: 'a.acme.com', ssl: { ...ssl, custom_certificate: '' } }, 1427],
    [{ hostname: 'a.acme.com', ssl: { custom_certificate: 'PEM' } }, 1428],
    [{ hostname: 'a.acme.com', custom_metadata: { a: 'x'.repeat(4096) } }, 1401],
    [{ hostname: 'a.acme.com', custom_metadata: ['a'] }, 1401],
    [{ hostname: 'a.acme.com', custom_origin_server: '192.0.2.1' }, 1415],
    [{ hostname: 'a.acme.com', custom_origin_server: 'bücher.acme.com' }, 1416],
    [{ hostname: 'a.acme.com', custom_origin_server: 'origin.test' }, 1417],
    [{ hostname: 'a.acme.com', custom_origin_server: 'com' }, 1418],
    [{ hostname: 'a.acme.com', custom_origin_server: 'www.example.net' }, 1419],
    [{ hostname: 'a.acme.com', custom_origin_server: '*.saas.com' }, 1420],
  ])('rejects %j with %i', (body, expected) => {
    expect(code(body)).toBe(expected);
  });

  it('is read with the name in lower case, and the default authority for an empty string', () => {
    const reading = readCreation(
      {
        hostname: 'Shop.ACME.com',
        ssl: {
          method: 'txt',
          type: 'dv',
          certificate_authority: '',
          wildcard: true,
          settings: { http2: 'on' },
        },
        custom_origin_server: 'Origin.saas.com',
        custom_metadata: { plan: 'gold' },
      },
      'cloudflare',
    );
    expect(reading).toEqual({
      ok: {
        hostname: 'shop.acme.com',
        origin: 'origin.saas.com',
        metadata: { plan: 'gold' },
        certificate: {
          method: 'txt',
          authority: 'default',
          wildcard: true,
          branding: false,
          bundleMethod: 'ubiquitous',
          settings: { http2: 'on' },
        },
      },
    });
  });

  it('requests no certificate without ssl; a wildcard hostname can provide its own certificate', () => {
    expect(readCreation({ hostname: 'a.acme.com' }, 'x')).toEqual({ ok: { hostname: 'a.acme.com' } });
    expect(
      code({ hostname: '*.acme.com', ssl: { custom_certificate: 'PEM', custom_key: 'KEY' } }),
    ).toBeUndefined();
  });
});

describe('a change', () => {
  const current = { hostname: 'shop.acme.com' };

  it('keeps omitted attributes, except settings', () => {
    const reading = readChange({ ssl: { ...ssl, certificate_authority: 'google' } }, 'cloudflare', current);
    expect(reading).toEqual({ ok: { certificate: { method: 'http', authority: 'google', settings: {} } } });
  });

  it('sets an origin, and removes it with null', () => {
    expect(readChange({ custom_origin_server: null }, 'x', current)).toEqual({ ok: { origin: null } });
    expect(readChange({ custom_origin_server: 'o.saas.com' }, 'x', current)).toEqual({
      ok: { origin: 'o.saas.com' },
    });
  });

  it('requires method and type together, and checks the length of the name again', () => {
    expect(readChange({ ssl: { certificate_authority: '' } }, 'x', current)).toMatchObject({
      refusal: { code: 1440 },
    });
    expect(readChange({ ssl }, 'x', { hostname: long })).toMatchObject({ refusal: { code: 1469 } });
  });
});

it('rejects an origin that is not an address or alias record of the zone', () => {
  const records = [
    { type: 'TXT', name: 'text.saas.com' },
    { type: 'CNAME', name: 'origin.saas.com' },
  ];
  expect(originRecordRefusal('text.saas.com', 'z', records)).toMatchObject({ code: 1421 });
  expect(originRecordRefusal('origin.saas.com', 'z', records)).toBeUndefined();
  expect(originRefusal('origin.saas.com')).toBeUndefined();
});
