import {
  type AddressFacts,
  type DnsFacts,
  type Facts,
  known,
  type ProbeAnswer,
  unknown,
} from '../../../src/model/diagnosis/facts.ts';
import type { CaaRecord } from '../../../src/model/dns/dns.ts';
import type { CustomHostname, HostnameCertificate } from '../../../src/model/hostnames/hostname.ts';

export const hostname = 'shop.acme.com';
export const target = 'customers.saas.com';
export const now = Date.UTC(2026, 5, 1);
export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/** Formats a time before `now` as in the platform's answers. */
export function ago(milliseconds: number): string {
  return new Date(now - milliseconds).toISOString();
}

export function addresses(v4: readonly string[] = [], v6: readonly string[] = []): AddressFacts {
  return { v4: known(v4), v6: known(v6) };
}

const certificate: HostnameCertificate = {
  id: 'c',
  status: 'active',
  type: 'dv',
  method: 'http',
  certificate_authority: 'google',
  wildcard: false,
  issuer: 'Google Trust Services',
  expires_on: ago(-80 * day),
};

export const record: CustomHostname = {
  id: 'r',
  hostname,
  status: 'active',
  verification_errors: [],
  ownership_verification: { type: 'txt', name: `_cf-custom-hostname.${hostname}`, value: 'token' },
  created_at: ago(10 * day),
  ssl: certificate,
};

const dns: DnsFacts = {
  chain: { hops: [{ name: hostname, target }], last: target, end: 'name' },
  addresses: addresses(['192.0.2.1']),
  targetAddresses: addresses(['192.0.2.1']),
  ownershipTxt: known([]),
  misplacedOwnership: [],
  misplacedChallenge: [],
  doubledAlias: known(null),
  challengeTxt: known([]),
  challengeAlias: known(null),
  delegatedTxt: known([]),
  caa: {
    name: hostname,
    asked: [hostname, 'acme.com', 'com'].map((owner) => ({ owner, outcome: 'none' as const })),
  },
  zones: known([{ name: 'acme.com', nameServers: ['ns1.acme.com'] }]),
};

/** Returns the facts of a healthy hostname, with changes. */
export function facts(change: Partial<Facts> = {}): Facts {
  return {
    hostname,
    now,
    zone: known({ id: 'z', name: 'saas.com', status: 'active' }),
    plan: known('enterprise'),
    record: known(record),
    wildcardRecord: known(null),
    fallback: known({ origin: 'origin.saas.com', status: 'active', errors: [] }),
    originRecord: known({
      id: 'o',
      type: 'A',
      name: 'origin.saas.com',
      content: '198.51.100.1',
      proxied: true,
    }),
    workerRoutes: known([]),
    quota: known({ allocated: 100, used: 3, hard_cap: 200 }),
    issuance: known({ blockedSeconds: 0 }),
    hold: unknown('the zone is in another account'),
    delegation: known('uuid.dcv.platform.net'),
    edgeRanges: known(['192.0.2.0/24', '2001:db8::/32']),
    apexRanges: known([]),
    standaloneZone: known(null),
    target: known(target),
    dns,
    http: unknown('not probed'),
    https: unknown('not probed'),
    token: unknown('not probed'),
    tokenV6: unknown('not probed'),
    trail: unknown('not probed'),
    history: {},
    ...change,
  };
}

/** Returns the same facts with changed fields in the record and in its certificate. */
export function withRecord(
  change: Partial<CustomHostname>,
  ssl: Partial<HostnameCertificate> = {},
  more: Partial<Facts> = {},
): Facts {
  return facts({ record: known({ ...record, ssl: { ...certificate, ...ssl }, ...change }), ...more });
}

/** Returns a certificate that was never issued: no expiry and no issuer. */
export function pendingCertificate(ssl: Partial<HostnameCertificate> = {}): HostnameCertificate {
  const { expires_on: _end, issuer: _issuer, ...rest } = certificate;
  return { ...rest, status: 'pending_validation', ...ssl };
}

/** Returns the same facts with changed DNS facts. */
export function inDns(base: Facts, change: Partial<DnsFacts>): Facts {
  return { ...base, dns: { ...base.dns, ...change } };
}

/** The DNS facts of a customer without any record that points here. */
export const noName: Partial<DnsFacts> = {
  chain: { hops: [], last: hostname, end: 'nothing' },
  addresses: addresses(),
};

/** Returns DNS facts with a CNAME to these names. */
export function alias(...targets: readonly string[]): Partial<DnsFacts> {
  const names = [hostname, ...targets];
  const hops = targets.map((one, n) => ({ name: names[n] ?? '', target: one }));
  return { chain: { hops, last: names.at(-1) ?? '', end: 'name' } };
}

/** Returns DNS facts with addresses and without a CNAME. */
export function direct(v4: readonly string[], v6: readonly string[] = []): Partial<DnsFacts> {
  return { chain: { hops: [], last: hostname, end: 'name' }, addresses: addresses(v4, v6) };
}

/** Returns CAA records that all have the same owner name. */
export function caa(
  records: readonly (readonly [tag: string, value: string, flags?: number])[],
  where: { readonly owner?: string; readonly alias?: string } = {},
): Partial<DnsFacts> {
  const set: readonly CaaRecord[] = records.map(([tag, value, flags = 0]) => ({ tag, value, flags }));
  const owner = where.owner ?? 'acme.com';
  const found = {
    owner,
    outcome: 'records' as const,
    records: set,
    ...(where.alias && { alias: where.alias }),
  };
  return { caa: { name: hostname, asked: [found] } };
}

export function page(change: Partial<ProbeAnswer>): { readonly known: ProbeAnswer } {
  return {
    known: { url: `http://${hostname}/`, address: '192.0.2.1', status: 530, milliseconds: 3, ...change },
  };
}
