import { plainName } from '../../model/dns/dns.ts';
import { originRecordRefusal, originRefusal } from '../../model/hostnames/fault.ts';
import { dayMilliseconds } from '../../model/hostnames/hostname.ts';
import type { Seed, SeedRecord, SeedZone } from '../../model/sandbox/seed.ts';
import type { ZoneHold } from '../../model/zones/zone.ts';
import type { GivenRecord, RecordDraft } from '../../store/zones/dns-records.ts';
import type { DnsEntry } from '../../store/zones/outside-dns.ts';
import { ownZoneName, type StoredZone } from '../../store/zones/zones.ts';
import { parseDnsEntry } from '../hostnames/routes/simulation.ts';
import { changeInternet } from '../hostnames/run.ts';
import type { Platform } from '../http/exchange.ts';
import type { FieldPath } from '../http/shape-faults.ts';
import { readDraft } from '../zones/draft.ts';
import { zoneSettings } from '../zones/settings/catalogue.ts';
import { updateZoneChanges, type ZoneChanges } from '../zones/zone-changes.ts';
import { zoneNamePattern } from '../zones/zones.ts';
import { parseMoment } from './moment.ts';
import { reportDuplicates, reportSeedFault, type SeedContext, type SeedWrite, tryOrReport } from './plan.ts';

interface PlannedRecord {
  readonly draft: RecordDraft;
  readonly createdAt: number;
  readonly given: GivenRecord;
}

/** Checks zones with their records, and the DNS of customers. In an existing zone, the given records replace all its records. */
export function planZones(context: SeedContext, { zones = [], dns = [] }: Seed): SeedWrite {
  const { platform } = context;
  reportDuplicates(context, ['zones'], zones, ({ name }) => plainName(name), 'name');
  const writes = zones.map((zone, index) => planZone(context, ['zones', index], zone));
  const entries = dns.flatMap((entry, index): DnsEntry[] => {
    const read = tryOrReport(context, ['dns', index], () => parseDnsEntry(entry));
    return read === undefined ? [] : [read];
  });
  return () =>
    changeInternet(platform, () => {
      for (const write of writes) write(platform);
      platform.registry().dnsEntries.set(entries);
    });
}

function planZone(context: SeedContext, at: FieldPath, zone: SeedZone): (platform: Platform) => void {
  const { now } = context;
  const name = plainName(zone.name);
  if (!zoneNamePattern.test(name))
    reportSeedFault(context, [...at, 'name'], `"${zone.name}" is not a registered domain`);
  if (name === ownZoneName && zone.id !== undefined)
    reportSeedFault(
      context,
      [...at, 'id'],
      `${ownZoneName} is the sandbox's own zone, whose id cannot be set`,
    );
  const records = zone.records?.flatMap((record, index) => {
    return planRecord(context, { name }, [...at, 'records', index], record) ?? [];
  });
  const origin = zone.fallback_origin === undefined ? undefined : plainName(zone.fallback_origin);
  if (origin !== undefined) reportInvalidOrigin(context, [...at, 'fallback_origin'], origin, name, records);
  const hold = toHold(zone, now);
  const createdAt = parseMoment(zone.created, now);
  const updatedAt = parseMoment(zone.fallback_updated, now) ?? now - dayMilliseconds;
  const changes = planZoneChanges(context, at, zone);
  const fallback = {
    createdAt: parseMoment(zone.fallback_created, now) ?? updatedAt,
    updatedAt,
    ...(zone.fallback_failed === true && { failed: true }),
  };
  return (platform) => {
    const { zones, dnsRecords } = platform.registry();
    const stored = makeZone(platform, name, createdAt ?? now, zone.id);
    if (createdAt !== undefined || zone.delegation !== undefined) {
      const delegation = zone.delegation ?? stored.delegation;
      zones.setOrigin(stored.id, { createdAt: createdAt ?? stored.createdAt, delegation });
    }
    if (changes !== undefined)
      updateZoneChanges(platform, stored.id, (before) => ({ ...before, ...changes }));
    if (hold !== undefined) zones.setHold(stored.id, hold);
    if (records !== undefined) {
      dnsRecords.removeZone(stored.id);
      for (const { draft, createdAt: made, given } of records)
        dnsRecords.create(stored.id, draft, made, given);
    }
    if (origin !== undefined) zones.setFallback(stored.id, { origin, ...fallback });
  };
}

/** Checks the plan, the name servers and the settings of a zone. Returns undefined if the seed specifies none of them. */
function planZoneChanges(context: SeedContext, at: FieldPath, zone: SeedZone): ZoneChanges | undefined {
  const { plan, vanity_name_servers: vanityServers, settings, settings_modified: modified = {} } = zone;
  if (plan === undefined && vanityServers === undefined && settings === undefined) return undefined;
  const entries = Object.entries(settings ?? {}).map(([name, value]) => {
    const known = Object.hasOwn(zoneSettings, name) ? zoneSettings[name] : undefined;
    if (known === undefined) reportSeedFault(context, [...at, 'settings', name], 'is not a zone setting');
    else if (!known.accepts(value))
      reportSeedFault(context, [...at, 'settings', name], 'does not accept this value');
    return [name, { value, modifiedAt: parseMoment(modified[name], context.now) ?? context.now }] as const;
  });
  return {
    ...(plan !== undefined && { plan }),
    ...(vanityServers !== undefined && { vanityServers }),
    ...(settings !== undefined && { settings: Object.fromEntries(entries) }),
  };
}

/** Returns the zone with this name, and creates the zone if it is missing. An id that another zone uses is ignored. */
function makeZone(platform: Platform, name: string, now: number, id: string | undefined): StoredZone {
  const { zones } = platform.registry();
  const found = zones.list().find((zone) => zone.name === name);
  const account = platform.root && { account: platform.registry().account().id };
  const given = id === undefined ? account : { id, ...account };
  const made = found ?? zones.create(name, now, given) ?? zones.create(name, now, account);
  if (made === undefined) throw new Error(`Cannot create zone ${name}.`);
  return made;
}

function planRecord(
  context: SeedContext,
  zone: Pick<StoredZone, 'name'>,
  at: FieldPath,
  { id, created, modified, ...body }: SeedRecord,
): PlannedRecord | undefined {
  const draft = tryOrReport(context, at, () => readDraft(zone, body));
  if (draft === undefined) return undefined;
  const createdAt = parseMoment(created, context.now) ?? context.now;
  return { draft, createdAt, given: { id, modifiedAt: parseMoment(modified, context.now) ?? createdAt } };
}

/** Records a fault if the fallback origin is not a name in the zone, or if the seed lists records for the zone but none with this name. */
function reportInvalidOrigin(
  context: SeedContext,
  at: FieldPath,
  origin: string,
  zone: string,
  records: readonly PlannedRecord[] | undefined,
): void {
  const known = (records ?? [{ draft: { name: origin, type: 'A' } }]).map(({ draft }) => ({
    ...draft,
    zoneId: zone,
  }));
  const fault = originRefusal(origin) ?? originRecordRefusal(origin, zone, known);
  if (fault !== undefined) reportSeedFault(context, at, fault.message);
}

function toHold({ hold }: SeedZone, now: number): ZoneHold | undefined {
  if (hold === undefined) return undefined;
  const after = parseMoment(hold.hold_after, now) ?? (hold.hold ? now : undefined);
  return {
    hold: hold.hold,
    includeSubdomains: hold.include_subdomains ?? false,
    ...(after !== undefined && { holdAfter: after }),
  };
}
