import type { CaaAnswer, CaaFacts } from '../../model/diagnosis/facts.ts';
import {
  type Alias,
  type DnsFailure,
  type DnsOutcome,
  type DnsRecord,
  isWithin,
  maxAliasChain,
  nameAndParents,
  plainName,
  type RecordType,
} from '../../model/dns/dns.ts';
import {
  collectDnsNames,
  type DnsFault,
  type DnsNames,
  type DnsSources,
  findDnsNode,
  type OtherRecord,
} from './names.ts';

/** Returns the TXT values of a name without records: the tokens at a delegation target. Returns undefined if the name does not exist. */
export type TextLookup = (name: string) => readonly string[] | undefined;

/** The complete DNS of a sandbox, answered from memory. */
export interface DnsZones {
  /** Answers like a public resolver, following CNAMEs. */
  answer(name: string, type: RecordType): DnsOutcome;
  /** Returns the records of another type at a name, or at the wildcard that covers the name. */
  others(name: string, type: string): readonly OtherRecord[];
  /** Returns the delegation at or above a name; undefined if the sandbox answers for the name. */
  delegation(name: string): Delegation | undefined;
  /** Follows CNAMEs as the platform does: through proxied records too, until a CNAME points to a name in the zone. */
  follow(name: string, zone: string): FollowedAliases;
  /** Returns the CAA records that apply to a name (RFC 8659, 3). */
  caa(name: string): CaaFacts;
}

/** A delegated name. `glue` contains the addresses of those name servers that the sandbox knows. */
export interface Delegation {
  readonly name: string;
  readonly servers: readonly string[];
  readonly glue: readonly DnsRecord[];
}

export interface FollowedAliases {
  readonly last: string;
  readonly hops: number;
  /** `failed`: the result is unknown. `circle`: the aliases form a loop. */
  readonly end: 'name' | 'nothing' | 'circle' | 'failed';
}

/** Opens the DNS of a sandbox. Reads the sources once, so the DNS must be opened again after the sources change. */
export function openDnsZones(sources: DnsSources, lookUpTexts: TextLookup): DnsZones {
  const outside = collectDnsNames(sources, false);
  const inside = collectDnsNames(sources, true);
  const answer = (name: string, type: RecordType) => answerFrom(outside, plainName(name), type, lookUpTexts);
  return {
    answer,
    others: (name, type) => {
      const found = findDnsNode(outside, plainName(name))?.others ?? [];
      return found.filter((record) => record.type === type);
    },
    delegation: (name) => findDelegation(outside, plainName(name)),
    follow: (name, zone) => followAliases(inside, plainName(name), zone),
    caa: (name) => lookUpCaa(answer, name),
  };
}

function answerFrom(names: DnsNames, asked: string, type: RecordType, madeTexts: TextLookup): DnsOutcome {
  const aliases: Alias[] = [];
  for (let name = asked; ; ) {
    const fault = findFault(names, name, type);
    if (fault !== undefined) return toFailure(fault, name, aliases);
    const records = findRecords(names, name, type, madeTexts);
    if (records.length > 0) return { kind: 'records', records, aliases };
    const target = type === 'CNAME' ? undefined : findAlias(names, name);
    if (target === undefined) {
      const exists = findDnsNode(names, name) !== undefined || names.existing.has(name);
      return { kind: exists || madeTexts(name) !== undefined ? 'nodata' : 'nxdomain', aliases };
    }
    aliases.push({ name, target });
    name = target;
    if (aliases.length > maxAliasChain || aliases.some((alias) => alias.name === name)) {
      const why = aliases.length > maxAliasChain ? 'too-long' : 'loop';
      return {
        kind: 'failed',
        why,
        detail: `the CNAME chain of ${asked} is too long, or forms a loop`,
        aliases,
      };
    }
  }
}

function findDelegation(names: DnsNames, asked: string): Delegation | undefined {
  const name = nameAndParents(asked).find((above) => (names.nodes.get(above)?.delegatedTo.length ?? 0) > 0);
  if (name === undefined) return undefined;
  const servers = names.nodes.get(name)?.delegatedTo ?? [];
  const glue = servers.flatMap((server) =>
    (names.nodes.get(server)?.records ?? []).filter(({ type }) => type === 'A' || type === 'AAAA'),
  );
  return { name, servers, glue };
}

function findRecords(
  names: DnsNames,
  name: string,
  type: RecordType,
  madeTexts: TextLookup,
): readonly DnsRecord[] {
  const found = (findDnsNode(names, name)?.records ?? []).filter((record) => record.type === type);
  if (found.length > 0 || type !== 'TXT') return found.map((record) => ({ ...record, name }));
  return (madeTexts(name) ?? []).map((text) => ({ type: 'TXT', name, ttl: 60, text }));
}

function findAlias(names: DnsNames, name: string): string | undefined {
  const alias = findDnsNode(names, name)?.records.find((record) => record.type === 'CNAME');
  return alias?.type === 'CNAME' ? alias.target : undefined;
}

/** The failure that a validating resolver reports (RFC 8914, code 6). */
export const bogusSignature = 'DNSSEC bogus';

function findFault(names: DnsNames, name: string, type: RecordType): DnsFault | undefined {
  const faults = findDnsNode(names, name)?.faults ?? [];
  return faults.find(({ types }) => types.length === 0 || types.includes(type))?.fault;
}

function toFailure(fault: DnsFault, name: string, aliases: readonly Alias[]): DnsOutcome {
  if (fault === 'NXDOMAIN') return { kind: 'nxdomain', aliases };
  if (fault === 'BOGUS')
    return { kind: 'failed', why: 'servfail', detail: `SERVFAIL at ${name} (${bogusSignature})`, aliases };
  const why = fault.toLowerCase() as Extract<DnsFailure, Lowercase<DnsFault>>;
  return { kind: 'failed', why, detail: `${fault} at ${name}`, aliases };
}

function followAliases(names: DnsNames, start: string, zone: string): FollowedAliases {
  const visited = new Set<string>();
  for (let last = start; ; ) {
    const hops = visited.size;
    if (visited.has(last) || hops > maxAliasChain) return { last, hops, end: 'circle' };
    if (hops > 0 && isWithin(last, zone)) return { last, hops, end: 'name' };
    const fault = findFault(names, last, 'CNAME') ?? findFault(names, last, 'A');
    if (fault === 'NXDOMAIN') return { last, hops, end: 'nothing' };
    if (fault !== undefined) return { last, hops, end: 'failed' };
    const target = findAlias(names, last);
    if (target === undefined) return { last, hops, end: hasAddress(names, last) ? 'name' : 'nothing' };
    visited.add(last);
    last = target;
  }
}

function hasAddress(names: DnsNames, name: string): boolean {
  return (findDnsNode(names, name)?.records ?? []).some(({ type }) => type === 'A' || type === 'AAAA');
}

function lookUpCaa(answer: DnsZones['answer'], hostname: string): CaaFacts {
  const name = plainName(hostname).replace(/^\*\./, '');
  const asked: CaaAnswer[] = [];
  for (const owner of nameAndParents(name)) {
    asked.push(toCaaAnswer(owner, answer(owner, 'CAA')));
    if (asked.at(-1)?.outcome !== 'none') break;
  }
  return { name, asked };
}

function toCaaAnswer(owner: string, outcome: DnsOutcome): CaaAnswer {
  if (outcome.kind === 'failed') return { owner, outcome: 'failed', detail: outcome.detail };
  if (outcome.kind !== 'records') return { owner, outcome: 'none' };
  const records = outcome.records.flatMap((record) => (record.type === 'CAA' ? [record.caa] : []));
  const alias = outcome.aliases.at(-1)?.target;
  return { owner, outcome: 'records', records, ...(alias !== undefined && { alias }) };
}
