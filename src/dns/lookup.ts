import { type AddressFacts, type Fact, known, unknown, type ZoneApex } from '../model/diagnosis/facts.ts';
import {
  type DnsOutcome,
  type DnsRecord,
  nameAndParents,
  plainName,
  type Resolver,
} from '../model/dns/dns.ts';

/** Looks up a name's addresses, following CNAMEs. An address family without records is an empty list. */
export async function lookUpAddresses(resolver: Resolver, name: string): Promise<AddressFacts> {
  const [v4, v6] = await Promise.all([resolver.resolve(name, 'A'), resolver.resolve(name, 'AAAA')]);
  return { v4: toValues(v4, readAddress), v6: toValues(v6, readAddress) };
}

/** Looks up a name's TXT records, following CNAMEs. The strings of each record are joined. */
export async function lookUpTexts(resolver: Resolver, name: string): Promise<Fact<readonly string[]>> {
  return toValues(await resolver.resolve(name, 'TXT'), (record) =>
    record.type === 'TXT' ? record.text : undefined,
  );
}

/** Looks up a name's CNAME target, without following it; null if the name is not a CNAME. */
export async function lookUpAlias(resolver: Resolver, name: string): Promise<Fact<string | null>> {
  const targets = toValues(await resolver.resolve(name, 'CNAME'), aliasTarget);
  return 'known' in targets ? known(targets.known[0] ?? null) : targets;
}

/** Looks up the zones that contain a name, nearest first, with their name servers. Top-level domains are omitted. */
export async function lookUpZones(resolver: Resolver, name: string): Promise<Fact<readonly ZoneApex[]>> {
  const names = nameAndParents(plainName(name)).slice(0, -1);
  const found = await Promise.all(names.map((candidate) => zoneAt(resolver, candidate)));
  const failure = found.find((fact) => 'unknown' in fact);
  if (failure !== undefined && 'unknown' in failure) return failure;
  return known(found.flatMap((fact) => ('known' in fact && fact.known !== null ? [fact.known] : [])));
}

async function zoneAt(resolver: Resolver, name: string): Promise<Fact<ZoneApex | null>> {
  const outcome = await resolver.resolve(name, 'SOA');
  if (outcome.kind === 'failed') return unknown(outcome.detail);
  if (outcome.kind !== 'records' || outcome.aliases.length > 0) return known(null);
  const servers = toValues(await resolver.resolve(name, 'NS'), aliasTarget);
  return 'known' in servers ? known({ name, nameServers: servers.known }) : servers;
}

function readAddress(record: DnsRecord): string | undefined {
  return record.type === 'A' || record.type === 'AAAA' ? record.address : undefined;
}

function aliasTarget(record: DnsRecord): string | undefined {
  return record.type === 'CNAME' || record.type === 'NS' ? record.target : undefined;
}

function toValues<T>(outcome: DnsOutcome, pick: (record: DnsRecord) => T | undefined): Fact<readonly T[]> {
  if (outcome.kind === 'failed') return unknown(outcome.detail);
  if (outcome.kind !== 'records') return known([]);
  return known(outcome.records.map(pick).filter((value) => value !== undefined));
}
