import { type Facts, ifKnown } from '../../model/diagnosis/facts.ts';
import { parseFacts } from '../../model/diagnosis/facts-shape.ts';
import { barrier } from '../../model/diagnosis/rules/token-path.ts';
import { isWithin } from '../../model/dns/dns.ts';
import { hasHoldMessage } from '../../model/hostnames/hostname.ts';
import { importedState } from '../../model/hostnames/imported.ts';
import { explainShapeFault } from '../../model/shape-fault.ts';
import type { ZoneDnsRecord } from '../../model/zones/zone.ts';
import { ownZoneName, type StoredZone } from '../../store/zones/zones.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { delegationSuffix } from '../../v4/wire.ts';
import { edgeAddresses } from '../dns/names.ts';
import { clockNow, moveClock } from '../http/clock.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, type Platform, readJson, refusal } from '../http/exchange.ts';
import { setEdgeRule } from './edge-rules.ts';
import { setIntervention } from './interventions.ts';
import { brand, runInTurn, runUpToDate } from './run.ts';
import { listWorldDns } from './world-dns.ts';

const bodyLimit = 64 * 1024 * 1024;

/**
 * Imports hostnames from another platform, based on the facts about them: their records with dates and tokens, the zone's fallback origin
 * and origins, DNS, CAA and holds. A missing zone is created, and hostnames with the same names are replaced. The clock advances to the
 * time of the facts, but never goes back.
 */
export async function importWorld(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const body = await readJson(exchange, 'the world', bodyLimit);
  const facts = (Array.isArray(body) ? body : [body]).map(parseEntry);
  const name = findZoneName(facts);
  const latest = Math.max(...facts.map(({ now }) => now));
  await runUpToDate(platform, () => moveClock(platform, Math.max(0, latest - clockNow(platform))));
  await runInTurn(platform, async () => importFacts(platform, name, facts));
  await runUpToDate(platform, () => undefined);
  return ok({ zone: name, imported: facts.length });
}

function parseEntry(value: unknown, at: number): Facts {
  try {
    return parseFacts(value);
  } catch (error) {
    throw refusal(400, codes.requestInvalid, `invalid world: entry ${at + 1}: ${explainShapeFault(error)}`);
  }
}

function findZoneName(facts: readonly Facts[]): string {
  const names = new Set(facts.flatMap(({ zone }) => ifKnown(zone)?.name ?? []));
  const [name, other] = names;
  if (name === undefined)
    throw refusal(400, codes.requestInvalid, 'invalid world: no entry contains its zone');
  if (other === undefined) return name;
  throw refusal(400, codes.requestInvalid, `invalid world: contains two zones, ${name} and ${other}`);
}

function importFacts(platform: Platform, name: string, facts: readonly Facts[]): void {
  const registry = platform.registry();
  const now = clockNow(platform);
  const zone = registry.zones.list().find((one) => one.name === name) ?? registry.zones.create(name, now);
  if (zone === undefined)
    throw refusal(400, codes.requestInvalid, `invalid world: cannot create zone ${name}`);
  const [uuid = zone.delegation] = facts.flatMap((one) => ifKnown(one.delegation)?.split('.')[0] ?? []);
  registry.zones.setDelegation(zone.id, uuid);
  const delegation = delegationSuffix(uuid, brand);
  const isOwn = zone.name === ownZoneName;
  const { inside, outside } = listWorldDns(facts, {
    name,
    ownEdge: isOwn ? edgeAddresses.own : edgeAddresses.others,
    foreignEdge: isOwn ? edgeAddresses.others : edgeAddresses.own,
  });
  registry.dnsEntries.set(outside);
  importRecords(platform, zone, facts, inside);
  importFallback(platform, zone, facts, now);
  registry.hostnames.together(() => {
    for (const one of facts) importHostname(platform, zone, one, delegation);
  });
  for (const one of facts) {
    importBlock(platform, one);
    importBarrier(platform, one);
  }
}

/** Imports the answer that intercepts the path of the HTTP token. */
function importBarrier(platform: Platform, facts: Facts): void {
  const { answer } = barrier(facts) ?? {};
  if (answer === undefined) return;
  const location = answer.redirects.at(-1);
  setEdgeRule(platform, {
    host: facts.hostname,
    path: '/.well-known/',
    status: answer.status,
    body: answer.body,
    headers: {},
    ...(location !== undefined && { location }),
  });
}

type Wanted = Pick<ZoneDnsRecord, 'type' | 'name' | 'content'> & { readonly proxied: boolean };

/**
 * Imports the zone's own records: its origins, the targets of customers' CNAMEs, and the names found in CNAME chains.
 */
function importRecords(
  platform: Platform,
  zone: StoredZone,
  facts: readonly Facts[],
  inside: readonly (readonly [string, string, ...string[]])[],
): void {
  const { dnsRecords } = platform.registry();
  const now = clockNow(platform);
  const there = new Set(dnsRecords.list(zone.id).map(({ name, type }) => `${toRecordKind(type)} ${name}`));
  const seen = inside.flatMap(([name, type, ...contents]): Wanted[] =>
    contents.map((content) => ({ name, type, content, proxied: toRecordKind(type) === 'host' })),
  );
  for (const wanted of [
    ...facts.flatMap(listOrigins),
    ...seen,
    ...facts.flatMap((one) => listTargets(one, zone.name)),
  ]) {
    const key = `${toRecordKind(wanted.type)} ${wanted.name}`;
    if (there.has(key) && toRecordKind(wanted.type) === 'host') continue;
    there.add(key);
    dnsRecords.create(zone.id, { ...wanted, ttl: 1, more: {} }, now);
  }
}

function toRecordKind(type: string): string {
  return ['A', 'AAAA', 'CNAME'].includes(type) ? 'host' : type;
}

function listOrigins({ originRecord }: Facts): Wanted[] {
  const found = ifKnown(originRecord);
  if (found === undefined || found === null) return [];
  const { type, name, content, proxied } = found;
  return [{ type, name, content, proxied: proxied !== false }];
}

/** Returns a record for the end of a CNAME chain in the zone, because the facts do not contain this record. */
function listTargets({ dns }: Facts, zone: string): Wanted[] {
  const { last, end, hops } = dns.chain;
  if (end !== 'name' || hops.length === 0 || !isWithin(last, zone)) return [];
  return [{ type: 'A', name: last, content: '192.0.2.1', proxied: true }];
}

function importFallback(platform: Platform, zone: StoredZone, facts: readonly Facts[], now: number): void {
  const [fallback] = facts.flatMap((one) => ifKnown(one.fallback) ?? []);
  if (fallback === undefined) return;
  const updatedAt = fallback.status === 'active' ? now - 60_000 : now;
  const { zones } = platform.registry();
  zones.setFallback(zone.id, { origin: fallback.origin, createdAt: updatedAt, updatedAt });
}

function importHostname(platform: Platform, zone: StoredZone, facts: Facts, delegation: string): void {
  const { hostnames } = platform.registry();
  const seed = Buffer.from(platform.random(32)).toString('base64url');
  const state = importedState(facts, { seed, delegation });
  if (state === undefined) return;
  const { hostname, status } = state.record;
  for (const other of hostnames.named(hostname).filter(({ zoneId }) => zoneId === zone.id))
    hostnames.remove(zone.id, other.state.record.id);
  const isActive = status === 'active' || status === 'active_redeploying';
  hostnames.insert({ zoneId: zone.id, state, revision: 0, ...(isActive && { activatedAt: facts.now }) });
}

/** Imports the cause of a blocked hostname: a hold on the customer's zone, or a decision by the platform's abuse desk. */
function importBlock(platform: Platform, facts: Facts): void {
  const record = ifKnown(facts.record) ?? undefined;
  if (record?.status !== 'blocked') return;
  if (hasHoldMessage(record)) importHold(platform, facts);
  else setIntervention(platform, { hostname: record.hostname, flagged: true });
}

/** Imports the hold on the customer's zone. The name of the zone is in the facts or in the platform's error message. */
function importHold(platform: Platform, { hold, record }: Facts): void {
  const { zones } = platform.registry();
  const message = (ifKnown(record)?.verification_errors ?? []).join(' ');
  const name = ifKnown(hold)?.zone ?? /held zone \(([a-z0-9.-]+)\)/i.exec(message)?.[1];
  if (name === undefined) return;
  const now = clockNow(platform);
  const zone = zones.list().find((one) => one.name === name) ?? zones.create(name, now);
  if (zone !== undefined) zones.setHold(zone.id, { hold: true, includeSubdomains: true, holdAfter: now });
}
