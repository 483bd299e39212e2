import * as v from 'valibot';
import { parseCustomHostname } from '../hostnames/parse.ts';
import { severities } from '../severity.ts';
import type { Facts } from './facts.ts';

function fact<S extends v.GenericSchema>(schema: S) {
  return v.union([v.object({ known: schema }), v.object({ unknown: v.string() })]);
}

const text = v.string();
const texts = v.array(text);
const maybe = v.exactOptional;

const customHostname = v.pipe(v.unknown(), v.transform(parseCustomHostname));
const zone = v.object({ id: text, name: text, status: maybe(text), paused: maybe(v.boolean()) });
const fallback = v.object({
  origin: text,
  status: maybe(text),
  errors: maybe(texts),
  created_at: maybe(text),
  updated_at: maybe(text),
});
const zoneRecord = v.object({
  id: text,
  type: text,
  name: text,
  content: text,
  proxied: maybe(v.boolean()),
  ttl: maybe(v.number()),
});
const workerRoute = v.object({ id: text, pattern: text, script: maybe(text) });
const quota = v.object({
  allocated: v.number(),
  used: v.number(),
  exceeded: maybe(v.boolean()),
  hard_cap: maybe(v.number()),
});
const hold = v.object({
  zone: text,
  hold: v.boolean(),
  includeSubdomains: v.boolean(),
  holdAfter: maybe(v.number()),
});
const addresses = v.object({ v4: fact(texts), v6: fact(texts) });
const failures = [
  'servfail',
  'refused',
  'rcode',
  'timeout',
  'unreachable',
  'malformed',
  'referral',
  'loop',
  'too-long',
  'bad-name',
  'interrupted',
] as const;
const chain = v.object({
  hops: v.array(v.object({ name: text, target: text })),
  last: text,
  end: v.picklist(['name', 'nothing', 'loop', 'too-long', 'unknown']),
  why: maybe(v.picklist(failures)),
  detail: maybe(text),
});
const caaRecord = v.object({ flags: v.number(), tag: text, value: text });
const caaAnswer = v.variant('outcome', [
  v.object({ owner: text, outcome: v.literal('records'), records: v.array(caaRecord), alias: maybe(text) }),
  v.object({ owner: text, outcome: v.literal('none') }),
  v.object({ owner: text, outcome: v.literal('failed'), detail: text }),
]);
const dns = v.object({
  chain,
  addresses,
  targetAddresses: addresses,
  ownershipTxt: fact(texts),
  misplacedOwnership: v.array(v.object({ name: text, texts })),
  misplacedChallenge: v.array(v.object({ name: text, texts })),
  doubledAlias: fact(v.nullable(v.object({ name: text, target: text }))),
  challengeTxt: fact(texts),
  challengeAlias: fact(v.nullable(text)),
  delegatedTxt: fact(texts),
  caa: v.object({ name: text, asked: v.array(caaAnswer) }),
  zones: fact(v.array(v.object({ name: text, nameServers: texts }))),
});
const certificate = v.object({
  subject: text,
  names: texts,
  issuer: text,
  validFrom: v.number(),
  validTo: v.number(),
  serialNumber: text,
  covers: v.boolean(),
  distrust: maybe(text),
});
const answer = v.object({
  url: text,
  address: text,
  status: v.number(),
  pageCode: maybe(v.number()),
  location: maybe(text),
  server: maybe(text),
  milliseconds: v.number(),
  certificate: maybe(certificate),
});
const token = v.object({
  url: text,
  address: maybe(text),
  redirects: texts,
  isCircle: maybe(v.boolean()),
  status: v.number(),
  body: text,
  cached: v.boolean(),
  challenged: v.boolean(),
  reachedOrigin: maybe(v.boolean()),
});
const trail = v.object({ urls: texts, isCircle: v.boolean() });
const history = v.object({
  movedSeenAt: maybe(v.number()),
  refreshedAt: maybe(v.number()),
  revivedAt: maybe(v.number()),
  refusedBy: maybe(texts),
  refusedAt: maybe(v.number()),
  lost: maybe(
    v.object({ hostname: text, seenAt: v.number(), wildcard: maybe(v.boolean()), origin: maybe(text) }),
  ),
});

/** The shape of a saved diagnosis result. */
export const verdictShape = v.object({
  at: v.number(),
  record: text,
  edge: v.boolean(),
  finding: text,
  severity: v.picklist(severities),
  who: v.picklist(['us', 'customer', 'zone-owner', 'provider', 'nobody']),
  cause: text,
  next: text,
});

/** The value of a fact that a file lacks because an older version wrote the file. */
const older = { unknown: 'the file is from an older version' };

const factsShape = v.object({
  hostname: text,
  now: v.number(),
  zone: fact(zone),
  plan: v.optional(fact(text), older),
  record: fact(v.nullable(customHostname)),
  wildcardRecord: fact(v.nullable(customHostname)),
  fallback: fact(v.nullable(fallback)),
  originRecord: fact(v.nullable(zoneRecord)),
  workerRoutes: v.optional(fact(v.array(workerRoute)), older),
  quota: fact(quota),
  issuance: fact(v.object({ blockedSeconds: v.number() })),
  hold: fact(v.nullable(hold)),
  delegation: fact(text),
  edgeRanges: fact(texts),
  apexRanges: fact(texts),
  standaloneZone: fact(v.nullable(text)),
  target: fact(text),
  dns,
  http: fact(answer),
  https: fact(answer),
  token: fact(token),
  tokenV6: v.optional(fact(token), older),
  trail: v.optional(fact(trail), older),
  edgeSilence: maybe(text),
  history,
  earlier: maybe(verdictShape),
});

/** Parses facts from an external source, for example a file. Throws a ValiError that names the invalid field. */
export function parseFacts(value: unknown): Facts {
  return v.parse(factsShape, value);
}
