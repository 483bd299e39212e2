import * as v from 'valibot';
import { type Fact, type Facts, ifKnown, known, unknown } from '../../model/diagnosis/facts.ts';
import { isWithin } from '../../model/dns/dns.ts';
import type { WorkerRoute } from '../../model/workers/route.ts';
import type { ZoneDnsRecord } from '../../model/zones/zone.ts';
import { callResult } from '../../v4/client.ts';
import { delegationSuffix } from '../../v4/wire.ts';
import { reading } from '../hostnames/calls.ts';
import { readFallbackOrigin } from '../hostnames/fallback-origin.ts';
import type { ZoneMemory } from '../hostnames/first-seen.ts';
import { readDelegationId, readQuota } from '../hostnames/hostnames.ts';
import type { PlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { listZoneRecords, readZoneAndAccount } from '../zones/zones.ts';
import { gatherFact } from './fact.ts';

/** Facts about a zone that are gathered once for all its custom hostnames. */
export interface ZoneFacts
  extends Pick<
    Facts,
    | 'zone'
    | 'plan'
    | 'workerRoutes'
    | 'fallback'
    | 'quota'
    | 'delegation'
    | 'edgeRanges'
    | 'apexRanges'
    | 'issuance'
  > {
  /** Returns the DNS record of an origin in the zone; null if there is none. Queries each origin only once. */
  originRecord(origin: string): Promise<Fact<ZoneDnsRecord | null>>;
  /**
   * Returns the DNS record that could become the fallback origin of a zone without one: the target's record if the target is in the zone, or
   * else a proxied record.
   */
  possibleOrigin(target: string | undefined): Promise<Fact<ZoneDnsRecord | null>>;
}

/** Gathers the facts about the zone. A failed query becomes an unknown fact, with the reason. */
export async function gatherZone(
  session: Session,
  zoneId: string,
  memory: ZoneMemory,
  info: PlatformInfo,
): Promise<ZoneFacts> {
  const read = readZoneAndAccount(session, zoneId);
  const [zone, plan, apexRanges, fallback, quota, delegation, edgeRanges, issuance, workerRoutes] =
    await Promise.all([
      gatherFact(async () => (await read).zone),
      readPlan(read),
      gatherFact(async () => readPrefixes(session, (await read).accountId)),
      gatherFact(async () => (await readFallbackOrigin(session, zoneId)) ?? null),
      gatherFact(() => readQuota(session, zoneId)),
      gatherFact(async () => delegationSuffix(await readDelegationId(session, zoneId), session.brand)),
      gatherFact(() => readEdgeRanges(session)),
      info.sandbox ? gatherFact(() => readIssuance(session)) : rememberedIssuance(session, memory),
      gatherFact(() => readWorkerRoutes(session, zoneId)),
    ]);
  const origins = new Map<string, Promise<Fact<ZoneDnsRecord | null>>>();
  let proxied: Promise<Fact<ZoneDnsRecord | null>> | undefined;
  const readRecord = (origin: string): Promise<Fact<ZoneDnsRecord | null>> => {
    const asked = origins.get(origin) ?? originRecord(session, zoneId, ifKnown(zone)?.name, origin);
    origins.set(origin, asked);
    return asked;
  };
  return {
    zone,
    plan,
    workerRoutes,
    fallback,
    quota,
    delegation,
    edgeRanges,
    apexRanges,
    issuance,
    originRecord: readRecord,
    async possibleOrigin(target) {
      const name = ifKnown(zone)?.name;
      const ofTarget =
        target !== undefined && (name === undefined || isWithin(target, name))
          ? await readRecord(target)
          : undefined;
      if (ofTarget !== undefined && ifKnown(ofTarget) !== null) return ofTarget;
      proxied ??= proxiedRecord(session, zoneId);
      return proxied;
    },
  };
}

/** Returns the plan of a zone as a fact, which is unknown if the platform does not report the plan. */
async function readPlan(read: Promise<{ readonly plan: string | undefined }>): Promise<Fact<string>> {
  const found = await gatherFact(async () => (await read).plan);
  if ('unknown' in found) return found;
  return found.known === undefined ? unknown('not reported by the platform') : known(found.known);
}

/** Returns how long issuance remains blocked, according to the last refusal. The platform reports this time only in refusals. */
function rememberedIssuance({ world }: Session, { blockedUntil }: ZoneMemory): Facts['issuance'] {
  if (blockedUntil === undefined)
    return unknown('the platform does not report how much of the limit is used');
  return known({ blockedSeconds: Math.max(0, Math.ceil((blockedUntil - world.now()) / 1000)) });
}

/** Returns how long issuance remains blocked, as reported by a sandbox. */
async function readIssuance(session: Session): Promise<{ readonly blockedSeconds: number }> {
  const shape = v.object({ blocked_seconds: v.number() });
  const call = reading(['sandbox', 'issuance']);
  const { result } = await callResult(session.send, call, (value) => v.parse(shape, value));
  return { blockedSeconds: result.blocked_seconds };
}

/** Returns the worker routes of a zone. The platform returns all routes in one response. */
async function readWorkerRoutes(session: Session, zoneId: string): Promise<readonly WorkerRoute[]> {
  const shape = v.array(v.object({ id: v.string(), pattern: v.string(), script: v.nullish(v.string()) }));
  const call = reading(['zones', zoneId, 'workers', 'routes']);
  const { result } = await callResult(session.send, call, (value) => v.parse(shape, value));
  return result.map(({ id, pattern, script }) => ({ id, pattern, ...(script && { script }) }));
}

async function readEdgeRanges(session: Session): Promise<readonly string[]> {
  const shape = v.object({
    ipv4_cidrs: v.optional(v.array(v.string()), []),
    ipv6_cidrs: v.optional(v.array(v.string()), []),
  });
  const { result } = await callResult(session.send, reading(['ips']), (value) => v.parse(shape, value));
  return [...result.ipv4_cidrs, ...result.ipv6_cidrs];
}

/**
 * Returns the IP address ranges that belong to the account (bring your own IP). Most accounts have no such ranges, and most tokens lack the
 * permission to read them.
 */
async function readPrefixes(session: Session, accountId: string | undefined): Promise<readonly string[]> {
  const shape = v.array(v.object({ cidr: v.optional(v.string()) }));
  const call = reading(['accounts', accountId ?? (await session.accountId()), 'addressing', 'prefixes']);
  const { result } = await callResult(session.send, call, (value) => v.parse(shape, value));
  return result.flatMap(({ cidr }) => cidr ?? []);
}

/** Record types that can be an origin. */
const hostTypes = ['A', 'AAAA', 'CNAME'];

async function originRecord(
  session: Session,
  zoneId: string,
  zoneName: string | undefined,
  origin: string,
): Promise<Fact<ZoneDnsRecord | null>> {
  if (zoneName !== undefined && !isWithin(origin, zoneName)) {
    return unknown(`${origin} is not in the zone ${zoneName}`);
  }
  return gatherFact(async () => {
    const records = await listZoneRecords(session, zoneId, { name: origin });
    return records.find((record) => hostTypes.includes(record.type)) ?? null;
  });
}

/** Pattern of DNS names that suggest an origin, such as `origin.example.com`. */
const originLike = /^(?:[\w-]*-)?(?:origin|fallback)\b/i;

/**
 * Returns the proxied record of the zone that is most likely an origin: the first record, by name, whose name suggests an origin, or else
 * the first proxied record. Returns null if there is none.
 */
async function proxiedRecord(session: Session, zoneId: string): Promise<Fact<ZoneDnsRecord | null>> {
  return gatherFact(async () => {
    const records = await listZoneRecords(session, zoneId, {});
    const found = records
      .filter(
        ({ type, proxied, name }) => hostTypes.includes(type) && proxied === true && !name.startsWith('*'),
      )
      .toSorted((left, right) => (left.name < right.name ? -1 : 1));
    return found.find(({ name }) => originLike.test(name)) ?? found[0] ?? null;
  });
}
