import { followAliases, gatherDns } from '../../dns/gather.ts';
import { type Diagnosis, diagnose } from '../../model/diagnosis/diagnose.ts';
import {
  type DnsFacts,
  type Fact,
  type Facts,
  ifKnown,
  known,
  unknown,
} from '../../model/diagnosis/facts.ts';
import { toVerdict } from '../../model/diagnosis/verdict.ts';
import { type DnsFailure, isWithin, nameAndParents, parentName, type Resolver } from '../../model/dns/dns.ts';
import { type CustomHostname, hasHoldMessage } from '../../model/hostnames/hostname.ts';
import { isProblem } from '../../model/problem.ts';
import { type HeldZone, offeredTarget } from '../../model/zones/zone.ts';
import { openZoneMemory, type ZoneMemory } from '../hostnames/first-seen.ts';
import { findHostname } from '../hostnames/hostnames.ts';
import { openVerdicts, type Verdicts } from '../hostnames/verdicts.ts';
import { offsetClock, type PlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { readHold } from '../zones/hold.ts';
import { findZone } from '../zones/zones.ts';
import { EdgeTimeouts, notProbed, probeHostname } from './edge.ts';
import { gatherFact } from './fact.ts';
import { gatherZone, type ZoneFacts } from './zone.ts';

export interface DiagnoserOptions {
  readonly resolver: Resolver;
  readonly info: PlatformInfo;
  /** Whether to probe the edge too. */
  readonly probe: boolean;
  /** Maximum time to wait for one response from the edge, in milliseconds (default: a probe's default). */
  readonly probeTimeout?: number;
  /** The name to which customers must point (default: the fallback origin). */
  readonly target?: string | undefined;
}

/** The diagnosis of one hostname, with its facts. */
export interface DiagnosedHostname {
  readonly facts: Facts;
  readonly diagnosis: Diagnosis;
  /** Whether the platform, a DNS server or the edge could not be reached, so that a later diagnosis may find more. */
  readonly isPassing?: boolean;
}

/** A diagnoser for the hostnames of one zone. Gathers the facts about the zone only once. */
export interface Diagnoser {
  /**
   * Diagnoses one hostname. If `record` is omitted, reads the record from the platform; null means that the hostname has no record.
   */
  diagnose(hostname: string, record?: CustomHostname | null): Promise<DiagnosedHostname>;
  /** Saves the results, and the times at which hostnames were first seen in Moved. */
  close(): Promise<void>;
}

/** The inputs that the diagnoses of a zone's hostnames share. */
interface ZoneContext extends DiagnoserOptions {
  readonly session: Session;
  readonly zoneId: string;
  readonly zone: ZoneFacts;
  readonly memory: ZoneMemory;
  readonly verdicts: Verdicts;
  readonly edgeTimeouts: EdgeTimeouts;
  now(): number;
}

/** The inputs for diagnosing one hostname. */
interface DiagnosisContext extends ZoneContext {
  /** The reachability of the servers in this hostname's diagnosis. */
  readonly contact: Contact;
}

/** Opens a diagnoser for a zone, and gathers the zone's facts. */
export async function openDiagnoser(
  session: Session,
  zoneId: string,
  options: DiagnoserOptions,
): Promise<Diagnoser> {
  const memory = await openZoneMemory(session, zoneId);
  const verdicts = await openVerdicts(session, zoneId);
  const ofZone = new Contact();
  const zone = await gatherZone(ofZone.overPlatform(session), zoneId, memory, options.info);
  const context: ZoneContext = {
    ...options,
    session,
    zoneId,
    zone,
    memory,
    verdicts,
    edgeTimeouts: new EdgeTimeouts(options.probeTimeout),
    now: offsetClock(session, options.info.now),
  };
  return {
    async diagnose(hostname, record) {
      const contact = new Contact();
      const facts = await gatherFacts(trackingResolver(context, contact), hostname, record);
      // An interruption makes the requests to DNS and the edge fail. A diagnosis must not treat these failures as facts.
      session.world.interrupted.throwIfAborted();
      const diagnosis = diagnose(facts);
      const isPassing = !(contact.isWhole && ofZone.isWhole);
      const verdict = isPassing ? undefined : toVerdict(facts, diagnosis);
      const id = ifKnown(facts.record)?.id;
      if (id !== undefined && verdict !== undefined) verdicts.note(id, verdict);
      return { facts, diagnosis, isPassing };
    },
    async close() {
      await memory.save();
      await verdicts.save();
    },
  };
}

function trackingResolver(context: ZoneContext, contact: Contact): DiagnosisContext {
  return {
    ...context,
    resolver: contact.overDns(context.resolver),
    session: contact.overPlatform(context.session),
    contact,
  };
}

/** Gathers all facts about one hostname. A failed query becomes an unknown fact, with the reason. */
async function gatherFacts(
  context: DiagnosisContext,
  hostname: string,
  given: CustomHostname | null | undefined,
): Promise<Facts> {
  const { session, zoneId, zone, memory, verdicts } = context;
  const now = context.now();
  const record =
    given === undefined
      ? await gatherFact(async () => (await findHostname(session, zoneId, hostname)) ?? null)
      : known(given);
  const found = ifKnown(record) ?? undefined;
  if (found !== undefined) memory.see([found], now);
  const [wildcardRecord, { dns, target }] = await Promise.all([
    ifKnown(record) === null ? coveringRecord(context, hostname) : known(null),
    gatherNames(context, hostname),
  ]);
  const earlier = found && verdicts.find(found.id);
  const history = found === undefined ? memory.historyOfLost(hostname) : memory.readHistory(found.id);
  const ownOrigin = found === undefined ? history.lost?.origin : found.custom_origin_server;
  const origin = ownOrigin ?? ifKnown(zone.fallback)?.origin;
  const [originRecord, hold, standaloneZone] = await Promise.all([
    readOriginRecord(zone, origin, ifKnown(target)),
    readCustomerHold(context, hostname, found),
    readStandaloneZone(context, hostname, ifKnown(wildcardRecord) ?? undefined, dns),
  ]);
  const { originRecord: _ask, possibleOrigin: _askToo, ...zoneFacts } = zone;
  const facts = {
    ...zoneFacts,
    hostname,
    now,
    record,
    wildcardRecord,
    originRecord,
    hold,
    standaloneZone,
    target,
    dns,
    history,
    ...(earlier !== undefined && { earlier }),
  };
  if (!context.probe) return { ...facts, ...notProbed };
  const { facts: edge, isReached } = await probeHostname(session, context.info, facts, context);
  if (!isReached) context.contact.lose();
  return { ...facts, ...edge };
}

/** Returns the DNS record of the hostname's origin. If no fallback origin is set, returns a record that could become the fallback origin. */
async function readOriginRecord(
  zone: ZoneFacts,
  origin: string | undefined,
  target: string | undefined,
): Promise<Facts['originRecord']> {
  if (origin !== undefined) return zone.originRecord(origin);
  return ifKnown(zone.fallback) === null ? zone.possibleOrigin(target) : unknown('the origin is unknown');
}

/** Gathers the DNS facts, and the name that customers point to: the given name, the fallback origin, or the hostname's own target. */
async function gatherNames(
  { resolver, zone, target }: DiagnosisContext,
  hostname: string,
): Promise<{ readonly dns: DnsFacts; readonly target: Fact<string> }> {
  const name = hostname.replace(/^\*\./, '');
  const meant = offeredTarget(ifKnown(zone.fallback), target) ?? (await ownTarget(resolver, zone, name));
  const delegation = ifKnown(zone.delegation);
  const dns = await gatherDns(resolver, {
    hostname: name,
    ...(meant !== undefined && { target: meant }),
    ...(delegation !== undefined && { delegation }),
  });
  return {
    dns,
    target: meant === undefined ? unknown('the name to which customers point is unknown') : known(meant),
  };
}

/** Returns the name in the zone to which the hostname points; undefined if the hostname does not point to the zone. */
async function ownTarget(resolver: Resolver, zone: ZoneFacts, hostname: string): Promise<string | undefined> {
  const zoneName = ifKnown(zone.zone)?.name;
  if (zoneName === undefined) return undefined;
  const { hops } = await followAliases(resolver, hostname);
  return hops.find((hop) => isWithin(hop.target, zoneName))?.target;
}

/** Returns the nearest wildcard record that covers a hostname; null if there is none. */
function coveringRecord(
  { session, zoneId }: DiagnosisContext,
  hostname: string,
): Promise<Fact<CustomHostname | null>> {
  return gatherFact(async () => {
    for (const parent of nameAndParents(parentName(hostname) ?? '').filter((name) => name.includes('.'))) {
      const base = await findHostname(session, zoneId, parent);
      if (base?.ssl?.wildcard === true) return base;
      const literal = await findHostname(session, zoneId, `*.${parent}`);
      if (literal !== undefined) return literal;
    }
    return null;
  });
}

/** Returns the hold on the customer's zone. Queries the platform only if the hostname's record mentions a hold. */
async function readCustomerHold(
  { session }: DiagnosisContext,
  hostname: string,
  record: CustomHostname | undefined,
): Promise<Fact<HeldZone | null>> {
  if (record === undefined || !hasHoldMessage(record)) return unknown('not queried');
  const held = await gatherFact(async () => {
    for (const name of nameAndParents(hostname).filter((parent) => parent.includes('.'))) {
      const zone = await findZone(session, name);
      if (zone !== undefined) return { ...(await readHold(session, zone.id)), zone: zone.name };
    }
    return undefined;
  });
  if ('unknown' in held) return held;
  return held.known === undefined
    ? unknown("the credentials do not have access to the customer's zone")
    : known(held.known);
}

/**
 * Returns the name of another zone on the platform that contains the hostname; null if there is none. Searches only if a wildcard covers
 * the hostname, because the other zone overrides the wildcard.
 */
async function readStandaloneZone(
  { session, zone }: DiagnosisContext,
  hostname: string,
  wildcard: CustomHostname | undefined,
  dns: DnsFacts,
): Promise<Fact<string | null>> {
  if (wildcard === undefined) return unknown('not queried');
  const platformServers = new RegExp(`\\.ns\\.${session.brand}\\.com$`);
  const [apex] = ifKnown(dns.zones) ?? [];
  const own = ifKnown(zone.zone)?.name;
  if (
    apex !== undefined &&
    apex.name !== own &&
    apex.nameServers.some((name) => platformServers.test(name))
  ) {
    return known(apex.name);
  }
  return gatherFact(async () => {
    for (const name of nameAndParents(hostname).filter((parent) => parent.includes('.') && parent !== own)) {
      const found = await findZone(session, name);
      if (found !== undefined) return found.name;
    }
    return null;
  });
}

/** DNS failures without a response. Such failures prove nothing about the name. */
const unansweredFailures: ReadonlySet<DnsFailure> = new Set(['timeout', 'unreachable', 'interrupted']);

/** The reachability of the servers in a diagnosis. Facts that were gathered during a network failure must not be reused. */
class Contact {
  #isLost = false;

  get isWhole(): boolean {
    return !this.#isLost;
  }

  /** Records that a server could not be reached. */
  lose(): void {
    this.#isLost = true;
  }

  overDns(resolver: Resolver): Resolver {
    return {
      resolve: async (name, type) => {
        const outcome = await resolver.resolve(name, type);
        if (outcome.kind === 'failed' && unansweredFailures.has(outcome.why)) this.lose();
        return outcome;
      },
    };
  }

  overPlatform(session: Session): Session {
    return {
      ...session,
      send: async (call) => {
        try {
          return await session.send(call);
        } catch (error) {
          if (isProblem(error) && error.code === 'unreachable') this.lose();
          throw error;
        }
      },
    };
  }
}
