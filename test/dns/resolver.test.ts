import { randomBytes } from 'node:crypto';
import { type Answer, encode, type Packet } from 'dns-packet';
import { afterEach, describe, expect, it } from 'vitest';
import { cachingResolver, openResolver, type ResolverOptions } from '../../src/dns/resolver.ts';
import type { Resolver } from '../../src/model/dns/dns.ts';
import {
  type Behaviour,
  caaAnswer,
  type LoopbackServer,
  openLoopback,
  rcode,
  response,
  serving,
  soa,
} from './loopback-server.ts';

const open: LoopbackServer[] = [];

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function start(behave: Behaviour): Promise<LoopbackServer> {
  const server = await openLoopback(behave);
  open.push(server);
  return server;
}

function createResolver(
  servers: readonly LoopbackServer[],
  options: Partial<ResolverOptions> = {},
): Resolver {
  return openResolver({
    servers: servers.map((server) => server.address),
    random: randomBytes,
    timeout: 150,
    rounds: 1,
    ...options,
  });
}

const name = 'shop.acme.com';
const address: Answer = { type: 'A', name, ttl: 60, data: '192.0.2.7' };

function inCase(answer: Answer, other: string): Answer {
  return { ...answer, name: other };
}

describe('an answer', () => {
  it('contains the records of the requested type, with their TTL', async () => {
    const resolver = createResolver([await start(serving([address]))]);
    expect(await resolver.resolve(name, 'A')).toEqual({
      kind: 'records',
      records: [{ type: 'A', name, ttl: 60, address: '192.0.2.7' }],
      aliases: [],
    });
  });

  // The process is busy for 300 ms, which is twice the timeout, and then finds the answer in the socket.
  it('is read even if the process was too busy to read it when it arrived', async () => {
    const busy = await start((query, over) => {
      const end = performance.now() + 300;
      while (performance.now() < end);
      return serving([address])(query, over);
    });
    expect((await createResolver([busy]).resolve(name, 'A')).kind).toBe('records');
  });

  it('distinguishes a name without records of the type from a name that does not exist', async () => {
    const resolver = createResolver([await start(serving([address]))]);
    expect((await resolver.resolve(name, 'TXT')).kind).toBe('nodata');
    expect((await resolver.resolve('no.acme.com', 'A')).kind).toBe('nxdomain');
  });

  it('matches names in lower case and without the trailing dot', async () => {
    const resolver = createResolver([
      await start((query) => response(query, [inCase(address, 'SHOP.Acme.com')])),
    ]);
    expect(await resolver.resolve('Shop.ACME.com.', 'A')).toMatchObject({
      kind: 'records',
      records: [{ name }],
    });
  });

  it('omits records of other names', async () => {
    const resolver = createResolver([
      await start((query) => response(query, [inCase(address, 'evil.com')], { authorities: [soa] })),
    ]);
    expect((await resolver.resolve(name, 'A')).kind).toBe('nodata');
  });

  it('reads every type that a diagnosis needs', async () => {
    const records: Answer[] = [
      { type: 'AAAA', name, data: '2001:db8::7' },
      { type: 'TXT', name, data: ['one ', 'text'] },
      { type: 'NS', name, data: 'NS1.acme.com' },
      { ...soa, name } as Answer,
    ];
    const resolver = createResolver([await start(serving(records))]);
    const read = async (type: 'AAAA' | 'TXT' | 'NS' | 'SOA') => {
      const outcome = await resolver.resolve(name, type);
      return outcome.kind === 'records' ? outcome.records[0] : outcome;
    };
    expect(await read('AAAA')).toMatchObject({ address: '2001:db8::7' });
    expect(await read('TXT')).toMatchObject({ text: 'one text' });
    expect(await read('NS')).toMatchObject({ target: 'ns1.acme.com' });
    expect(await read('SOA')).toMatchObject({ primary: 'ns1.acme.com' });
  });

  it('contains CAA records as written: mixed-case tags, an empty value, unusual flags, UTF-8', async () => {
    const records = [
      caaAnswer(name, 'IssueWild', 'pki.goog; a=b', 128),
      caaAnswer(name, 'issue', ''),
      caaAnswer(name, '__proto__', 'café', 1),
    ];
    const resolver = createResolver([await start(serving(records))]);
    expect(await resolver.resolve(name, 'CAA')).toMatchObject({
      records: [
        { caa: { flags: 128, tag: 'IssueWild', value: 'pki.goog; a=b' } },
        { caa: { flags: 0, tag: 'issue', value: '' } },
        { caa: { flags: 1, tag: '__proto__', value: 'café' } },
      ],
    });
  });
});

describe('aliases', () => {
  const records: Answer[] = [
    { type: 'CNAME', name, data: 'Customers.saas.com' },
    { type: 'CNAME', name: 'customers.saas.com', data: 'edge.saas.com' },
    { type: 'A', name: 'edge.saas.com', data: '192.0.2.1' },
  ].map((record) => ({ ...record, data: record.data.toLowerCase() }) as Answer);

  it.each(['chasing', 'bare'] as const)('aliases are followed, whether the server is %s', async (how) => {
    const server = await start(serving(records, how));
    expect(await createResolver([server]).resolve(name, 'A')).toMatchObject({
      kind: 'records',
      records: [{ name: 'edge.saas.com', address: '192.0.2.1' }],
      aliases: [
        { name, target: 'customers.saas.com' },
        { name: 'customers.saas.com', target: 'edge.saas.com' },
      ],
    });
    expect(server.asked).toHaveLength(how === 'chasing' ? 1 : 3);
  });

  it('follows only one hop for a CNAME query', async () => {
    const outcome = await createResolver([await start(serving(records))]).resolve(name, 'CNAME');
    expect(outcome).toMatchObject({
      records: [{ type: 'CNAME', target: 'customers.saas.com' }],
      aliases: [],
    });
  });

  it.each(['chasing', 'bare'] as const)(
    'returns nxdomain with the path if the target is missing (%s)',
    async (how) => {
      const outcome = await createResolver([await start(serving(records.slice(0, 2), how))]).resolve(
        name,
        'A',
      );
      expect(outcome).toMatchObject({ kind: 'nxdomain', aliases: [{}, { target: 'edge.saas.com' }] });
    },
  );

  it('returns an unknown result if the target cannot be queried', async () => {
    const behave: Behaviour = (query, over) => {
      const [question] = query.questions ?? [];
      if (question?.name === name) return serving(records, 'bare')(query, over);
      return response(query, [], { flags: rcode.servfail });
    };
    expect(await createResolver([await start(behave)]).resolve(name, 'CAA')).toMatchObject({
      kind: 'failed',
      why: 'servfail',
      aliases: [{ target: 'customers.saas.com' }],
    });
  });

  it.each([
    [[{ type: 'CNAME', name, data: name }] as Answer[]],
    [
      [
        { type: 'CNAME', name, data: 'b.acme.com' },
        { type: 'CNAME', name: 'b.acme.com', data: name },
      ] as Answer[],
    ],
  ])('reports aliases that form a loop', async (loop) => {
    for (const how of ['chasing', 'bare'] as const) {
      const outcome = await createResolver([await start(serving(loop, how))]).resolve(name, 'A');
      expect(outcome).toMatchObject({ kind: 'failed', why: 'loop' });
    }
  });

  it('abandons aliases after 16 hops', async () => {
    const endless: Behaviour = (query) => {
      const asked = query.questions?.[0]?.name ?? '';
      return response(query, [{ type: 'CNAME', name: asked, data: `a.${asked}` }]);
    };
    const outcome = await createResolver([await start(endless)]).resolve(name, 'A');
    expect(outcome).toMatchObject({ kind: 'failed', why: 'too-long' });
  });
});

describe('never treats a failure as an empty answer', () => {
  it.each([
    ['SERVFAIL', 'servfail', rcode.servfail],
    ['REFUSED', 'refused', rcode.refused],
    ['NOTIMP', 'rcode', rcode.notimp],
    ['FORMERR', 'rcode', rcode.formerr],
    ['NOTAUTH', 'rcode', rcode.notauth],
    ['RCODE 11', 'rcode', 11],
  ])('treats %s as a failure', async (text, why, code) => {
    const server = await start((query) => response(query, [], { flags: code }));
    const outcome = await createResolver([server]).resolve(name, 'CAA');
    expect(outcome).toMatchObject({ kind: 'failed', why, detail: `${text} from ${server.address}` });
  });

  it('does not treat silence as an empty answer, and sends another query in each round', async () => {
    const server = await start(() => undefined);
    const outcome = await createResolver([server], { timeout: 40, rounds: 3 }).resolve(name, 'A');
    expect(outcome).toMatchObject({ kind: 'failed', why: 'timeout' });
    expect(server.asked).toHaveLength(3);
  });

  it('treats a port without a server as a failure', async () => {
    const server = await openLoopback(() => undefined);
    await server.close();
    expect(await createResolver([server]).resolve(name, 'A')).toMatchObject({
      kind: 'failed',
      why: 'unreachable',
    });
  });

  it('treats a referral to other servers as a failure', async () => {
    const ns: Answer = { type: 'NS', name: 'com', data: 'a.gtld-servers.net' };
    const server = await start((query) => response(query, [], { authorities: [ns] }));
    expect(await createResolver([server]).resolve(name, 'CAA')).toMatchObject({
      kind: 'failed',
      why: 'referral',
    });
  });

  it('treats an answer to another query, an answer with another id, or garbage as a failure', async () => {
    const other: Answer[] = [{ type: 'A', name: 'evil.com', data: '203.0.113.1' }];
    const spoofs: Behaviour[] = [
      (query) => response({ ...query, id: ((query.id ?? 0) + 1) & 0xffff }, [address]),
      (query) => response(query, other, { questions: [{ type: 'A', name: 'evil.com' }] }),
      (query) => response(query, [address], { questions: [] }),
      (query) => ({ ...response(query, [address]), type: 'query' }) as Packet,
      () => Buffer.from('garbage'),
      (query) => encode(response(query, [address])).subarray(0, 40),
    ];
    for (const spoof of spoofs) {
      const outcome = await createResolver([await start(spoof)], { timeout: 60 }).resolve(name, 'A');
      expect(outcome).toMatchObject({ kind: 'failed', why: 'malformed' });
    }
  });

  it('treats a CAA record without a tag as a failure', async () => {
    const server = await start(serving([caaAnswer(name, '', 'x')]));
    expect(await createResolver([server]).resolve(name, 'CAA')).toMatchObject({
      kind: 'failed',
      why: 'malformed',
    });
  });

  it.each(['', 'a..b', `${'a'.repeat(64)}.com`, `${'a.'.repeat(127)}com`, 'bücher.com', 'a b.com'])(
    'treats a name that cannot be queried as a failure: %j',
    async (bad) => {
      const outcome = await createResolver([]).resolve(bad, 'A');
      expect(outcome).toMatchObject({ kind: 'failed', why: 'bad-name' });
    },
  );

  it('treats an empty list of servers as a failure', async () => {
    expect(await createResolver([]).resolve(name, 'A')).toMatchObject({ kind: 'failed', why: 'unreachable' });
  });

  it('treats an interruption as a failure, and ends the query immediately', async () => {
    const server = await start(() => undefined);
    const stop = new AbortController();
    const asked = createResolver([server], { timeout: 60_000, signal: stop.signal }).resolve(name, 'A');
    stop.abort();
    expect(await asked).toMatchObject({ kind: 'failed', why: 'interrupted' });
    const later = await createResolver([server], { signal: stop.signal }).resolve(name, 'A');
    expect(later).toMatchObject({ kind: 'failed', why: 'interrupted' });
  });
});

describe('a spoofed packet', () => {
  it('ignores a spoofed packet that arrives before the real answer', async () => {
    const behave: Behaviour = (query) => {
      const wrong = response({ ...query, id: ((query.id ?? 0) + 7) & 0xffff }, [
        { type: 'A', name, data: '203.0.113.66' },
      ]);
      return [encode(wrong), Buffer.from([1, 2, 3]), encode(response(query, [address]))];
    };
    const outcome = await createResolver([await start(behave)]).resolve(name, 'A');
    expect(outcome).toMatchObject({ kind: 'records', records: [{ address: '192.0.2.7' }] });
  });

  it('uses a random id for each query, which a spoofed packet cannot guess', async () => {
    const ids = new Set<number>();
    const server = await start((query) => {
      ids.add(query.id ?? 0);
      return response(query, [address]);
    });
    const resolver = createResolver([server]);
    for (let n = 0; n < 20; n += 1) await resolver.resolve(name, 'A');
    expect(ids.size).toBeGreaterThan(15);
  });
});

describe('a large answer', () => {
  const many = Array.from({ length: 90 }, (_, n) =>
    caaAnswer(name, 'issue', `issuer-number-${n}.example-ca.org`),
  );

  it('requests a large answer over TCP if the answer is truncated over UDP', async () => {
    const server = await start((query, over) =>
      over === 'udp' ? response(query, many.slice(0, 3), { flags: 0x200 }) : response(query, many),
    );
    const outcome = await createResolver([server]).resolve(name, 'CAA');
    expect(outcome.kind === 'records' && outcome.records.length).toBe(90);
    expect(server.asked).toEqual([`udp CAA ${name}`, `tcp CAA ${name}`]);
  });

  it('treats a large answer that ends within a record as truncated', async () => {
    const server = await start((query, over) => {
      const whole = encode(response(query, many, { flags: 0x200 }));
      return over === 'udp' ? whole.subarray(0, 500) : response(query, many);
    });
    const outcome = await createResolver([server]).resolve(name, 'CAA');
    expect(outcome.kind === 'records' && outcome.records.length).toBe(90);
  });

  it.each([
    ['is silent', () => undefined, 'timeout'],
    ['truncates it too', (query) => response(query, [], { flags: 0x200 }), 'malformed'],
    ['answers garbage', () => Buffer.from('garbage'), 'malformed'],
  ] as readonly [string, Behaviour, string][])(
    'returns an unknown result for a large answer if TCP %s',
    async (_how, overTcp, why) => {
      const server = await start((query, over) =>
        over === 'udp' ? response(query, many.slice(0, 1), { flags: 0x200 }) : overTcp(query, over),
      );
      expect(await createResolver([server]).resolve(name, 'CAA')).toMatchObject({ kind: 'failed', why });
    },
  );
});

describe('several servers', () => {
  it('queries the servers in turn until a server answers', async () => {
    const broken = await start((query) => response(query, [], { flags: rcode.servfail }));
    const silent = await start(() => undefined);
    const good = await start(serving([address]));
    const outcome = await createResolver([broken, silent, good]).resolve(name, 'A');
    expect(outcome.kind).toBe('records');
    expect(good.asked).toHaveLength(1);
  });

  it('names all servers if all fail, with the most informative failure first', async () => {
    const silent = await start(() => undefined);
    const broken = await start((query) => response(query, [], { flags: rcode.refused }));
    const outcome = await createResolver([silent, broken]).resolve(name, 'A');
    expect(outcome).toMatchObject({ kind: 'failed', why: 'refused' });
    expect(outcome.kind === 'failed' && outcome.detail).toContain(`no response from ${silent.address}`);
    expect(outcome.kind === 'failed' && outcome.detail).toContain(`REFUSED from ${broken.address}`);
  });
});

describe('EDNS', () => {
  it('reports the reason for a failure from the EDNS answer', async () => {
    const reason = Buffer.concat([Buffer.from([0, 6]), Buffer.from('no valid signature')]);
    const option = { code: 15, data: reason } as never;
    const server = await start((query) =>
      response(query, [], {
        flags: rcode.servfail,
        additionals: [
          {
            type: 'OPT',
            name: '.',
            udpPayloadSize: 1232,
            extendedRcode: 0,
            ednsVersion: 0,
            flags: 0,
            flag_do: false,
            options: [option],
          },
        ],
      }),
    );
    expect(await createResolver([server]).resolve(name, 'A')).toMatchObject({
      detail: `SERVFAIL from ${server.address} (DNSSEC bogus: no valid signature)`,
    });
  });

  it('omits EDNS for a server that does not support EDNS', async () => {
    const server = await start((query) =>
      (query.additionals ?? []).length > 0
        ? response(query, [], { flags: rcode.formerr })
        : response(query, [address]),
    );
    expect((await createResolver([server]).resolve(name, 'A')).kind).toBe('records');
  });
});

it('sends equal concurrent queries once, and with a cache all equal queries once', async () => {
  const server = await start(serving([address]));
  const resolver = createResolver([server]);
  await Promise.all(Array.from({ length: 5 }, () => resolver.resolve(name, 'A')));
  expect(server.asked).toHaveLength(1);
  await resolver.resolve(name, 'A');
  expect(server.asked).toHaveLength(2);
  const memory = cachingResolver(resolver);
  for (const spelling of [name, 'SHOP.acme.com.', name]) await memory.resolve(spelling, 'A');
  expect(server.asked).toHaveLength(3);
});

it('answers a thousand concurrent queries through few sockets', async () => {
  const server = await start((query) => {
    const asked = query.questions?.[0]?.name ?? '';
    return response(query, [{ type: 'A', name: asked, data: '192.0.2.7' }]);
  });
  const resolver = createResolver([server], { concurrency: 32, timeout: 2000, rounds: 3 });
  const names = Array.from({ length: 1000 }, (_, n) => `h${n}.acme.com`);
  const outcomes = await Promise.all(names.map((one) => resolver.resolve(one, 'A')));
  expect(outcomes.every((outcome) => outcome.kind === 'records')).toBe(true);
});

it('refuses an invalid server address', () => {
  const random = randomBytes;
  for (const servers of [['dns.acme.com'], ['1.2.3.4:0'], ['1.2.3.4:99999'], ['[1.2.3.4]:53'], ['::1:53x']]) {
    expect(() => openResolver({ servers, random })).toThrow('is not the address of a DNS server');
  }
  expect(() =>
    openResolver({ servers: ['192.0.2.1', '[::1]:5353', '::1', '10.0.0.1:53'], random }),
  ).not.toThrow();
});
