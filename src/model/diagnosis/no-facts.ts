import type { Facts } from './facts.ts';

/** Facts about a hostname of which nothing is known yet: for whoever gathers some of them and diagnoses from those. */
export function noFacts(hostname: string, now: number): Facts {
  const unknown = { unknown: 'not gathered' } as const;
  const addresses = { v4: unknown, v6: unknown };
  return {
    hostname,
    now,
    zone: unknown,
    plan: unknown,
    record: unknown,
    wildcardRecord: unknown,
    fallback: unknown,
    originRecord: unknown,
    workerRoutes: unknown,
    quota: unknown,
    issuance: unknown,
    hold: unknown,
    delegation: unknown,
    edgeRanges: unknown,
    apexRanges: unknown,
    standaloneZone: unknown,
    target: unknown,
    dns: {
      chain: { hops: [], last: hostname, end: 'unknown', why: 'unreachable', detail: 'not gathered' },
      addresses,
      targetAddresses: addresses,
      ownershipTxt: unknown,
      misplacedOwnership: [],
      misplacedChallenge: [],
      doubledAlias: unknown,
      challengeTxt: unknown,
      challengeAlias: unknown,
      delegatedTxt: unknown,
      caa: { name: hostname, asked: [{ owner: hostname, outcome: 'failed', detail: 'not gathered' }] },
      zones: unknown,
    },
    http: unknown,
    https: unknown,
    token: unknown,
    tokenV6: unknown,
    trail: unknown,
    history: {},
  };
}
