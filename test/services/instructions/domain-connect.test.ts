import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import type { DnsOutcome } from '../../../src/model/dns/dns.ts';
import type { Instructions } from '../../../src/model/instructions/instructions.ts';
import { isPublic } from '../../../src/services/diagnosis/server-place.ts';
import { findDomainConnect, type ProviderAccess } from '../../../src/services/instructions/domain-connect.ts';
import { authority, pair } from '../../probe/certificates.ts';
import { openStage, type Stage } from '../hostnames/stage.ts';

const shop = 'shop.acme.com';
const address = '198.51.100.7';

/** Starts a DNS provider on loopback that answers API requests, and records these requests. */
async function openProvider(listener: RequestListener) {
  const asked: string[] = [];
  const server = createServer(pair, (request, response) => {
    asked.push(`${request.headers.host}${request.url}`);
    listener(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { asked, port: (server.address() as AddressInfo).port, close };
}

const settings = {
  providerId: 'panel.example',
  providerName: 'panel',
  providerDisplayName: 'Panel <Inc>',
  urlSyncUX: 'https://sign-in.panel.example/apply',
  urlAPI: 'https://api.panel.example/v1/',
};

/** The part of the template that the provider discloses. */
let disclosed: object = {};

const answering =
  (given: object): RequestListener =>
  ({ url }, response) => {
    const known = url === '/v1/v2/domainTemplates/providers/example.com/services/hostnames';
    const isSettings = url?.endsWith('/settings') === true;
    response.writeHead(isSettings || known ? 200 : 404, { connection: 'close' });
    response.end(JSON.stringify(isSettings ? given : disclosed));
  };

let stage: Stage;
let provider: Awaited<ReturnType<typeof openProvider>>;
beforeAll(async () => {
  provider = await openProvider(answering(settings));
  stage = await openStage();
  await stage.dns(
    ['_domainconnect.acme.com', 'TXT', 'dns.panel.example/client'],
    ['dns.panel.example', 'A', address],
    ['api.panel.example', 'A', address],
  );
  await stage.api('PUT', '/sandbox/origins', { name: address, port: provider.port });
  await stage.edgectl('hostname', 'create', shop, '--method', 'txt');
});
afterAll(async () => {
  provider.close();
  await stage.close();
});

const tell = (...flags: readonly string[]) => stage.edgectl('hostname', 'instructions', shop, ...flags);

test('reports only to the operator, without a template, that the provider supports Domain Connect', async () => {
  const message = await tell();
  expect(message.code).toBe(0);
  expect(message.err).toContain('Panel <Inc> supports Domain Connect, but there is no link');
  expect(message.err).toContain(
    'no Domain Connect template is specified. Specify a template: --domain-connect PROVIDER/SERVICE.',
  );
  expect(message.out).not.toContain('Panel');
  expect(JSON.parse((await tell('--json')).out)).toMatchObject({
    domainConnect: {
      provider: 'Panel <Inc>',
      link: null,
      missing: 'no Domain Connect template is specified',
    },
  });
});

test('names a template that the provider does not know; refuses an invalid name', async () => {
  const message = await tell('--domain-connect', 'example.com/other');
  expect(message.err).toContain('it does not know the template example.com/other');
  expect(message.out).not.toContain('https:');
  expect(await tell('--domain-connect', 'example.com/../x')).toMatchObject({ code: 2, out: '' });
});

test('creates a link with a known template in every format, from the flag and the setting', async () => {
  provider.asked.length = 0;
  const json = JSON.parse((await tell('--json', '--domain-connect', 'example.com/hostnames')).out);
  expect(provider.asked).toEqual([
    'dns.panel.example/client/v2/acme.com/settings',
    'api.panel.example/v1/v2/domainTemplates/providers/example.com/services/hostnames',
  ]);
  const { link, host } = json.domainConnect;
  expect(host).toBe('sign-in.panel.example');
  const { origin, pathname, searchParams } = new URL(link);
  expect(`${origin}${pathname}`).toBe(
    'https://sign-in.panel.example/apply/v2/domainTemplates/providers/example.com/services/hostnames/apply',
  );
  expect(Object.fromEntries(searchParams)).toMatchObject({
    domain: 'acme.com',
    host: 'shop',
    target: 'origin.saas.sandbox',
    ownership: json.records.find(
      ({ fullName }: { fullName: string }) => fullName === `_cf-custom-hostname.${shop}`,
    ).value,
  });
  await stage.edgectl('setting', 'set', 'domain-connect', 'example.com/hostnames');
  const written = async (format: string) => (await tell('--format', format)).out;
  expect(await written('txt')).toContain(
    `agree at sign-in.panel.example, and Panel <Inc> enters the records itself:\n${link}\n`,
  );
  expect(await written('md')).toContain(`<${link}>`);
  const page = await written('html');
  expect(page).toContain(`<a href="${link.replaceAll('&', '&#38;')}" rel="noopener noreferrer">`);
  expect(page).toContain('Panel &#60;Inc&#62; enters');
  await stage.edgectl('setting', 'unset', 'domain-connect');
});

describe('a template that accepts only signed links', () => {
  const template = ['--domain-connect', 'example.com/hostnames'] as const;
  const signed = [...template, '--domain-connect-key', '_dck1=key.pem'] as const;
  const at = '_dck1.keys.example.com';
  const pair = generateKeyPairSync('rsa', { modulusLength: 2048 });

  beforeAll(() => {
    disclosed = { providerId: 'example.com', syncPubKeyDomain: 'keys.example.com' };
    const pem = pair.privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(join(stage.cwd, 'key.pem'), pem);
  });
  afterAll(() => {
    disclosed = {};
  });

  /** Returns the public key, assembled from DNS as a provider does. */
  async function publicKey() {
    const found = await stage.api<DnsOutcome>('GET', `/sandbox/dns/answer?name=${at}&type=TXT`);
    const texts =
      found.kind === 'records' ? found.records.map((one) => (one.type === 'TXT' ? one.text : '')) : [];
    const parts = texts.sort().map((text) => /^p=\d+,a=RS256,d=(.*)$/.exec(text)?.[1] ?? '');
    const key = Buffer.from(parts.join(''), 'base64');
    return { parts, key: createPublicKey({ key, format: 'der', type: 'spki' }) };
  }

  test('is not used without a key, or before its public key is in DNS, and the records to create are named', async () => {
    const without = await tell(...template);
    expect(without.err).toContain(
      'its template accepts only signed links (syncPubKeyDomain keys.example.com)',
    );
    expect(without.err).toContain('Specify your key: --domain-connect-key LABEL=FILE.');
    const early = await tell(...signed);
    expect(early.err).toContain(
      `no key is published at ${at}; publish your key there with these TXT records: p=1,a=RS256,d=`,
    );
    expect(without.out + early.out).not.toContain('https:');
    await stage.dns([at, 'TXT', 'p=1,a=RS256,d=AAAA']);
    expect((await tell(...signed)).err).toContain(`a different key is published at ${at}`);
  });

  test('produces a signed link when the records exist: the key in DNS verifies its query', async () => {
    const { err } = await tell(...signed);
    const records = err.match(/p=\d,a=RS256,d=[A-Za-z0-9+/=]+/g) ?? [];
    await stage.dns([at, 'TXT', ...records.toReversed()]);
    const message = await tell('--json', ...signed);
    const { link, missing } = JSON.parse(message.out).domainConnect;
    expect(missing).toBeNull();
    const [, query = '', sig = ''] = /\?(.*)&sig=([^&]+)&key=_dck1$/.exec(link) ?? [];
    const names = [...new URLSearchParams(query).keys()];
    expect(names).toEqual([...names].sort());
    expect(names).toEqual(expect.arrayContaining(['domain', 'host', 'ownership', 'target']));
    const { parts, key } = await publicKey();
    expect(parts).toHaveLength(2);
    const signature = Buffer.from(decodeURIComponent(sig), 'base64');
    expect(verify('RSA-SHA256', Buffer.from(query), key, signature)).toBe(true);
    expect(verify('RSA-SHA256', Buffer.from(query.replace('acme', 'evil')), key, signature)).toBe(false);
  });

  test('uses the key from the setting; an unusable key file only removes the link from the instructions', async () => {
    await stage.edgectl('setting', 'set', 'domain-connect-key', `_dck1=${join(stage.cwd, 'key.pem')}`);
    expect((await tell(...template)).out).toContain('&key=_dck1');
    await stage.edgectl('setting', 'set', 'domain-connect-key', '_dck1=/nowhere/key.pem');
    const message = await tell(...template);
    expect(message).toMatchObject({ code: 0, out: expect.stringContaining(shop) });
    expect(message.err).toContain('it cannot be signed: File not found: /nowhere/key.pem');
    await stage.edgectl('setting', 'unset', 'domain-connect-key');
  });

  test('is refused with an invalid key name, or a file without a key, before any request', async () => {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    writeFileSync(join(stage.cwd, 'ec.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(join(stage.cwd, 'no.pem'), 'nothing');
    for (const [word, sentence] of [
      ['a.b=key.pem', 'is not a Domain Connect key'],
      ['_dck1=no.pem', 'no.pem contains no usable private key'],
      ['_dck1=ec.pem', 'ec.pem does not contain an RSA key'],
      ['_dck1=gone.pem', 'File not found: gone.pem'],
    ] as const) {
      const message = await tell(...template, '--domain-connect-key', word);
      expect(message).toMatchObject({ code: 2, out: '' });
      expect(message.err).toContain(sentence);
    }
  });
});

const instructions: Instructions = {
  hostname: shop,
  zone: 'acme.com',
  nameServers: [],
  recognised: false,
  turn: 'customer',
  state: '',
  records: [],
  missing: [],
  notes: [],
};
const wanted = {
  ...instructions,
  records: [
    {
      type: 'CNAME',
      name: 'shop',
      fullName: shop,
      value: 'origin.saas.sandbox',
      ttl: 600,
      purpose: '',
      state: 'missing',
      optional: false,
    },
  ],
} as const satisfies Instructions;

/** Queries a provider that has one address and whose TXT record specifies `api`. */
async function offered(listener: RequestListener, change: Partial<ProviderAccess> = {}, api = shop) {
  const { port, close, asked } = await openProvider(listener);
  onTestFinished(close);
  const answer = (name: string, type: string): DnsOutcome => {
    const about = { name, ttl: 60 };
    if (type === 'TXT') return { kind: 'records', records: [{ ...about, type, text: api }], aliases: [] };
    return type === 'A'
      ? { kind: 'records', records: [{ ...about, type, address }], aliases: [] }
      : { kind: 'nodata', aliases: [] };
  };
  const access: ProviderAccess = {
    resolver: { resolve: async (name, type) => answer(name, type) },
    findPlace: () => ({ address: '127.0.0.1', port }),
    anyCertificate: false,
    authorities: [authority],
    now: () => 0,
    signal: new AbortController().signal,
    ...change,
  };
  const template = { provider: 'example.com', service: 'hostnames' };
  return { asked, offer: await findDomainConnect(access, wanted, template) };
}

const sent = (status: number, body: string, headers = {}): RequestListener => {
  return (_, response) => response.writeHead(status, { connection: 'close', ...headers }).end(body);
};
const ours = { ...settings, urlAPI: `https://${shop}/v1` };

type Row = readonly [what: string, listener: RequestListener, lacks: RegExp, change: Partial<ProviderAccess>];

const hostile: readonly Row[] = [
  [
    'a redirect, which is not followed',
    sent(302, '', { location: 'https://127.0.0.1/' }),
    /responded with HTTP 302/,
    {},
  ],
  ['no JSON', sent(200, '<html>'), /does not contain Domain Connect settings/, {}],
  [
    'more bytes than the limit',
    sent(200, `{"x":"${'x'.repeat(200_000)}"}`),
    /does not contain Domain Connect settings/,
    {},
  ],
  ['a link that is a script', answering({ ...ours, urlSyncUX: 'javascript:alert(1)' }), /no https page/, {}],
  ['a link without TLS', answering({ ...ours, urlSyncUX: 'http://panel.example' }), /no https page/, {}],
  [
    'a link that hides its host',
    answering({ ...ours, urlSyncUX: 'https://a.example@b.example' }),
    /no https page/,
    {},
  ],
  ['an API at an address', answering({ ...ours, urlAPI: 'https://127.0.0.1/' }), /no https API/, {}],
  ['silence', () => undefined, /no response within 50 ms/, { timeoutMs: 50 }],
  [
    'an address that must not be contacted',
    sent(200, ''),
    /no public address/,
    { findPlace: () => undefined },
  ],
  ['an untrusted certificate', answering(ours), /is not trusted/, { authorities: [] }],
];

test.each(hostile)('creates no link if %s, and gives the reason', async (_what, listener, lacks, change) => {
  const { offer } = await offered(listener, change);
  expect(offer).toEqual({ label: expect.any(String), lacks: expect.stringMatching(lacks) });
});

test('creates a link over a trusted certificate, and no link for a record without a host', async () => {
  expect((await offered(answering(ours))).offer).toMatchObject({ apply: { host: 'sign-in.panel.example' } });
  for (const api of ['127.0.0.1', 'a.example:8443', 'user@a.example', 'a.example/../x', 'a.example?x', ''])
    expect(await offered(answering(ours), {}, api)).toEqual({ asked: [], offer: undefined });
});

test('queries only public addresses about Domain Connect', () => {
  const asked = ['8.8.8.8', '2606:4700::1', '172.32.0.1', '100.128.0.1'];
  const others = [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '172.31.0.1',
    '192.168.1.1',
    '100.64.0.1',
    '0.0.0.0',
  ];
  const othersV6 = ['::1', 'fe80::1', 'fd00::1', '::ffff:127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::1'];
  expect([...asked, ...others, ...othersV6].filter(isPublic)).toEqual(asked);
});
