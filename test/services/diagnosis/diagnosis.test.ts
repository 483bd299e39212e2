import { describe, expect, test } from 'vitest';
import type { DnsOutcome, RecordType, Resolver } from '../../../src/model/dns/dns.ts';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { openDiagnoser } from '../../../src/services/diagnosis/diagnosis.ts';
import { diagnoseMany } from '../../../src/services/diagnosis/many.ts';
import type { PlatformInfo } from '../../../src/services/session/platform-info.ts';
import { inSoak } from '../../support/in-part.ts';
import { type Reply, refusal, result, stubPlatform } from '../hostnames/platform.ts';

const zone = { id: 'z', name: 'saas.com', status: 'active' };
const record: CustomHostname = {
  id: 'one',
  hostname: 'shop.acme.com',
  status: 'pending',
  created_at: '2026-11-21T10:00:00Z',
  ownership_verification: { type: 'txt', name: '_cf-custom-hostname.shop.acme.com', value: 'token' },
  ssl: {
    status: 'pending_validation',
    method: 'txt',
    type: 'dv',
    validation_records: [{ txt_value: 'dcv' }],
  },
};

const answers: Readonly<Record<string, Reply>> = {
  '/zones/z': result(zone),
  '/zones/z/custom_hostnames': result([record]),
  '/zones/z/custom_hostnames/fallback_origin': result({ origin: 'origin.saas.com', status: 'active' }),
  '/zones/z/custom_hostnames/quota': result({ allocated: 100, used: 1 }),
  '/zones/z/dcv_delegation/uuid': result({ uuid: 'abc' }),
  '/zones/z/dns_records': result([{ id: 'r', type: 'A', name: 'origin.saas.com', content: '192.0.2.1' }], {
    total_pages: 1,
  }),
  '/ips': result({ ipv4_cidrs: ['203.0.113.0/24'], ipv6_cidrs: [] }),
};

function platform(changed: Readonly<Record<string, Reply>> = {}) {
  const all = { ...answers, ...changed };
  return stubPlatform(({ path }) => all[path]);
}

/** Returns a resolver that answers every question with the same outcome. */
function dns(outcome: DnsOutcome, asked: string[] = []): Resolver {
  return {
    resolve: async (name: string, type: RecordType) => {
      asked.push(`${type} ${name}`);
      return outcome;
    },
  };
}

const nothing: DnsOutcome = { kind: 'nxdomain', aliases: [] };
const broken: DnsOutcome = {
  kind: 'failed',
  why: 'servfail',
  detail: 'SERVFAIL from 192.0.2.53:53',
  aliases: [],
};

function diagnoser(
  from = platform(),
  resolver: Resolver = dns(nothing),
  info: { readonly sandbox: boolean; readonly now?: number } = { sandbox: false },
) {
  return openDiagnoser(from.session, 'z', { resolver, info, probe: false });
}

test('marks every fact as unknown, with the reason, if DNS fails; no finding reports "no record"', async () => {
  const { facts, diagnosis } = await (await diagnoser(platform(), dns(broken))).diagnose('shop.acme.com');
  const { addresses, targetAddresses, ownershipTxt, challengeTxt, challengeAlias, delegatedTxt, zones } =
    facts.dns;
  for (const fact of [
    addresses.v4,
    addresses.v6,
    targetAddresses.v4,
    ownershipTxt,
    challengeTxt,
    challengeAlias,
    delegatedTxt,
    zones,
  ]) {
    expect(fact).toEqual({ unknown: 'SERVFAIL from 192.0.2.53:53' });
  }
  expect(facts.dns.chain).toMatchObject({ end: 'unknown', hops: [] });
  expect(facts.dns.caa.asked).toEqual([
    { owner: 'shop.acme.com', outcome: 'failed', detail: 'SERVFAIL from 192.0.2.53:53' },
  ]);
  const ids = diagnosis.findings.map(({ id }) => id);
  for (const id of ['C1', 'C2', 'D5', 'E1', 'F10']) expect(ids).not.toContain(id);
});

describe('facts from a part of the API that cannot be read', () => {
  const denied = refusal(403, 9109, 'Unauthorized to access requested resource');
  test.each([
    ['zone', '/zones/z'],
    ['fallback', '/zones/z/custom_hostnames/fallback_origin'],
    ['quota', '/zones/z/custom_hostnames/quota'],
    ['delegation', '/zones/z/dcv_delegation/uuid'],
    ['originRecord', '/zones/z/dns_records'],
    ['edgeRanges', '/ips'],
    ['record', '/zones/z/custom_hostnames'],
  ] as const)('are unknown without %s, with the reason', async (fact, path) => {
    const { facts } = await (await diagnoser(platform({ [path]: denied }))).diagnose('shop.acme.com');
    expect(facts[fact]).toEqual({ unknown: 'Unauthorized to access requested resource' });
  });
});

test('reaches no verdict without the record of the hostname, and shows this in the exit code', async () => {
  const from = platform({ '/zones/z/custom_hostnames': refusal(500, 1500, 'internal') });
  const resolver = dns({
    kind: 'records',
    records: [{ type: 'A', name: 'shop.acme.com', ttl: 1, address: '192.0.2.1' }],
    aliases: [],
  });
  const { diagnosis } = await (await diagnoser(from, resolver)).diagnose('shop.acme.com');
  expect(diagnosis.missing.map(({ fact }) => fact)).toContain('custom hostname');
});

test('marks a diagnosis as temporary if the edge or DNS did not answer', async () => {
  const closed = { sandbox: true, edgeUrl: 'http://127.0.0.1:1', edgeTlsUrl: 'https://127.0.0.1:1' };
  const silent = dns({ kind: 'failed', why: 'timeout', detail: 'no answer', aliases: [] });
  const isPassing = async (info: PlatformInfo, probe: boolean, resolver = dns(nothing)) => {
    const one = await openDiagnoser(platform().session, 'z', { resolver, info, probe });
    return (await one.diagnose('shop.acme.com')).isPassing;
  };
  expect(await isPassing(closed, true)).toBe(true);
  expect(await isPassing(closed, false)).toBe(false);
  // Without a known target, no DNS query was sent.
  expect(await isPassing({ sandbox: true }, true)).toBe(false);
  expect(await isPassing(closed, false, silent)).toBe(true);
  expect(await isPassing(closed, false, dns(broken))).toBe(false);
});

test('reports facts that are known to be missing as null, not as unknown', async () => {
  const from = platform({
    '/zones/z/custom_hostnames/fallback_origin': refusal(404, 1436, 'none'),
    '/zones/z/custom_hostnames': result([]),
  });
  const { facts, diagnosis } = await (await diagnoser(from)).diagnose('shop.acme.com');
  expect(facts).toMatchObject({
    record: { known: null },
    wildcardRecord: { known: null },
    fallback: { known: null },
  });
  expect(diagnosis.findings.map(({ id }) => id)).toEqual(expect.arrayContaining(['A0', 'B1', 'C1']));
});

test('does not report an origin in another zone as missing', async () => {
  const elsewhere = { ...record, custom_origin_server: 'origin.other.com' };
  const { facts } = await (await diagnoser()).diagnose('shop.acme.com', elsewhere);
  expect(facts.originRecord).toEqual({ unknown: 'origin.other.com is not in the zone saas.com' });
});

test('ends the run when the platform refuses the credentials, and does not mark all facts as unknown', async () => {
  const from = stubPlatform(() => refusal(401, 1000, 'Invalid API Token'));
  await expect(diagnoser(from)).rejects.toMatchObject({ code: 'not-signed-in' });
});

inSoak(() => {
  test('reads the zone once for a thousand hostnames, and reads each record once', async () => {
    const from = platform();
    const opened = await diagnoser(from);
    const hostnames = Array.from({ length: 1000 }, (_, at) => {
      const hostname = `shop${at}.acme.com`;
      return { hostname, record: { ...record, id: `${at}`, hostname } };
    });
    const found: string[] = [];
    const reporter = { progress: () => undefined, warn: () => undefined };
    for await (const { facts } of diagnoseMany(opened, hostnames, reporter)) found.push(facts.hostname);
    expect(found).toEqual(hostnames.map(({ hostname }) => hostname));
    expect(from.calls).toHaveLength(8);
  });
});

test('ends the run with the reason if one diagnosis fails', async () => {
  const from = platform({ '/zones/z/custom_hostnames': refusal(401, 1000, 'expired meanwhile') });
  const opened = await diagnoser(from);
  const reporter = { progress: () => undefined, warn: () => undefined };
  const hostnames = Array.from({ length: 100 }, (_, at) => ({ hostname: `shop${at}.acme.com` }));
  const run = async () => {
    for await (const _ of diagnoseMany(opened, hostnames, reporter)) void _;
  };
  await expect(run()).rejects.toMatchObject({ code: 'not-signed-in' });
});

test("saves the time when it first saw a hostname in Moved, across runs and by the platform's clock", async () => {
  const from = platform();
  const moved = { ...record, status: 'moved' };
  const first = await diagnoser(from, dns(nothing), { sandbox: false, now: Date.UTC(2026, 10, 21) });
  await first.diagnose('shop.acme.com', moved);
  await first.close();
  const later = await diagnoser(from, dns(nothing), { sandbox: false, now: Date.UTC(2026, 10, 24) });
  const { diagnosis } = await later.diagnose('shop.acme.com', moved);
  expect(diagnosis.headline?.evidence[0]).toBe(
    'deleted in at most 4 days; first seen in Moved on 2026-11-21',
  );
  await later.diagnose('shop.acme.com', { ...record, status: 'active' });
  await later.close();
  const after = await diagnoser(from, dns(nothing), { sandbox: false, now: Date.UTC(2026, 10, 25) });
  expect((await after.diagnose('shop.acme.com', moved)).facts.history.movedSeenAt).toBeGreaterThan(
    Date.UTC(2026, 10, 24, 23),
  );
});
