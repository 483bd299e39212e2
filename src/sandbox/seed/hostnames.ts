import { isWithin, plainName } from '../../model/dns/dns.ts';
import { newHostname } from '../../model/hostnames/change.ts';
import { type CertificateAuthority, dayMilliseconds } from '../../model/hostnames/hostname.ts';
import {
  isIssued,
  type Placement,
  placed,
  usualCertificate,
  usualDates,
} from '../../model/hostnames/placed.ts';
import { type HostnameCreation, readCreation } from '../../model/hostnames/request.ts';
import type { HostnameState } from '../../model/hostnames/state.ts';
import type { Seed, SeedHostname } from '../../model/sandbox/seed.ts';
import type { KeyedCertificate, StoredHostname } from '../../store/hostnames/hostnames.ts';
import type { DnsEntry } from '../../store/zones/outside-dns.ts';
import { ownZoneName, type StoredZone } from '../../store/zones/zones.ts';
import { delegationSuffix } from '../../v4/wire.ts';
import { automaticTtl } from '../dns/names.ts';
import { formatUuid } from '../hostnames/create.ts';
import { findIntervention, setIntervention } from '../hostnames/interventions.ts';
import { batchSize, brand, changeInternet, createObservers, runUpToDate } from '../hostnames/run.ts';
import type { Platform } from '../http/exchange.ts';
import type { FieldPath } from '../http/shape-faults.ts';
import { listAccountZones } from '../session/account-platform.ts';
import { parseMoment } from './moment.ts';
import { reportDuplicates, reportSeedFault, type SeedContext, type SeedWrite } from './plan.ts';

interface PlannedHostname {
  readonly given: SeedHostname;
  readonly zone: string;
  readonly creation: HostnameCreation;
}

type PlacedHostname = Pick<PlannedHostname, 'given' | 'creation'> & { readonly zone: StoredZone };

/** Checks custom hostnames. An existing hostname in the same zone is replaced. */
export function planSeedHostnames(context: SeedContext, seed: Seed): SeedWrite {
  const { platform, now } = context;
  const all = seed.hostnames ?? [];
  const named = ({ hostname, zone }: SeedHostname) => `${hostname} ${zone ?? ''}`;
  reportDuplicates(context, ['hostnames'], all, named, 'hostname');
  const planned = all.flatMap(
    (given, index) => planHostname(context, ['hostnames', index], given, seed) ?? [],
  );
  return async () => {
    const zones = new Map(
      platform
        .registry()
        .zones.list()
        .map((zone) => [zone.name, zone]),
    );
    const placedIn = planned.flatMap((one) => {
      const zone = zones.get(one.zone);
      return zone === undefined ? [] : [{ ...one, zone }];
    });
    await connectServed(platform, placedIn, now);
    await runUpToDate(platform, async () => {
      const observers = createObservers(platform);
      for (let at = 0; at < placedIn.length; at += batchSize) {
        const some = placedIn.slice(at, at + batchSize);
        const states = await Promise.all(some.map((one) => toStoredHostname(platform, one, observers, now)));
        platform.registry().hostnames.together(() => {
          for (const state of states) replaceHostname(platform, state);
        });
      }
    });
    for (const { given } of placedIn) showOutOfTime(platform, given);
    await runUpToDate(platform, () => undefined);
  };
}

function showOutOfTime(platform: Platform, { hostname, ssl }: SeedHostname): void {
  const validity = ssl?.validity;
  if (validity === undefined) return;
  const name = plainName(hostname);
  setIntervention(platform, { ...findIntervention(platform, name), hostname: name, validity });
}

function replaceHostname(platform: Platform, stored: StoredHostname): void {
  const { hostnames } = platform.registry();
  for (const other of hostnames.named(stored.state.record.hostname))
    if (other.zoneId === stored.zoneId) hostnames.remove(other.zoneId, other.state.record.id);
  hostnames.insert(stored);
}

function planHostname(
  context: SeedContext,
  at: FieldPath,
  given: SeedHostname,
  seed: Seed,
): PlannedHostname | undefined {
  const names = listZoneNames(context, seed);
  const zone = plainName(given.zone ?? names[0] ?? '');
  if (given.zone === undefined && context.platform.root !== undefined && names.length !== 1)
    reportSeedFault(context, at, 'must specify its zone');
  else if (!names.includes(zone)) reportSeedFault(context, [...at, 'zone'], `zone "${given.zone}" not found`);
  if (given.kept !== undefined && given.kept.state.record.hostname !== given.hostname)
    reportSeedFault(context, [...at, 'kept'], `belongs to ${given.kept.state.record.hostname}`);
  const reading = readCreation(toCreationBody(given), brand);
  if ('ok' in reading) return { given, zone, creation: reading.ok };
  reportSeedFault(context, at, reading.refusal.message);
  return undefined;
}

/** Returns the names of the account's zones after loading. The first zone is the default for hostnames. */
function listZoneNames({ platform, replaces }: SeedContext, { zones = [] }: Seed): readonly string[] {
  const known = replaces ? [] : listAccountZones(platform);
  const names = [
    ...(platform.root === undefined ? [ownZoneName] : []),
    ...known.map(({ name }) => name),
    ...zones.map(({ name }) => plainName(name)),
  ];
  return [...new Set(names)];
}

/** Returns the body of the create request for a hostname. */
function toCreationBody(given: SeedHostname) {
  const { hostname, custom_origin_server, custom_origin_sni, custom_metadata, ssl, kept: saved } = given;
  const attributes = { hostname, custom_origin_server, custom_origin_sni, custom_metadata };
  // A saved hostname includes its certificate, so the request contains no certificate order.
  if (ssl === null || saved !== undefined) return attributes;
  const { method = 'http', certificate_authority, wildcard, branding, bundle_method, settings } = ssl ?? {};
  const branded = { [`${brand}_branding`]: branding };
  const order = { method, type: 'dv', certificate_authority, wildcard, bundle_method, settings, ...branded };
  return { ...attributes, ssl: order };
}

async function toStoredHostname(
  platform: Platform,
  { given, creation, zone }: PlacedHostname,
  observers: ReturnType<typeof createObservers>,
  now: number,
): Promise<StoredHostname> {
  const { kept: saved } = given;
  if (saved !== undefined) {
    const { activatedAt, keyed } = saved;
    const state = saved.state as HostnameState;
    return {
      zoneId: zone.id,
      revision: 0,
      state,
      ...(activatedAt && { activatedAt }),
      ...(keyed && { keyed }),
    };
  }
  const created = parseMoment(given.created_at ?? given.moved_at, now) ?? now;
  const observe = observers(zone, { hostname: creation.hostname });
  const fresh = newHostname(creation, {
    id: formatUuid(platform.random(16)),
    seed: Buffer.from(platform.random(32)).toString('base64url'),
    delegation: delegationSuffix(zone.delegation, brand),
    seen: observe(now),
    now: created,
  });
  const { status } = given;
  if (status === undefined && given.ssl?.status === undefined)
    return { zoneId: zone.id, revision: 0, state: fresh };
  const { place, keyed } = await toPlacement(platform, given, fresh, now);
  const seen = observers(zone, { hostname: creation.hostname, state: fresh })(now);
  const isServed = status === 'active' || status === 'active_redeploying';
  return {
    zoneId: zone.id,
    revision: 0,
    state: placed(fresh, place, seen, now),
    ...(isServed && { activatedAt: created }),
    ...(keyed && { keyed }),
  };
}

async function toPlacement(
  platform: Platform,
  { status = 'pending', moved_at: moved, verification_errors: verificationErrors, ssl }: SeedHostname,
  fresh: HostnameState,
  now: number,
): Promise<{ readonly place: Placement; readonly keyed?: KeyedCertificate }> {
  const movedAt = parseMoment(moved, now);
  const place: Placement = {
    status,
    ...(movedAt !== undefined && { movedAt }),
    ...(verificationErrors !== undefined && { verificationErrors }),
  };
  const wanted = fresh.certificate === undefined ? undefined : (ssl?.status ?? usualCertificate(status));
  if (wanted === undefined) return { place };
  const certificate = { status: wanted, ...(ssl?.validation_errors && { errors: ssl.validation_errors }) };
  if (!isIssued(wanted)) return { place: { ...place, certificate } };
  const given = {
    uploadedAt: parseMoment(ssl?.uploaded_on, now),
    expiresAt: parseMoment(ssl?.expires_on, now),
  };
  const { installed, keyed } = await issueCertificate(platform, fresh, usualDates(wanted, given, now));
  return { place: { ...place, certificate: { ...certificate, installed } }, keyed };
}

async function issueCertificate(
  platform: Platform,
  { record, certificate }: HostnameState,
  { uploadedAt, expiresAt }: { readonly uploadedAt: number; readonly expiresAt: number },
) {
  const { makeCertificate } = await import('../hostnames/certificates.ts');
  const authority: CertificateAuthority = certificate?.authority ?? 'google';
  return makeCertificate(platform.registry().settings, platform.random, {
    hostname: record.hostname,
    wildcard: record.ssl?.wildcard === true,
    branding: certificate?.order.branding === true,
    authority,
    since: uploadedAt,
    expiresAt,
  });
}

/**
 * Creates data that active hostnames need but a seed may omit: the fallback origin of their zone, and DNS records that point to the
 * fallback origin. Existing data stays unchanged.
 */
async function connectServed(
  platform: Platform,
  hostnames: readonly { readonly zone: StoredZone; readonly given: SeedHostname }[],
  now: number,
): Promise<void> {
  const served = hostnames.filter(
    ({ given: { status, kept: saved } }) => saved === undefined && isServed(status),
  );
  if (served.length === 0) return;
  await changeInternet(platform, () => {
    const { dnsEntries, zones } = platform.registry();
    const known = new Set(dnsEntries.list().map(({ name }) => name));
    const made: DnsEntry[] = [];
    for (const { zone, given } of served) {
      const target = (zones.find(zone.id) ?? zone).fallback?.origin ?? makeFallback(platform, zone, now);
      const name = given.hostname.toLowerCase();
      if (known.has(name) || isWithin(name, zone.name) || name.startsWith('*.')) continue;
      made.push({ name, type: 'CNAME', ttl: automaticTtl, contents: [target] });
    }
    dnsEntries.set(made);
  });
}

function isServed(status: SeedHostname['status']): boolean {
  return status === 'active' || status === 'active_redeploying';
}

function makeFallback(platform: Platform, zone: StoredZone, now: number): string {
  const { zones, dnsRecords } = platform.registry();
  const origin = `customers.${zone.name}`;
  const before = now - dayMilliseconds;
  const draft = { type: 'A', name: origin, content: '192.0.2.10', proxied: true, ttl: 1, more: {} };
  if (dnsRecords.list(zone.id).every(({ name }) => name !== origin))
    dnsRecords.create(zone.id, draft, before);
  zones.setFallback(zone.id, { origin, createdAt: before, updatedAt: before });
  return origin;
}
