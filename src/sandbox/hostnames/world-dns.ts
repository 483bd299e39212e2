import { type Facts, ifKnown } from '../../model/diagnosis/facts.ts';
import { addressList, inRanges } from '../../model/diagnosis/rules/reading.ts';
import { isWithin } from '../../model/dns/dns.ts';
import { challengeName, ownershipName } from '../../model/hostnames/tokens.ts';
import type { DnsEntry } from '../../store/zones/outside-dns.ts';
import { automaticTtl, type DnsFault } from '../dns/names.ts';

/** The zone into which hostnames are imported: its name, its edge address, and the edge address of other zones. */
export interface WorldZone {
  readonly name: string;
  readonly ownEdge: string;
  readonly foreignEdge: string;
}

type WorldEntry = readonly [name: string, type: string, ...contents: readonly string[]];

/** Returns the DNS entries that the facts about these hostnames show, inside and outside the zone. */
export function listWorldDns(
  facts: readonly Facts[],
  zone: WorldZone,
): { readonly inside: readonly WorldEntry[]; readonly outside: readonly DnsEntry[] } {
  const all = mergeEntries(
    facts.flatMap((one) => [...listRouting(one, zone), ...listTexts(one), ...listCaa(one)]),
  );
  const apexes = mergeEntries(facts.flatMap(listApexes)).filter(
    ([name]) => !all.some(([other, type]) => other === name && type === 'CNAME'),
  );
  const made = [...all, ...apexes];
  return {
    inside: made.filter(([name, type]) => isWithin(name, zone.name) && type !== 'NS' && type !== 'SOA'),
    outside: made
      .filter(([name]) => !isWithin(name, zone.name))
      .map(([name, type, ...contents]) => ({ name, type, ttl: automaticTtl, contents })),
  };
}

/** Merges entries with the same name and type. If one of the merged failures affects all types, the result affects all types. */
function mergeEntries(made: readonly WorldEntry[]): readonly WorldEntry[] {
  const byKey = new Map<string, WorldEntry>();
  for (const [name, type, ...contents] of made) {
    const key = `${name} ${type}`;
    const before = byKey.get(key);
    const isWhole = contents.length === 0 || before?.length === 2;
    byKey.set(
      key,
      isWhole ? [name, type] : [name, type, ...new Set([...(before?.slice(2) ?? []), ...contents])],
    );
  }
  return [...byKey.values()];
}

function listRouting({ dns, edgeRanges }: Facts, zone: WorldZone): readonly WorldEntry[] {
  const { hops, last, end, why, detail = '' } = dns.chain;
  const aliases = hops.map(({ name, target }): WorldEntry => [name, 'CNAME', target]);
  if (end === 'unknown') return [...aliases, [last, toDnsFault(why, detail)]];
  if (end !== 'name' || isWithin(last, zone.name)) return aliases;
  const targets = addressList(dns.targetAddresses);
  const isEdge = inRanges(ifKnown(edgeRanges) ?? []);
  const moved = (address: string) =>
    targets.includes(address) ? zone.ownEdge : isEdge(address) ? zone.foreignEdge : address;
  const v4 = [...new Set((ifKnown(dns.addresses.v4) ?? []).map(moved))];
  const v6 = (ifKnown(dns.addresses.v6) ?? []).filter((address) => moved(address) === address);
  const found: readonly WorldEntry[] = [
    ...(v4.length > 0 ? [[last, 'A', ...v4] as const] : []),
    ...(v6.length > 0 ? [[last, 'AAAA', ...v6] as const] : []),
  ];
  return [...aliases, ...found];
}

function toDnsFault(why: string | undefined, detail: string): DnsFault {
  if (/DNSSEC|DNSKEY|RRSIG|NSEC/i.test(detail)) return 'BOGUS';
  if (why === 'refused') return 'REFUSED';
  return why === 'timeout' || why === 'unreachable' ? 'TIMEOUT' : 'SERVFAIL';
}

function listTexts({ hostname, dns }: Facts): readonly WorldEntry[] {
  const base = hostname.replace(/^\*\./, '');
  const owned = ifKnown(dns.ownershipTxt) ?? [];
  const alias = ifKnown(dns.challengeAlias) ?? undefined;
  const there = ifKnown(dns.delegatedTxt) ?? [];
  const own = (ifKnown(dns.challengeTxt) ?? []).filter(
    (text) => alias === undefined || !there.includes(text),
  );
  return [
    ...(owned.length > 0 ? [[ownershipName(base), 'TXT', ...owned] as const] : []),
    ...(alias === undefined ? [] : [[challengeName(base), 'CNAME', alias] as const]),
    ...(own.length > 0 ? [[challengeName(base), 'TXT', ...own] as const] : []),
  ];
}

function listCaa({ dns }: Facts): readonly WorldEntry[] {
  return dns.caa.asked.flatMap((answer): readonly WorldEntry[] => {
    if (answer.outcome === 'none') return [];
    // A name whose lookups all fail needs no separate CAA failure.
    if (answer.outcome === 'failed')
      return dns.chain.end === 'unknown' ? [] : [[answer.owner, 'SERVFAIL', 'CAA']];
    const contents = answer.records.map(({ flags, tag, value }) => `${flags} ${tag} "${value}"`);
    return [[answer.alias ?? answer.owner, 'CAA', ...contents]];
  });
}

function listApexes({ dns }: Facts): readonly WorldEntry[] {
  return (ifKnown(dns.zones) ?? []).flatMap(({ name, nameServers }): readonly WorldEntry[] =>
    nameServers.length === 0
      ? []
      : [
          [name, 'NS', ...nameServers],
          [name, 'SOA', nameServers[0] ?? name],
        ],
  );
}
