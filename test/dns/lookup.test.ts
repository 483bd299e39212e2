import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { climbCaa, followAliases, gatherDns } from '../../src/dns/gather.ts';
import { lookUpAddresses, lookUpAlias, lookUpTexts, lookUpZones } from '../../src/dns/lookup.ts';
import { type CaaIssuer, decideCaa } from '../../src/model/diagnosis/caa.ts';
import type { CaaRecord, DnsRecord } from '../../src/model/dns/dns.ts';
import { mayIssue, type Node, relevantSet } from '../model/diagnosis/caa-second-reading.ts';
import { type MadeUpName, madeUp } from './made-up.ts';

const name = 'shop.acme.com';
const world = (entries: Readonly<Record<string, MadeUpName>>) => madeUp(new Map(Object.entries(entries)));
const caa = (owner: string, value: string): DnsRecord => ({
  type: 'CAA',
  name: owner,
  ttl: 60,
  caa: { flags: 0, tag: 'issue', value },
});
const text = (owner: string, content: string): DnsRecord => ({
  type: 'TXT',
  name: owner,
  ttl: 60,
  text: content,
});

describe('the lookup of a CNAME chain', () => {
  it('returns every hop and how the chain ends', async () => {
    const dns = world({
      [name]: { alias: 'customers.saas.com' },
      'customers.saas.com': { alias: 'edge.saas.com' },
      'edge.saas.com': {},
      'gone.acme.com': { alias: 'nothing.saas.com' },
      'half.acme.com': { alias: 'broken.saas.com' },
      'broken.saas.com': { broken: ['CNAME'] },
    });
    expect(await followAliases(dns, 'Shop.acme.com.')).toEqual({
      hops: [
        { name, target: 'customers.saas.com' },
        { name: 'customers.saas.com', target: 'edge.saas.com' },
      ],
      last: 'edge.saas.com',
      end: 'name',
    });
    expect(await followAliases(dns, 'edge.saas.com')).toEqual({
      hops: [],
      last: 'edge.saas.com',
      end: 'name',
    });
    expect(await followAliases(dns, 'gone.acme.com')).toMatchObject({
      last: 'nothing.saas.com',
      end: 'nothing',
    });
    expect(await followAliases(dns, 'half.acme.com')).toMatchObject({
      hops: [{ target: 'broken.saas.com' }],
      end: 'unknown',
      why: 'servfail',
    });
  });

  it('follows up to 16 hops, and reports loops', async () => {
    const labels = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f').map((label) => `${label}.acme.com`);
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(labels, labels), { maxLength: 8 }),
        labels,
        async (aliases, first) => {
          const table = new Map(aliases.map(([from, to]) => [from, { alias: to }] as const));
          const { hops, last, end } = await followAliases(madeUp(table), first);
          expect(hops.length).toBeLessThanOrEqual(16);
          expect(hops.every((hop, n) => hop.name === (n === 0 ? first : hops[n - 1]?.target))).toBe(true);
          expect(last).toBe(hops.at(-1)?.target ?? first);
          if (end === 'loop')
            expect([first, ...hops.map((hop) => hop.target)].filter((one) => one === last)).toHaveLength(2);
          else expect(table.has(last)).toBe(false);
        },
      ),
    );
  });

  it('follows a chain of 16 hops to its end, and reports a chain of 17 hops as too long', async () => {
    const line = (length: number) =>
      madeUp(
        new Map(
          Array.from({ length }, (_, n) => [`n${n}.acme.com`, { alias: `n${n + 1}.acme.com` }] as const),
        ),
      );
    expect(await followAliases(line(16), 'n0.acme.com')).toMatchObject({ end: 'nothing' });
    expect(await followAliases(line(17), 'n0.acme.com')).toMatchObject({ end: 'too-long' });
  });
});

describe('the search for CAA records', () => {
  it('stops at the first name with records, and never queries the root', async () => {
    const dns = world({ 'acme.com': { records: [caa('acme.com', 'pki.goog')] } });
    expect(await climbCaa(dns, `*.${name}`)).toEqual({
      name,
      asked: [
        { owner: name, outcome: 'none' },
        { owner: 'acme.com', outcome: 'records', records: [{ flags: 0, tag: 'issue', value: 'pki.goog' }] },
      ],
    });
    expect(dns.asked).toEqual([`CAA ${name}`, 'CAA acme.com']);
    const free = world({});
    await climbCaa(free, name);
    expect(free.asked).toEqual([`CAA ${name}`, 'CAA acme.com', 'CAA com']);
  });

  it('finds the records of an alias target before those of the parent, and does not continue above the target', async () => {
    const dns = world({
      [name]: { alias: 'customers.saas.com' },
      'customers.saas.com': { records: [caa('customers.saas.com', 'letsencrypt.org')] },
      'acme.com': { records: [caa('acme.com', 'pki.goog')] },
    });
    const found = await climbCaa(dns, name);
    expect(found.asked).toMatchObject([{ owner: name, outcome: 'records', alias: 'customers.saas.com' }]);
    const bare = world({
      [name]: { alias: 'customers.saas.com' },
      'saas.com': { records: [caa('saas.com', 'letsencrypt.org')] },
      'acme.com': { records: [caa('acme.com', 'pki.goog')] },
    });
    expect((await climbCaa(bare, name)).asked.at(-1)).toMatchObject({ owner: 'acme.com' });
  });

  it('ends at a failed query, because the records of parent names then prove nothing', async () => {
    const dns = world({
      [name]: { broken: ['CAA'] },
      'acme.com': { records: [caa('acme.com', 'pki.goog')] },
    });
    const facts = await climbCaa(dns, name);
    expect(facts.asked).toEqual([{ owner: name, outcome: 'failed', detail: `SERVFAIL at ${name}` }]);
    expect(decideCaa(facts, { authority: 'google' }).base.outcome).toBe('unknown');
  });
});

describe('the CAA search and decision, compared with a second implementation of RFC 8659', () => {
  const owners = fc.constantFrom(
    'com',
    'acme.com',
    name,
    'a.shop.acme.com',
    'net',
    'saas.net',
    'edge.saas.net',
  );
  const value = fc.constantFrom('pki.goog', ' PKI.goog;', 'letsencrypt.org', ';', '', 'pki.goog; x', 'x y');
  const record: fc.Arbitrary<CaaRecord> = fc.record({
    flags: fc.constantFrom(0, 0, 128, 1),
    tag: fc.constantFrom('issue', 'Issue', 'issuewild', 'iodef', 'tbs'),
    value,
  });
  const node: fc.Arbitrary<Node> = fc.oneof(
    fc.record({ caa: fc.array(record, { maxLength: 3 }) }),
    fc.record({ alias: owners }),
  );
  const issuers: readonly (readonly [CaaIssuer['authority'], string])[] = [
    ['google', 'pki.goog'],
    ['lets_encrypt', 'letsencrypt.org'],
  ];

  it('returns the same CAA records for every generated DNS, including aliases and loops', async () => {
    const dns = fc.array(fc.tuple(owners, node), { maxLength: 7 });
    await fc.assert(
      fc.asyncProperty(dns, owners, async (entries, asked) => {
        const table = new Map(entries);
        const facts = await climbCaa(madeUp(asMadeUp(table)), asked);
        const records = relevantSet(table, asked);
        for (const [authority, domain] of issuers) {
          const decision = decideCaa(facts, { authority });
          for (const wildcard of [false, true]) {
            const outcome = (wildcard ? decision.wildcard : decision.base).outcome;
            if (records === undefined) expect(outcome).toBe('unknown');
            else
              expect(outcome === 'allowed').toBe(mayIssue(records, domain, wildcard, ['http-01', 'dns-01']));
          }
        }
      }),
      { numRuns: 3000 },
    );
  });

  function asMadeUp(table: ReadonlyMap<string, Node>): Map<string, MadeUpName> {
    return new Map(
      [...table].map(([owner, { alias, caa: set = [] }]) => [
        owner,
        alias === undefined
          ? { records: set.map((one) => ({ type: 'CAA' as const, name: owner, ttl: 1, caa: one })) }
          : { alias },
      ]),
    );
  }
});

describe('a lookup', () => {
  const dns = world({
    [name]: {
      records: [{ type: 'A', name, ttl: 1, address: '192.0.2.7' }, text(name, 'hello')],
      broken: ['AAAA'],
    },
    'alias.acme.com': { alias: name },
    'acme.com': {
      records: [
        { type: 'SOA', name: 'acme.com', ttl: 1, primary: 'ns1.acme.com' },
        { type: 'NS', name: 'acme.com', ttl: 1, target: 'ns1.acme.com' },
      ],
    },
    'bad.com': { broken: ['SOA'] },
  });

  it('keeps the address families separate', async () => {
    expect(await lookUpAddresses(dns, name)).toEqual({
      v4: { known: ['192.0.2.7'] },
      v6: { unknown: `SERVFAIL at ${name}` },
    });
    expect(await lookUpAddresses(dns, 'no.acme.com')).toEqual({ v4: { known: [] }, v6: { known: [] } });
  });

  it('distinguishes missing TXT records and aliases from unknown records and aliases', async () => {
    expect(await lookUpTexts(dns, name)).toEqual({ known: ['hello'] });
    expect(await lookUpTexts(dns, 'acme.com')).toEqual({ known: [] });
    expect(await lookUpAlias(dns, 'alias.acme.com')).toEqual({ known: name });
    expect(await lookUpAlias(dns, name)).toEqual({ known: null });
  });

  it('returns the zones with an SOA, or reports that a zone could not be queried', async () => {
    expect(await lookUpZones(dns, 'a.shop.acme.com')).toEqual({
      known: [{ name: 'acme.com', nameServers: ['ns1.acme.com'] }],
    });
    expect(await lookUpZones(dns, 'x.bad.com')).toEqual({ unknown: 'SERVFAIL at bad.com' });
  });
});

it('reports a failed query for one fact about a hostname without losing the other facts', async () => {
  const challenge = `_acme-challenge.${name}`;
  const target = `${name}.uuid.dcv.platform.net`;
  const doubled = `_cf-custom-hostname.${name}.acme.com`;
  const dns = world({
    [name]: { alias: 'customers.saas.com' },
    'customers.saas.com': {
      records: [{ type: 'A', name: 'customers.saas.com', ttl: 1, address: '192.0.2.1' }],
    },
    [`_cf-custom-hostname.${name}`]: { broken: ['TXT'] },
    [challenge]: { alias: target },
    [target]: { records: [text(target, 'token')] },
    [doubled]: { records: [text(doubled, 'uuid')] },
    'acme.com': { records: [{ type: 'SOA', name: 'acme.com', ttl: 1, primary: 'ns1.acme.com' }] },
  });
  const facts = await gatherDns(dns, {
    hostname: name,
    target: 'customers.saas.com',
    delegation: 'uuid.dcv.platform.net',
  });
  expect(facts).toMatchObject({
    chain: { hops: [{ target: 'customers.saas.com' }], end: 'name' },
    addresses: { v4: { known: ['192.0.2.1'] } },
    targetAddresses: { v4: { known: ['192.0.2.1'] } },
    ownershipTxt: { unknown: `SERVFAIL at _cf-custom-hostname.${name}` },
    misplacedOwnership: [{ name: doubled, texts: ['uuid'] }],
    challengeTxt: { known: ['token'] },
    challengeAlias: { known: target },
    delegatedTxt: { known: ['token'] },
    zones: { known: [{ name: 'acme.com', nameServers: [] }] },
  });
  const least = await gatherDns(dns, { hostname: name });
  expect(least.targetAddresses.v4).toHaveProperty('unknown');
  expect(least.delegatedTxt).toHaveProperty('unknown');
});
