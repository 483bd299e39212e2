import { isIPv4, isIPv6 } from 'node:net';
import { type DnsRecord, nameAndParents, nameFault, parentName, plainName } from '../../model/dns/dns.ts';
import { textBytes } from '../../model/dns/strings.ts';
import type { StoredRecord } from '../../store/zones/dns-records.ts';
import type { DnsEntry } from '../../store/zones/outside-dns.ts';
import { ownZoneName, type StoredZone } from '../../store/zones/zones.ts';

/** The failures that can be simulated for a name, as `dns set` and the registry spell them. */
export const dnsFaults = ['SERVFAIL', 'REFUSED', 'TIMEOUT', 'NXDOMAIN', 'BOGUS'] as const;

export type DnsFault = (typeof dnsFaults)[number];

/**
 * Addresses of proxied records in the sandbox's own zone, and in other zones on the platform. The sandbox's edge listens on the address of
 * the sandbox's own zone. Visitors reach both addresses through the port of the edge, with a Host header.
 */
export const edgeAddresses = { own: '127.0.0.1', others: '127.0.0.2' } as const;

/** TTL in seconds of a record with an automatic or omitted TTL. */
export const automaticTtl = 300;

/** The records and failures of one name. */
export interface DnsNode {
  readonly records: DnsRecord[];
  /** Records that do not affect custom hostnames: services, keys, mail. */
  readonly others: OtherRecord[];
  /** Name servers that this name, and all names below it, are delegated to. */
  readonly delegatedTo: string[];
  /** Failures, each with the record types that it affects; an empty list means all types. */
  readonly faults: { readonly fault: DnsFault; readonly types: readonly string[] }[];
}

/** A record as stored in its zone; DNS returns it unchanged. */
export interface OtherRecord {
  readonly type: string;
  readonly ttl: number;
  readonly content: string;
  readonly priority?: number;
}

/** The names that exist: every name with records, and all names above such a name. */
export interface DnsNames {
  readonly nodes: ReadonlyMap<string, DnsNode>;
  readonly existing: ReadonlySet<string>;
}

export interface DnsSources {
  readonly zones: readonly StoredZone[];
  readonly records: readonly StoredRecord[];
  readonly entries: readonly DnsEntry[];
}

/**
 * Returns all names as public DNS shows them: proxied records have only the address of the edge. With `through`, returns the names as the
 * platform itself sees them.
 */
export function collectDnsNames(sources: DnsSources, through: boolean): DnsNames {
  const nodes = new Map<string, DnsNode>();
  const at = (name: string): DnsNode => {
    const node = nodes.get(name) ?? { records: [], others: [], delegatedTo: [], faults: [] };
    nodes.set(name, node);
    return node;
  };
  const ownZone = sources.zones.find((zone) => zone.name === ownZoneName)?.id;
  for (const entry of sources.entries) addEntry(at(entry.name), entry);
  for (const record of sources.records) {
    const found = record.proxied && !through ? toProxiedRecord(record, ownZone) : toDnsRecord(record);
    if (found !== undefined) at(record.name).records.push(found);
    else addOther(at(record.name), record);
    if (found?.type === 'NS' && sources.zones.every(({ name }) => name !== record.name))
      at(record.name).delegatedTo.push(found.target);
  }
  const names = [...nodes.keys()];
  for (const zone of sources.zones) addApex(at(zone.name), zone.name, platformServers);
  for (const domain of findOutsideDomains(names, sources)) addApex(at(domain), domain, worldServers);
  return { nodes, existing: new Set([...nodes.keys()].flatMap(nameAndParents)) };
}

const platformServers = ['ada.ns.cloudflare.com', 'bob.ns.cloudflare.com'];
const worldServers = ['ns1.registrar.sandbox', 'ns2.registrar.sandbox'];

/** Returns the name's own records, or the records of the wildcard that covers the name (RFC 4592). */
export function findDnsNode({ nodes, existing }: DnsNames, name: string): DnsNode | undefined {
  if (existing.has(name)) return nodes.get(name);
  for (let above = parentName(name); above !== undefined; above = parentName(above)) {
    const wildcard = nodes.get(`*.${above}`);
    if (wildcard !== undefined || existing.has(above)) return wildcard;
  }
  return undefined;
}

function addOther(node: DnsNode, { type, content, ttl, more }: StoredRecord): void {
  const priority = more['priority'];
  node.others.push({
    type,
    content,
    ttl: ttl === 1 ? automaticTtl : ttl,
    ...(typeof priority === 'number' && { priority }),
  });
}

function addEntry(node: DnsNode, { name, type, ttl, contents }: DnsEntry): void {
  const fault = dnsFaults.find((one) => one === type);
  if (fault !== undefined) node.faults.push({ fault, types: contents });
  for (const content of fault === undefined ? contents : []) {
    const record = parseRecord(name, type, content, ttl);
    if (record !== undefined) node.records.push(record);
  }
}

function addApex(node: DnsNode, name: string, servers: readonly string[]): void {
  const ttl = 3600;
  const has = (type: string) => node.records.some((record) => record.type === type);
  const primary = servers[0] ?? name;
  if (!has('SOA')) node.records.push({ type: 'SOA', name, ttl, primary });
  if (has('NS')) return;
  node.records.push(...servers.map((target): DnsRecord => ({ type: 'NS', name, ttl, target })));
}

/**
 * Returns the domains of names outside the zones: the last two labels of each name, except names at or below a zone or a name with an SOA
 * entry.
 */
function findOutsideDomains(names: readonly string[], { zones, entries }: DnsSources): Set<string> {
  const apexes = new Set([
    ...zones.map((zone) => zone.name),
    ...entries.filter((entry) => entry.type === 'SOA').map((entry) => entry.name),
  ]);
  const outside = names.filter((name) => !nameAndParents(name).some((above) => apexes.has(above)));
  return new Set(outside.map((name) => name.split('.').slice(-2).join('.')).filter((name) => name !== '*'));
}

function toDnsRecord({ name, type, content, ttl }: StoredRecord): DnsRecord | undefined {
  return parseRecord(name, type, content, ttl === 1 ? automaticTtl : ttl);
}

function toProxiedRecord({ name, zoneId }: StoredRecord, ownZone: string | undefined): DnsRecord {
  const address = zoneId === ownZone ? edgeAddresses.own : edgeAddresses.others;
  return { type: 'A', name, ttl: automaticTtl, address };
}

/** Parses a record from its content, as users and the API write it; undefined if the content is invalid. */
export function parseRecord(name: string, type: string, content: string, ttl: number): DnsRecord | undefined {
  switch (type) {
    case 'A':
      return isIPv4(content) ? { type, name, ttl, address: content } : undefined;
    case 'AAAA':
      return isIPv6(content) && !content.includes('%') ? { type, name, ttl, address: content } : undefined;
    case 'CNAME':
    case 'NS':
      return nameFault(plainName(content)) === undefined
        ? { type, name, ttl, target: plainName(content) }
        : undefined;
    case 'TXT':
      return { type, name, ttl, text: textBytes(content).toString('utf8') };
    case 'SOA':
      return { type, name, ttl, primary: plainName(content.split(/\s+/)[0] ?? '') };
    case 'CAA':
      return caaRecord(name, content, ttl);
    default:
      return undefined;
  }
}

function caaRecord(name: string, content: string, ttl: number): DnsRecord | undefined {
  const match = /^\s*(\d{1,3})\s+([A-Za-z0-9]{1,255})\s+(.*?)\s*$/s.exec(content);
  const flags = Number(match?.[1]);
  if (match?.[2] === undefined || !(flags <= 255)) return undefined;
  const value = textBytes(match[3] ?? '').toString('utf8');
  return { type: 'CAA', name, ttl, caa: { flags, tag: match[2], value } };
}
