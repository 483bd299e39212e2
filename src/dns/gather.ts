import {
  type AddressFacts,
  type CaaAnswer,
  type CaaFacts,
  type DnsFacts,
  type Fact,
  ifKnown,
  known,
  type MisplacedText,
  unknown,
} from '../model/diagnosis/facts.ts';
import {
  type Alias,
  type AliasChain,
  type DnsOutcome,
  maxAliasChain,
  nameAndParents,
  plainName,
  type Resolver,
} from '../model/dns/dns.ts';
import { challengeName, delegationTarget, ownershipName } from '../model/hostnames/tokens.ts';
import { lookUpAddresses, lookUpAlias, lookUpTexts, lookUpZones } from './lookup.ts';

export interface DnsQuestions {
  /** The hostname, normalized and without `*.`. */
  readonly hostname: string;
  /** The name to which customers point, if it is known. */
  readonly target?: string;
  /** The delegation target `<uuid>.dcv.<provider>`, if it is known. */
  readonly delegation?: string;
}

/** Gathers all DNS facts about a hostname. Never rejects: a failed query becomes an unknown fact. */
export async function gatherDns(resolver: Resolver, questions: DnsQuestions): Promise<DnsFacts> {
  const { hostname, target, delegation } = questions;
  const challenge = challengeName(hostname);
  const [
    chain,
    addresses,
    targetAddresses,
    ownershipTxt,
    challengeTxt,
    challengeAlias,
    delegatedTxt,
    caa,
    zones,
  ] = await Promise.all([
    followAliases(resolver, hostname),
    lookUpAddresses(resolver, hostname),
    target === undefined ? unknownAddresses : lookUpAddresses(resolver, target),
    lookUpTexts(resolver, ownershipName(hostname)),
    lookUpTexts(resolver, challenge),
    lookUpAlias(resolver, challenge),
    delegation === undefined
      ? unknownDelegation
      : lookUpTexts(resolver, delegationTarget(hostname, delegation)),
    climbCaa(resolver, hostname),
    lookUpZones(resolver, hostname),
  ]);
  const domain = ifKnown(zones)?.[0]?.name ?? hostname.split('.').slice(-2).join('.');
  const doubled = `${hostname}.${domain}`;
  const [misplacedOwnership, misplacedChallenge, alias] = await Promise.all([
    lookUpPlaces(resolver, [hostname, ownershipName(doubled)]),
    lookUpPlaces(resolver, [challengeName(doubled)]),
    lookUpAlias(resolver, doubled),
  ]);
  const doubledAlias =
    'known' in alias ? known(alias.known === null ? null : { name: doubled, target: alias.known }) : alias;
  return {
    chain,
    addresses,
    targetAddresses,
    ownershipTxt,
    misplacedOwnership,
    misplacedChallenge,
    doubledAlias,
    challengeTxt,
    challengeAlias,
    delegatedTxt,
    caa,
    zones,
  };
}

const unknownDelegation: Fact<readonly string[]> = unknown('the delegation target is unknown');

const unknownAddresses: AddressFacts = {
  v4: unknown('the name to which customers point is unknown'),
  v6: unknown('the name to which customers point is unknown'),
};

/**
 * Looks up TXT values at wrong names that customers often use. Returns the names that have TXT values.
 */
async function lookUpPlaces(
  resolver: Resolver,
  places: readonly string[],
): Promise<readonly MisplacedText[]> {
  const found = await Promise.all(
    places.map(async (name) => ({ name, texts: ifKnown(await lookUpTexts(resolver, name)) ?? [] })),
  );
  return found.filter((place) => place.texts.length > 0);
}

/**
 * Queries CAA at a name and then at its parents, up to the top-level domain, until it finds records. Follows aliases at each level, but
 * queries only the parents of the queried name, not of alias targets (RFC 8659, 3). Stops at a failed query, because it is then unknown
 * whether the records at higher levels apply.
 */
export async function climbCaa(resolver: Resolver, name: string): Promise<CaaFacts> {
  const start = plainName(name).replace(/^\*\./, '');
  const asked: CaaAnswer[] = [];
  for (const owner of nameAndParents(start)) {
    const answer = answerAt(owner, await resolver.resolve(owner, 'CAA'));
    asked.push(answer);
    if (answer.outcome !== 'none') break;
  }
  return { name: start, asked };
}

function answerAt(owner: string, outcome: DnsOutcome): CaaAnswer {
  if (outcome.kind === 'failed') return { owner, outcome: 'failed', detail: outcome.detail };
  if (outcome.kind !== 'records') return { owner, outcome: 'none' };
  const records = outcome.records.flatMap((record) => (record.type === 'CAA' ? [record.caa] : []));
  const alias = outcome.aliases.at(-1)?.target;
  return { owner, outcome: 'records', records, ...(alias !== undefined && { alias }) };
}

/**
 * Follows the CNAMEs from a name with one query per hop, so that every hop is known, whether or not the server follows CNAMEs. Stops at a
 * name that is not an alias, does not exist or cannot be queried; at a loop; or after `maxAliasChain` hops.
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
    if (hops.length >= maxAliasChain) return { hops, last, end: 'too-long' };
    hops.push({ name: last, target: alias.target });
    last = alias.target;
  }
}
