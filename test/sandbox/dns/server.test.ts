import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { connect } from 'node:net';
import { decode, encode } from 'dns-packet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openResolver } from '../../../src/dns/resolver.ts';
import type { RecordType } from '../../../src/model/dns/dns.ts';
import { serveDns } from '../../../src/sandbox/dns/server.ts';
import { type HostnameSandbox, openHostnameSandbox, result, target } from '../hostnames/test-sandbox.ts';

let place: HostnameSandbox;
beforeAll(async () => {
  place = await openHostnameSandbox();
  await place.dns(
    ['shop.dns.demo', 'CNAME', target],
    ['a.dns.demo', 'A', '192.0.2.1', '192.0.2.2'],
    ['a.dns.demo', 'AAAA', '2001:db8::1'],
    ['deep.down.below.dns.demo', 'TXT', 'here'],
    ['*.wild.dns.demo', 'CNAME', 'a.dns.demo'],
    ['caa.dns.demo', 'CAA', '0 issue ""', '128 Tbs "unknown"', '1 IssueWild "ca.demo; x=y"'],
    [
      'long.dns.demo',
      'TXT',
      'x'.repeat(700),
      ...Array.from({ length: 40 }, (_, index) => `text number ${index}`),
    ],
    ['loop.dns.demo', 'CNAME', 'pool.dns.demo'],
    ['pool.dns.demo', 'CNAME', 'loop.dns.demo'],
    ['to-nothing.dns.demo', 'CNAME', 'nothing.dns.demo'],
    ['to-bad.dns.demo', 'CNAME', 'bad.dns.demo'],
    ['bad.dns.demo', 'SERVFAIL'],
    ['no.dns.demo', 'REFUSED'],
    ['half.dns.demo', 'SERVFAIL', 'caa'],
    ['half.dns.demo', 'A', '192.0.2.3'],
    ['mute.dns.demo', 'TIMEOUT'],
    ['gone.dns.demo', 'A', '192.0.2.4'],
    ['gone.dns.demo', 'NXDOMAIN'],
  );
});
afterAll(() => place.close());

/** Returns the answer as parsed by edgectl's own resolver, over real UDP, and over TCP if the answer is too large for UDP. */
async function ask(name: string, type: RecordType) {
  const resolver = openResolver({ servers: [place.dnsServer.address], timeout: 300, random });
  return resolver.resolve(name, type);
}

describe('the DNS port', () => {
  test('returns the records that were set, NXDOMAIN for unknown names, and no data for other types', async () => {
    expect(await ask('a.dns.demo', 'A')).toMatchObject({
      kind: 'records',
      records: [{ address: '192.0.2.1' }, { address: '192.0.2.2' }],
    });
    expect(await ask('a.dns.demo', 'AAAA')).toMatchObject({ records: [{ address: '2001:db8::1' }] });
    expect((await ask('a.dns.demo', 'TXT')).kind).toBe('nodata');
    expect((await ask('below.dns.demo', 'A')).kind).toBe('nodata');
    expect((await ask('nothing.dns.demo', 'A')).kind).toBe('nxdomain');
    expect((await ask('who.knows.invalid', 'A')).kind).toBe('nxdomain');
  });

  test('follows CNAMEs, into zones and under wildcards, and reports where they end', async () => {
    expect(await ask('shop.dns.demo', 'A')).toMatchObject({
      aliases: [{ name: 'shop.dns.demo', target }],
      records: [{ name: target, address: '127.0.0.1' }],
    });
    expect(await ask('any.wild.dns.demo', 'A')).toMatchObject({ records: [{}, {}] });
    expect(await ask('to-nothing.dns.demo', 'A')).toMatchObject({ kind: 'nxdomain', aliases: [{}] });
    expect(await ask('loop.dns.demo', 'A')).toMatchObject({ kind: 'failed', why: 'loop' });
    expect(await ask('loop.dns.demo', 'CNAME')).toMatchObject({ records: [{ target: 'pool.dns.demo' }] });
  });

  test('preserves CAA records: empty values, the case of tags, all bits of the flags', async () => {
    const outcome = await ask('caa.dns.demo', 'CAA');
    const caa =
      outcome.kind === 'records' ? outcome.records.map((record) => record.type === 'CAA' && record.caa) : [];
    expect(caa).toEqual([
      { flags: 0, tag: 'issue', value: '' },
      { flags: 128, tag: 'Tbs', value: 'unknown' },
      { flags: 1, tag: 'IssueWild', value: 'ca.demo; x=y' },
    ]);
  });

  test('truncates a long answer over UDP and sends it in full over TCP', async () => {
    const cut = decode(await overUdp('long.dns.demo', 'TXT'));
    expect([cut.flag_tc, cut.answers]).toEqual([true, []]);
    const outcome = await ask('long.dns.demo', 'TXT');
    const records = outcome.kind === 'records' ? outcome.records : [];
    expect(records).toHaveLength(41);
    expect(records[0]).toMatchObject({ text: 'x'.repeat(700) });
  });

  test('returns a failure for an answer that is too long for TCP, and answers the next query', async () => {
    const texts = Array.from({ length: 300 }, (_, index) => `${index} `.padEnd(250, 'x'));
    await place.dns(['big.dns.demo', 'TXT', ...texts]);
    expect(await ask('big.dns.demo', 'TXT')).toMatchObject({ kind: 'failed', why: 'servfail' });
    expect((await ask('a.dns.demo', 'A')).kind).toBe('records');
  });

  test.each([
    ['bad.dns.demo', 'A', 'servfail'],
    ['to-bad.dns.demo', 'A', 'servfail'],
    ['no.dns.demo', 'A', 'refused'],
    ['half.dns.demo', 'CAA', 'servfail'],
    ['mute.dns.demo', 'A', 'timeout'],
  ] as const)('fails a query for %s %s on demand: %s', async (name, type, why) => {
    expect(await ask(name, type)).toMatchObject({ kind: 'failed', why });
  });

  test('simulates a failure of one type without affecting other types, and simulates NXDOMAIN', async () => {
    expect((await ask('half.dns.demo', 'A')).kind).toBe('records');
    expect((await ask('gone.dns.demo', 'A')).kind).toBe('nxdomain');
  });

  test('returns an SOA and name servers for every domain, and the SOA in a negative answer', async () => {
    expect(await ask('dns.demo', 'NS')).toMatchObject({ records: [{}, {}] });
    expect(await ask('saas.sandbox', 'SOA')).toMatchObject({
      records: [{ primary: 'ada.ns.cloudflare.com' }],
    });
    const nothing = decode(await overUdp('nothing.dns.demo', 'A'));
    expect(nothing.authorities).toMatchObject([{ type: 'SOA', name: 'dns.demo' }]);
  });

  test('returns FORMERR or nothing for an invalid query, and continues to answer', async () => {
    const garbage = Buffer.concat([
      encode({ type: 'query', id: 7 }).subarray(0, 12),
      Buffer.from([0xff, 0xff]),
    ]);
    garbage.writeUInt16BE(5, 4);
    const answer = await exchange(garbage);
    expect([answer.readUInt16BE(0), answer.readUInt8(3) & 0x0f]).toEqual([7, 1]);
    const socket = connect(place.dnsServer.port, '127.0.0.1');
    socket.end(Buffer.from([0, 3, 1, 2, 3]));
    socket.resume();
    await once(socket, 'close');
    expect((await ask('a.dns.demo', 'A')).kind).toBe('records');
  });

  test.each([
    [
      'that is not UTF-8, and would grow beyond 63 bytes',
      Buffer.from([0x80, 0x80, ...Buffer.alloc(58, 'x')]),
    ],
    ['with a dot in it, which would become two labels', Buffer.from('a.b')],
  ])('returns FORMERR, not an unreadable answer, for a label %s', async (_, label) => {
    const head = encode({ type: 'query', id: 7, questions: [{ name: '', type: 'A', class: 'IN' }] });
    const question = Buffer.concat([head.subarray(0, 12), Buffer.of(label.length), label, head.subarray(12)]);
    const answer = decode(await exchange(question));
    expect(answer).toMatchObject({ id: 7, rcode: 'FORMERR', questions: [] });
  });

  test('preserves the letter case of the query in the answer', async () => {
    const answer = decode(await overUdp('A.Dns.dEMO', 'A'));
    expect(answer.questions?.[0]?.name).toBe('A.Dns.dEMO');
    expect(answer.answers).toHaveLength(2);
  });

  test('rejects a port in use with a hint', async () => {
    const zones = () => ({ answer: () => ({ kind: 'nxdomain', aliases: [] }) as const });
    await expect(serveDns({ port: place.dnsServer.port, zones })).rejects.toMatchObject({
      code: 'refused',
      remedy: { kind: 'choose-port', of: 'dns' },
    });
  });
});

describe('DNS records that a caller sets', () => {
  const put = (json: unknown) => place.call('PUT', '/sandbox/dns', { json });

  test('an entry replaces the existing records of its name and type', async () => {
    await place.dns(['one.set.demo', 'A', '192.0.2.1'], ['One.Set.Demo.', 'A', '192.0.2.9']);
    expect(await result(place.call('GET', '/sandbox/dns?name=one.set.demo'))).toEqual([
      { name: 'one.set.demo', type: 'A', ttl: 300, contents: ['192.0.2.9'] },
    ]);
    expect(await result(place.call('GET', '/sandbox/dns/answer?name=one.set.demo&type=A'))).toMatchObject({
      kind: 'records',
    });
    await place.unset('one.set.demo');
    expect(await result(place.call('GET', '/sandbox/dns?name=one.set.demo'))).toEqual([]);
  });

  test.each([
    [{ name: 'x.set.demo', type: 'A', contents: ['no address'] }],
    [{ name: 'x.set.demo', type: 'A', contents: [] }],
    [{ name: 'x.set.demo', type: 'WEIRD', contents: ['x'] }],
    [{ name: 'x.set.demo', type: 'CNAME', contents: ['a', 'b'] }],
    [{ name: 'x.set.demo', type: 'SERVFAIL', contents: ['EVERYTHING'] }],
    [{ name: 'x.set.demo', type: 'CAA', contents: ['issue letsencrypt.org'] }],
    [{ name: `${'x'.repeat(64)}.demo`, type: 'A', contents: ['192.0.2.1'] }],
    [{ name: '', type: 'A', contents: ['192.0.2.1'] }],
    [{ name: 'x.set.demo', type: 'A', contents: ['192.0.2.1'], ttl: -1 }],
    ['nothing'],
  ])('the entry %j is rejected, and no entry of its list is set', async (entry) => {
    expect((await put([{ name: 'fine.set.demo', type: 'A', contents: ['192.0.2.1'] }, entry])).status).toBe(
      400,
    );
    expect(await result(place.call('GET', '/sandbox/dns?name=fine.set.demo'))).toEqual([]);
  });
});

function random(bytes: number): Uint8Array {
  return crypto.getRandomValues(new Uint8Array(bytes));
}

function overUdp(name: string, type: RecordType): Promise<Buffer> {
  return exchange(encode({ type: 'query', id: 99, questions: [{ name, type, class: 'IN' }] }));
}

async function exchange(message: Buffer): Promise<Buffer> {
  const socket = createSocket('udp4');
  socket.send(message, place.dnsServer.port, '127.0.0.1');
  const [answer] = (await once(socket, 'message')) as [Buffer];
  socket.close();
  return answer;
}
