import {
  type Alias,
  type AliasChain,
  longestAliasChain,
  plainName,
  type Resolver,
} from '../model/dns/dns.ts';

/**
 * Follows the CNAMEs from a name, one question a hop, so that every hop is seen whoever serves it. Ends at a name
 * that is no alias, does not exist or cannot be asked about, in a circle, or after 16 hops.
 */
export async function followAliases(resolver: Resolver, name: string): Promise<AliasChain> {
  const hops: Alias[] = [];
  const visited = new Set<string>();
  let last = plainName(name);
  for (;;) {
    if (visited.has(last)) return { hops, last, end: 'loop' };
    visited.add(last);
    const outcome = await resolver.resolve(last, 'CNAME');
    if (outcome.kind === 'failed') {
      return { hops, last, end: 'unknown', why: outcome.why, detail: outcome.detail };
    }
    if (outcome.kind !== 'records')
      return { hops, last, end: outcome.kind === 'nodata' ? 'name' : 'nothing' };
    const alias = outcome.records.find((record) => record.type === 'CNAME');
    if (alias?.type !== 'CNAME') return { hops, last, end: 'name' };
    if (hops.length >= longestAliasChain) return { hops, last, end: 'too-long' };
    hops.push({ name: last, target: alias.target });
    last = alias.target;
  }
}
