import { dayMilliseconds } from '../../model/hostnames/hostname.ts';
import { type HostnameCreation, readCreation } from '../../model/hostnames/request.ts';
import type { LiveHostname } from '../../model/hostnames/state.ts';
import { challengeName, delegationTarget, ownershipName } from '../../model/hostnames/tokens.ts';
import type { DnsEntry } from '../../store/zones/outside-dns.ts';
import type { StoredZone } from '../../store/zones/zones.ts';
import { delegationSuffix } from '../../v4/wire.ts';
import { automaticTtl } from '../dns/names.ts';
import { clockNow } from '../http/clock.ts';
import type { Platform } from '../http/exchange.ts';
import { insertHostname } from './create.ts';
import { type DemoHostname, type DemoStep, delegationMark, demoHostnames, demoOrigins } from './demo-data.ts';
import { brand, changeInternet, runInTurn, runUpToDate } from './run.ts';

const setting = 'demo_hostnames';

/**
 * Fills the sandbox's own zone with custom hostnames in every notable state, as if customers had signed up and left over the last few
 * months. The certificates of demo hostnames do not count toward the issuance limit. Runs at most once a day.
 */
export async function seedHostnames(platform: Platform): Promise<number> {
  const { settings } = platform.registry();
  const now = clockNow(platform);
  const seededAt = Number(settings.read(setting) ?? 0);
  if (now - seededAt < dayMilliseconds) return 0;
  await runInTurn(platform, () => replay(platform, now));
  settings.write(setting, now);
  return demoHostnames.length;
}

/** Replays all events in order, with a past clock. */
async function replay(platform: Platform, now: number): Promise<void> {
  const ahead = now - platform.now();
  let at = now;
  const past: Platform = { ...platform, now: () => at - ahead };
  const events = demoHostnames
    .flatMap((demo) => demo.steps.map((step, index) => ({ demo, step, isFirst: index === 0 })))
    .sort((left, right) => right.step.daysAgo - left.step.daysAgo);
  at = now - ((events[0]?.step.daysAgo ?? 0) + 1) * dayMilliseconds;
  await prepareZone(past);
  for (const { demo, step, isFirst } of events) {
    at = now - Math.round(step.daysAgo * dayMilliseconds);
    await applyStep(past, demo, step, isFirst);
  }
  at = now;
  await runUpToDate(past, () => undefined);
}

/** Removes earlier demo hostnames, and creates the records and the fallback origin of the sandbox's own zone. */
async function prepareZone(past: Platform): Promise<void> {
  const { dnsRecords, zones, hostnames } = past.registry();
  const zone = ownZone(past);
  const now = clockNow(past);
  const known = dnsRecords.list(zone.id).map(({ name }) => name);
  const named = new Set(demoHostnames.map(({ hostname }) => hostname));
  await changeInternet(past, () => {
    for (const { state } of hostnames.list(zone.id)) {
      if (named.has(state.record.hostname)) hostnames.remove(zone.id, state.record.id);
    }
    for (const [index, name] of demoOrigins.entries()) {
      const draft = { type: 'A', name, content: `192.0.2.${index + 10}`, proxied: true, ttl: 1, more: {} };
      if (!known.includes(name)) dnsRecords.create(zone.id, draft, now);
    }
    const origin = demoOrigins[0] ?? zone.name;
    if (zone.fallback === undefined) zones.setFallback(zone.id, { origin, createdAt: now, updatedAt: now });
  });
}

async function applyStep(
  past: Platform,
  demo: DemoHostname,
  step: DemoStep,
  isFirst: boolean,
): Promise<void> {
  const { hostname } = demo;
  const zone = ownZone(past);
  if (step.zone !== undefined) await openZone(past, step.zone);
  const record = await runUpToDate(past, () => past.registry().hostnames.named(hostname)[0]?.state.record);
  await changeInternet(past, () => {
    const { dnsEntries } = past.registry();
    const entries = [...toDnsEntries(step, hostname, zone), ...toTokenEntries(step, record)];
    const isGone = ({ contents, type }: DnsEntry) => contents.length === 0 && type !== 'SERVFAIL';
    dnsEntries.set(entries.filter((entry) => !isGone(entry)));
    for (const { name, type } of entries.filter(isGone)) dnsEntries.unset(name, type);
  });
  if (isFirst) await runUpToDate(past, () => insertHostname(past, zone, toCreation(demo)));
}

function toCreation({ hostname, body = {} }: DemoHostname): HostnameCreation {
  const reading = readCreation({ hostname, ssl: { method: 'http', type: 'dv' }, ...body }, brand);
  if ('refusal' in reading)
    throw new Error(`The demo hostname ${hostname} is refused: ${reading.refusal.message}`);
  return reading.ok;
}

function ownZone(past: Platform): StoredZone {
  const registry = past.registry();
  const zone = registry.zones.find(registry.zoneId());
  if (zone === undefined) throw new Error('The sandbox has no zone.');
  return zone;
}

async function openZone(past: Platform, { name, held, proxied }: DemoStep['zone'] & object): Promise<void> {
  const { zones, dnsRecords } = past.registry();
  const now = clockNow(past);
  await changeInternet(past, () => {
    const zone = zones.list().find((one) => one.name === name) ?? zones.create(name, now);
    if (zone === undefined) return;
    if (held === true) zones.setHold(zone.id, { hold: true, includeSubdomains: true, holdAfter: now });
    const draft = { type: 'A', content: '192.0.2.99', proxied: true, ttl: 1, more: {} };
    const known = dnsRecords.list(zone.id).length > 0;
    if (proxied !== undefined && !known) dnsRecords.create(zone.id, { ...draft, name: proxied }, now);
  });
}

function toDnsEntries({ dns = [] }: DemoStep, hostname: string, zone: StoredZone): DnsEntry[] {
  const target = delegationTarget(hostname, delegationSuffix(zone.delegation, brand));
  return dns.map(([name, type, ...contents]) => ({
    name,
    type,
    ttl: automaticTtl,
    contents: contents.map((content) => (content === delegationMark ? target : content)),
  }));
}

function toTokenEntries({ tokens = [] }: DemoStep, record: LiveHostname | undefined): DnsEntry[] {
  if (record === undefined) return [];
  const { hostname, ownership_verification: ownership, ssl } = record;
  const texts = (ssl?.validation_records ?? []).flatMap(({ txt_value: value }) => value ?? []);
  const text = (name: string, contents: readonly string[]) => ({
    name,
    type: 'TXT',
    ttl: automaticTtl,
    contents,
  });
  return tokens.map((token) => {
    if (token === 'certificate') return text(challengeName(hostname), texts);
    const value = token === 'ownership' ? ownership?.value : '11111111-2222-8333-8444-555555555555';
    return text(ownershipName(hostname), [value ?? '']);
  });
}
