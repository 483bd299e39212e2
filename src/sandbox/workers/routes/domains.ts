import { plainName } from '../../../model/dns/dns.ts';
import { isObject } from '../../../model/json-object.ts';
import type { StoredRecord } from '../../../store/zones/dns-records.ts';
import type { StoredZone } from '../../../store/zones/zones.ts';
import { emptyOk, ok } from '../../../v4/envelope.ts';
import type { Answer } from '../../../v4/send.ts';
import { findZoneAbove } from '../../hostnames/route.ts';
import { changeInternet } from '../../hostnames/run.ts';
import { clockNow } from '../../http/clock.ts';
import { codes } from '../../http/codes.ts';
import { type Exchange, type Platform, param, readJson, refusal, toText } from '../../http/exchange.ts';
import { listAccountZones } from '../../session/account-platform.ts';
import { putWorkerDomain, readWorkerDomains, type WorkerDomain } from '../domains.ts';
import { workerCodes } from './codes.ts';

const filters: readonly (readonly [name: string, read: (domain: WorkerDomain, zone: string) => string])[] = [
  ['hostname', ({ hostname }) => hostname],
  ['service', ({ service }) => service],
  ['zone_id', ({ zoneId }) => zoneId],
  ['zone_name', (_, zone) => zone],
  ['environment', () => 'production'],
];

export function listWorkerDomains({ platform, query }: Exchange): Answer {
  const wanted = filters.flatMap(([name, read]) => {
    const text = query.get(name);
    return text === null ? [] : [{ read, text: plainName(text) }];
  });
  const found = readWorkerDomains(platform).filter((domain) =>
    wanted.every(({ read, text }) => read(domain, readZoneName(platform, domain)) === text),
  );
  return ok(found.map((domain) => formatWorkerDomain(platform, domain)));
}

export function getWorkerDomain(exchange: Exchange): Answer {
  return ok(formatWorkerDomain(exchange.platform, requireDomain(exchange)));
}

/** Makes a worker the origin of a hostname, with a DNS record and a certificate. */
export async function attachWorkerDomain(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const body = await readJson(exchange, 'the domain');
  const { hostname: given, service, zone_id: zoneId, zone_name: named } = isObject(body) ? body : {};
  const hostname = typeof given === 'string' ? plainName(given) : '';
  const zone = findDomainZone(platform, hostname);
  const isNamed = (zoneId ?? zone?.id) === zone?.id && (named ?? zone?.name) === zone?.name;
  if (zone === undefined || !isNamed) throw invalid(`${hostname || 'hostname'} is not in the zone`);
  if (typeof service !== 'string' || platform.registry().workers.find(service) === undefined)
    throw refusal(404, workerCodes.workerNotFound, `Worker ${toText(service)} not found.`);
  const before = readWorkerDomains(platform).find((domain) => domain.hostname === hostname);
  if (before === undefined) refuseOtherRecords(platform, zone, hostname);
  const domain = { ...(before ?? (await createDomainRecord(platform, zone, hostname))), service };
  putWorkerDomain(platform, domain.id, domain);
  return ok(formatWorkerDomain(platform, domain));
}

/** Returns existing records at the name of a new domain. */
export function listOtherRecords(
  platform: Platform,
  zone: StoredZone,
  hostname: string,
): readonly StoredRecord[] {
  const all = platform.registry().dnsRecords.list(zone.id);
  return all.filter(({ name, type }) => name === hostname && /^(?:A|AAAA|CNAME)$/.test(type));
}

export function refuseOtherRecords(platform: Platform, zone: StoredZone, hostname: string): void {
  if (listOtherRecords(platform, zone, hostname).length === 0) return;
  const message = `Hostname '${hostname}' already has externally managed DNS records (A, CNAME, etc). Either delete them, try a different hostname, or use the option 'override_existing_dns_record' to override.`;
  throw refusal(409, workerCodes.domainTaken, message);
}

/**
 * Creates a domain with a record that represents the worker, like the platform: proxied, with an address of the discard prefix.
 * Existing records at the name are deleted.
 */
export async function createDomainRecord(
  platform: Platform,
  zone: StoredZone,
  hostname: string,
): Promise<Omit<WorkerDomain, 'service'>> {
  const { dnsRecords } = platform.registry();
  const draft = { type: 'AAAA', name: hostname, content: '100::', proxied: true, ttl: 1, more: {} };
  const now = clockNow(platform);
  const record = await changeInternet(platform, () => {
    for (const { id } of listOtherRecords(platform, zone, hostname)) dnsRecords.remove(zone.id, id);
    return dnsRecords.create(zone.id, draft, now);
  });
  const hex = (bytes: number) => Buffer.from(platform.random(bytes)).toString('hex');
  return { id: hex(20), hostname, zoneId: zone.id, certificateId: hex(16), recordId: record.id };
}

export async function removeWorkerDomain(exchange: Exchange): Promise<Answer> {
  await removeDomainRecord(exchange.platform, requireDomain(exchange));
  return emptyOk();
}

/** Deletes all domains of a deleted worker, with their records. */
export async function removeWorkerDomains(platform: Platform, service: string): Promise<void> {
  for (const domain of readWorkerDomains(platform).filter((one) => one.service === service))
    await removeDomainRecord(platform, domain);
}

/** Deletes a domain with its record. */
export async function removeDomainRecord(
  platform: Platform,
  { id, zoneId, recordId }: WorkerDomain,
): Promise<void> {
  putWorkerDomain(platform, id, undefined);
  await changeInternet(platform, () => platform.registry().dnsRecords.remove(zoneId, recordId));
}

function requireDomain(exchange: Exchange): WorkerDomain {
  const wanted = param(exchange, 'domain');
  const found = readWorkerDomains(exchange.platform).find(({ id }) => id === wanted);
  if (found !== undefined) return found;
  throw refusal(404, workerCodes.domainNotFound, 'Domain not found.');
}

export function findDomainZone(platform: Platform, hostname: string): StoredZone | undefined {
  return hostname === '' ? undefined : findZoneAbove({ zones: listAccountZones(platform) }, hostname);
}

function readZoneName(platform: Platform, { zoneId }: WorkerDomain): string {
  return platform.registry().zones.find(zoneId)?.name ?? '';
}

export function formatWorkerDomain(platform: Platform, domain: WorkerDomain) {
  return {
    id: domain.id,
    zone_id: domain.zoneId,
    zone_name: readZoneName(platform, domain),
    hostname: domain.hostname,
    service: domain.service,
    environment: 'production',
    cert_id: domain.certificateId,
  };
}

function invalid(why: string) {
  return refusal(400, codes.requestInvalid, `invalid domain: ${why}`);
}
