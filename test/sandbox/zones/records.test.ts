import Cloudflare, { APIError } from 'cloudflare';
import { type DecodedPacket, decode, encode, RECURSION_DESIRED } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerMessage } from '../../../src/sandbox/dns/message.ts';
import { formatData, parseData } from '../../../src/sandbox/dns/records/presentation.ts';
import { encodeRdata, typeNumbers } from '../../../src/sandbox/dns/records/rdata.ts';
import { readInternet } from '../../../src/sandbox/hostnames/internet.ts';
import { type HostnameSandbox, openHostnameSandbox } from '../hostnames/test-sandbox.ts';

let place: HostnameSandbox;
let client: Cloudflare;
let zone_id: string;
beforeAll(async () => {
  place = await openHostnameSandbox('over a socket');
  zone_id = place.zoneId;
  client = new Cloudflare({
    apiToken: place.sandbox.access().apiToken,
    baseURL: place.apiBaseUrl,
    maxRetries: 0,
  });
});
afterAll(() => place.close());

const hash = 'ab'.repeat(32);
/** Each row: type, parts, content, and the bytes in DNS. */
const cases: readonly (readonly [string, object, string, string])[] = [
  ['CAA', { flags: 0, tag: 'issue', value: 'pki.goog' }, '0 issue "pki.goog"', ''],
  [
    'SRV',
    { priority: 10, weight: 5, port: 5060, target: 'sip.a.demo' },
    '10 5 5060 sip.a.demo',
    '000a000513c40373697001610464656d6f00',
  ],
  ['TLSA', { usage: 3, selector: 1, matching_type: 1, certificate: hash }, `3 1 1 ${hash}`, `030101${hash}`],
  [
    'SMIMEA',
    { usage: 3, selector: 0, matching_type: 1, certificate: hash },
    `3 0 1 ${hash}`,
    `030001${hash}`,
  ],
  ['SSHFP', { algorithm: 4, type: 2, fingerprint: hash }, `4 2 ${hash}`, `0402${hash}`],
  [
    'DS',
    { key_tag: 60485, algorithm: 5, digest_type: 1, digest: hash },
    `60485 5 1 ${hash}`,
    `ec450501${hash}`,
  ],
  [
    'HTTPS',
    { priority: 1, target: '.', value: 'alpn="h3,h2" ipv4hint="192.0.2.1"' },
    '1 . alpn="h3,h2" ipv4hint="192.0.2.1"',
    '0001000001000602683302683200040004c0000201',
  ],
  ['SVCB', { priority: 0, target: 'a.demo', value: '' }, '0 a.demo', '000001610464656d6f00'],
  [
    'URI',
    { priority: 10, weight: 1, target: 'https://a.demo/"x"' },
    '10 1 "https://a.demo/\\"x\\""',
    `000a0001${Buffer.from('https://a.demo/"x"').toString('hex')}`,
  ],
  [
    'LOC',
    {
      lat_degrees: 42,
      lat_minutes: 21,
      lat_seconds: 54,
      lat_direction: 'N',
      long_degrees: 71,
      long_minutes: 6,
      long_seconds: 18,
      long_direction: 'W',
      altitude: -24,
      size: 30,
      precision_horz: 10_000,
      precision_vert: 10,
    },
    '42 21 54.000 N 71 6 18.000 W -24.00m 30.00m 10000.00m 10.00m',
    '0033161389172dd070be15f000988d20',
  ],
  ['CERT', { type: 1, key_tag: 2, algorithm: 3, certificate: 'AQID' }, '1 2 3 AQID', '0001000203010203'],
  [
    'NAPTR',
    { order: 100, preference: 10, flags: 'S', service: 'SIP+D2U', regex: '', replacement: 'sip.a.demo' },
    '100 10 "S" "SIP+D2U" "" sip.a.demo',
    '0064000a0153075349502b443255000373697001610464656d6f00',
  ],
];

test.each(cases)(
  'converts %s between its fields, its text form, and the wire format of its RFC',
  (type, data, content, hex) => {
    expect(formatData(type, { ...data })).toBe(content);
    expect(parseData(type, content)).toEqual(data);
    if (hex !== '') expect(encodeRdata(type, content)?.toString('hex')).toBe(hex);
  },
);

/** Returns the answer of the sandbox's DNS to one question. */
function ask(name: string, type: string, more: object = {}): DecodedPacket {
  const number = typeNumbers[type];
  // The encoder accepts every record type as a number; its TypeScript types declare only some names.
  const asked = (number === undefined ? type : `UNKNOWN_${number}`) as 'NULL';
  const message = {
    id: 7,
    type: 'query' as const,
    flags: RECURSION_DESIRED,
    questions: [{ name, type: asked }],
    ...more,
  };
  const answer = answerMessage(() => readInternet(place.sandbox.platform).dns, encode(message), 'tcp');
  return decode(answer ?? Buffer.alloc(0));
}

const codeOf = ({ flags = 0 }: DecodedPacket) => flags & 0x0f;

/** Returns the status and message of a refusal. */
async function refusal(asked: PromiseLike<unknown>): Promise<unknown> {
  const error = await Promise.resolve(asked).catch((thrown: unknown) => thrown);
  return error instanceof APIError ? [error.status, error.errors[0]?.message] : error;
}

test('the API derives the fields of a record from its content, and the content from its fields; DNS serves the record', async () => {
  const data = { priority: 1, weight: 2, port: 443, target: 'Host.a.demo.' };
  const srv = await client.dns.records.create({
    zone_id,
    type: 'SRV',
    name: '_x._tcp.saas.sandbox.',
    ttl: 60,
    data,
  });
  expect(srv).toMatchObject({ name: '_x._tcp.saas.sandbox', content: '1 2 443 host.a.demo' });
  expect(srv).not.toHaveProperty('zone_id');
  expect(await place.resolver.resolveSrv('_x._tcp.saas.sandbox')).toMatchObject([
    { priority: 1, weight: 2, port: 443, name: 'host.a.demo' },
  ]);
  const mx = { zone_id, type: 'MX' as const, name: 'saas.sandbox', ttl: 60, content: 'mail.a.demo.' };
  expect(await refusal(client.dns.records.create(mx))).toEqual([400, expect.stringContaining('priority')]);
  const made = await client.dns.records.create({ ...mx, priority: 5 });
  expect(made).toMatchObject({ content: 'mail.a.demo', priority: 5 });
  expect(await place.resolver.resolveMx('saas.sandbox')).toMatchObject([
    { exchange: 'mail.a.demo', priority: 5 },
  ]);
  const found = await client.dns.records.list({ zone_id, content: { exact: 'mail.a.demo.' } });
  expect(found.result.map(({ id }) => id)).toEqual([made.id]);
  const wrong = { zone_id, type: 'TLSA' as const, name: 't', ttl: 60, data: { usage: 300 } };
  expect(await refusal(client.dns.records.create(wrong))).toEqual([400, expect.stringContaining('TLSA')]);
  const edited = await client.dns.records.edit(srv.id, {
    zone_id,
    type: 'SRV',
    name: srv.name,
    ttl: 60,
    data: { ...data, port: 8443 },
  });
  expect(edited).toMatchObject({ content: '1 2 8443 host.a.demo' });
});

test('a zone file is exported and imported, in each of the usual notations', async () => {
  const file = [
    '$ORIGIN saas.sandbox.',
    '$TTL 1h',
    '@ IN SOA ns.a.demo. host.a.demo. (1 2 3 ; serial',
    '  4 5)',
    'www 300 IN A 192.0.2.80 ; the site cf_tags=cf-proxied:true',
    '    IN TXT "two words" "; no comment"',
    'alias IN 60 CNAME www',
    '_443._tcp.www TLSA 3 1 1 (',
    `  ${hash.slice(0, 32)} ${hash.slice(32)} )`,
    'mail MX 10 mx.a.demo.',
  ].join('\n');
  const load = () => client.dns.records.import({ zone_id, file });
  expect(await load()).toMatchObject({ recs_added: 5, total_records_parsed: 5 });
  expect(await load()).toMatchObject({ recs_added: 0 });
  const list = await client.dns.records.list({ zone_id, name: { exact: 'www.saas.sandbox' } });
  expect(list.result).toMatchObject([
    { type: 'A', proxied: true, comment: 'the site', ttl: 300 },
    { type: 'TXT', content: '"two words" "; no comment"', ttl: 3600 },
  ]);
  const out = await client.dns.records.export({ zone_id });
  expect(out).toContain(`_443._tcp.www.saas.sandbox.\t3600\tIN\tTLSA\t3 1 1 ${hash}\n`);
  expect(out).toContain('www.saas.sandbox.\t300\tIN\tA\t192.0.2.80 ; the site cf_tags=cf-proxied:true\n');
  expect(out).toContain('alias.saas.sandbox.\t60\tIN\tCNAME\twww.saas.sandbox.');
  const before = (await client.dns.records.list({ zone_id, per_page: 1000 })).result;
  await client.dns.records.batch({ zone_id, deletes: before.map(({ id }) => ({ id })) });
  const form = new FormData();
  form.set('file', new Blob([out]));
  const again = await fetch(`${place.apiBaseUrl}/zones/${zone_id}/dns_records/import`, {
    method: 'POST',
    body: form,
    headers: { authorization: `Bearer ${place.sandbox.access().apiToken}` },
  });
  expect(await again.json()).toMatchObject({ result: { recs_added: before.length } });
  const plain = (records: readonly Cloudflare.DNS.Records.RecordResponse[]) =>
    records
      .map(({ name, type, content, proxied, ttl }) => [name, type, content, proxied, ttl].join(' '))
      .sort();
  expect(plain((await client.dns.records.list({ zone_id, per_page: 1000 })).result)).toEqual(plain(before));
  expect(await refusal(client.dns.records.import({ zone_id, file: 'www IN A' }))).toEqual([
    400,
    expect.stringContaining('line 1 is not a record'),
  ]);
});

test('a batch is completed or changes nothing, and its later changes see its earlier changes', async () => {
  const a = { type: 'A' as const, name: 'batch.saas.sandbox', content: '192.0.2.9', ttl: 60 };
  const { posts = [] } = await client.dns.records.batch({ zone_id, posts: [a] });
  const id = posts[0]?.id ?? '';
  const alias = { type: 'CNAME' as const, name: a.name, content: 'a.demo', ttl: 60 };
  expect(
    await refusal(client.dns.records.batch({ zone_id, posts: [{ ...a, name: 'other' }, alias] })),
  ).toEqual([400, expect.stringContaining('already exists')]);
  expect((await client.dns.records.list({ zone_id, name: { exact: 'other.saas.sandbox' } })).result).toEqual(
    [],
  );
  const done = await client.dns.records.batch({ zone_id, deletes: [{ id }], posts: [alias] });
  expect(done).toMatchObject({ deletes: [{ id }], posts: [{ type: 'CNAME', content: 'a.demo' }], puts: [] });
});

describe('DNS', () => {
  test('returns the record data in wire form, even for types that clients know only by number', async () => {
    const certificate = { type: 9, key_tag: 1, algorithm: 2, certificate: 'AQID' };
    await client.dns.records.create({ zone_id, type: 'CERT', name: 'c', ttl: 60, data: certificate });
    const [answer] = ask('c.saas.sandbox', 'CERT').answers ?? [];
    expect(answer).toMatchObject({ type: 'CERT', data: Buffer.from('0009000102010203', 'hex') });
    expect(ask('c.saas.sandbox', 'HTTPS')).toMatchObject({ answers: [], authorities: [{ type: 'SOA' }] });
    expect(codeOf(ask('nobody.saas.sandbox', 'HTTPS'))).toBe(3);
  });

  test('rejects EDNS versions, classes and transfers, and returns a minimal answer to a query for all types', () => {
    const option = {
      type: 'OPT',
      name: '.',
      udpPayloadSize: 1232,
      extendedRcode: 0,
      ednsVersion: 1,
      flags: 0,
      flag_do: false,
      options: [],
    };
    expect(ask('saas.sandbox', 'A', { additionals: [option] })).toMatchObject({
      additionals: [{ type: 'OPT', extendedRcode: 1, ednsVersion: 0 }],
    });
    const chaos = [{ name: 'version.bind', type: 'TXT', class: 'CH' }];
    expect(codeOf(ask('', 'A', { questions: chaos }))).toBe(5);
    expect(codeOf(ask('saas.sandbox', 'AXFR'))).toBe(5);
    expect(codeOf(ask('saas.sandbox', 'SOA', { flags: 4 << 11 }))).toBe(5);
    expect(codeOf(ask('saas.sandbox', 'SOA', { flags: 5 << 11 }))).toBe(4);
    expect(ask('saas.sandbox', 'ANY').answers).toMatchObject([{ type: 'HINFO', data: { cpu: 'RFC8482' } }]);
  });

  test('refers to the name servers of a delegation, with addresses of servers inside the delegation', async () => {
    const records = [
      { type: 'NS' as const, name: 'sub', content: 'ns.sub.saas.sandbox', ttl: 60 },
      { type: 'A' as const, name: 'ns.sub', content: '192.0.2.53', ttl: 60 },
    ];
    await client.dns.records.batch({ zone_id, posts: records });
    const answer = ask('deep.sub.saas.sandbox', 'A');
    expect(answer).toMatchObject({
      flag_aa: false,
      answers: [],
      authorities: [{ type: 'NS', name: 'sub.saas.sandbox', data: 'ns.sub.saas.sandbox' }],
      additionals: [{ type: 'A', data: '192.0.2.53' }],
    });
    expect(ask('sub.saas.sandbox', 'DS')).toMatchObject({ flag_aa: true, answers: [] });
  });
});

test('importing a file of existing records changes nothing', async () => {
  const text = { zone_id, type: 'TXT' as const, name: 'own', content: 'say "hi"; \\ (so)', ttl: 1 as const };
  const data = { priority: 1, target: '.', value: 'alpn="h3,h2" port=443' };
  await client.dns.records.create(text);
  await client.dns.records.create({ zone_id, type: 'HTTPS', name: 'own', ttl: 1, data });
  const file = await client.dns.records.export({ zone_id });
  expect(await client.dns.records.import({ zone_id, file })).toMatchObject({ recs_added: 0 });
});

test('strings of any bytes are split at 255 bytes and rejoined; content that DNS cannot express is rejected', async () => {
  const texts = ['a line\nand another', '"open', 'say "hi', 'nul \0 \\009', 'ü'.repeat(300), '"\\255" "two"'];
  const posts = texts.map((text) => ({ type: 'TXT' as const, name: 'odd', content: text, ttl: 1 as const }));
  await client.dns.records.batch({ zone_id, posts });
  const file = await client.dns.records.export({ zone_id });
  const own = file.split('\n').filter((line) => line.startsWith('odd.'));
  expect(own).toHaveLength(texts.length);
  expect(own[0]).toBe('odd.saas.sandbox.\t1\tIN\tTXT\t"a line\\010and another"');
  const strings = own.flatMap((line) => line.match(/"(?:[^"\\]|\\.)*"/g) ?? []);
  expect(Math.max(...strings.map((one) => Buffer.byteLength(one)))).toBeLessThanOrEqual(257);
  expect(await client.dns.records.import({ zone_id, file })).toMatchObject({ recs_added: 0 });
  const place = { lat_degrees: 1, lat_direction: 'N', long_degrees: 1, long_direction: 'E' };
  const naptr = {
    order: 1,
    preference: 1,
    flags: 'S',
    service: 'x'.repeat(256),
    regex: '',
    replacement: '.',
  };
  const wrong = [
    [
      { type: 'LOC', data: { ...place, altitude: 1e9 } },
      'altitude is not a number from -100000 to 42849672.95',
    ],
    [{ type: 'NAPTR', data: naptr }, 'service is not a string of up to 255 bytes'],
    [{ type: 'CAA', data: { flags: 0, tag: 'x'.repeat(256), value: '' } }, 'tag is not a word of up to 255'],
    [{ type: 'CNAME', content: `${'x'.repeat(64)}.demo` }, 'is not a valid CNAME record'],
  ] as const;
  for (const [body, why] of wrong) {
    const { status, text } = await client.dns.records
      .create({ zone_id, name: 'wrong', ttl: 1, ...body } as Cloudflare.DNS.Records.RecordCreateParams)
      .then(() => ({ status: 200, text: '' }))
      .catch((error: APIError) => ({ status: error.status, text: JSON.stringify(error.errors) }));
    expect([status, text]).toEqual([400, expect.stringContaining(why)]);
    expect(text).toContain('"code":9005');
  }
});

test('returns a failure, and not silence, if an answer cannot be found or encoded', () => {
  const question = encode({
    id: 9,
    type: 'query',
    questions: [{ name: 'a.demo', type: 'UNKNOWN_65' as 'NULL' }],
  });
  const broken = () => {
    throw new Error('The registry was closed.');
  };
  const withRecord = (content: string) => () => ({
    answer: () => ({ kind: 'nodata', aliases: [] }) as const,
    others: () => [{ type: 'HTTPS', ttl: 1, content }],
  });
  for (const zones of [broken, withRecord('1 . ipv4hint=x'), withRecord('1 "')]) {
    const answer = decode(answerMessage(zones, question, 'udp') ?? Buffer.alloc(0));
    expect([answer.id, codeOf(answer), answer.questions]).toMatchObject([9, 2, [{ name: 'a.demo' }]]);
  }
});
