import { isWithin, nameFault, plainName } from '../../model/dns/dns.ts';
import { wireTime } from '../../model/hostnames/state.ts';
import type { RecordDraft, StoredRecord } from '../../store/zones/dns-records.ts';
import type { StoredZone } from '../../store/zones/zones.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { parseRecord } from '../dns/names.ts';
import { hostnameCodes } from '../hostnames/codes.ts';
import { changeInternet } from '../hostnames/run.ts';
import { clockNow } from '../http/clock.ts';
import { type Exchange, isObject, param, readJson, refusal } from '../http/exchange.ts';
import { pageInfo, wholeNumber } from '../http/paging.ts';
import { recordFilter, recordOrder } from './record-filter.ts';
import { zoneOf } from './routes.ts';

const bodyLimit = 64 * 1024;

export function listRecords(exchange: Exchange): Answer {
  const { platform, query } = exchange;
  const page = wholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = wholeNumber(query, 'per_page', 1, 5_000_000, 100);
  const found = platform
    .registry()
    .dnsRecords.list(zoneOf(exchange).id)
    .filter(recordFilter(query))
    .sort(recordOrder(query));
  const shown = found.slice((page - 1) * perPage, page * perPage);
  return ok(shown.map(shapeOf(exchange)), pageInfo(page, perPage, shown.length, found.length));
}

export function getRecord(exchange: Exchange): Answer {
  return ok(shapeOf(exchange)(recordOf(exchange)));
}

export async function createRecord(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = zoneOf(exchange);
  const draft = readDraft(zone, await readJson(exchange, 'the DNS record', bodyLimit));
  const { dnsRecords } = platform.registry();
  refuseConflict(draft, dnsRecords.list(zone.id));
  const now = clockNow(platform);
  const record = await changeInternet(platform, () => dnsRecords.create(zone.id, draft, now));
  return ok(shapeOf(exchange)(record));
}

/** Replaces a record by another one. */
export async function replaceRecord(exchange: Exchange): Promise<Answer> {
  return write(exchange, await readJson(exchange, 'the DNS record', bodyLimit));
}

/** Changes the fields that the body names. */
export async function changeRecord(exchange: Exchange): Promise<Answer> {
  const { type, name, content, proxied, ttl, more } = recordOf(exchange);
  const body = await readJson(exchange, 'the DNS record', bodyLimit);
  const changes = isObject(body) ? body : {};
  const kept = 'content' in changes || !('data' in changes) ? { content } : {};
  return write(exchange, { type, name, proxied, ttl, ...more, ...kept, ...changes });
}

async function write(exchange: Exchange, body: unknown): Promise<Answer> {
  const { platform } = exchange;
  const zone = zoneOf(exchange);
  const { id } = recordOf(exchange);
  const draft = readDraft(zone, body);
  const { dnsRecords } = platform.registry();
  refuseConflict(
    draft,
    dnsRecords.list(zone.id).filter((other) => other.id !== id),
  );
  const now = clockNow(platform);
  const record = await changeInternet(platform, () => dnsRecords.change(zone.id, id, draft, now));
  if (record === undefined) throw notFound();
  return ok(shapeOf(exchange)(record));
}

export async function removeRecord(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = zoneOf(exchange);
  const { id } = recordOf(exchange);
  await changeInternet(platform, () => platform.registry().dnsRecords.remove(zone.id, id));
  return ok({ id });
}

function recordOf(exchange: Exchange): StoredRecord {
  const { dnsRecords } = exchange.platform.registry();
  const found = dnsRecords.find(zoneOf(exchange).id, param(exchange, 'record'));
  if (found === undefined) throw notFound();
  return found;
}

function notFound() {
  return refusal(404, hostnameCodes.recordNotFound, 'Record does not exist.');
}

/** Parses the body of a record. The name is completed with the zone's, as the provider does; `@` is the zone itself. */
export function readDraft(zone: Pick<StoredZone, 'name'>, body: unknown): RecordDraft {
  const fields = isObject(body) ? body : {};
  const { type: givenType, name: givenName, proxied, ttl, content: givenContent, ...more } = fields;
  const type = String(givenType ?? '').toUpperCase();
  const name = completeName(zone.name, String(givenName ?? ''));
  const content = contentOf(type, givenContent, more['data']);
  if (nameFault(name) !== undefined || content === undefined) throw invalid(type, content);
  if (parseRecord(name, type, content, 1) === undefined && !keptTypes.includes(type))
    throw invalid(type, content);
  if (proxied === true && !['A', 'AAAA', 'CNAME'].includes(type)) {
    throw refusal(400, hostnameCodes.recordInvalid, 'This record type cannot be proxied.');
  }
  const seconds = ttl === undefined ? 1 : ttl;
  if (
    typeof seconds !== 'number' ||
    !Number.isInteger(seconds) ||
    (seconds !== 1 && !(seconds >= 30 && seconds <= 86_400))
  ) {
    throw refusal(
      400,
      hostnameCodes.recordInvalid,
      'TTL must be between 60 and 86400 seconds, or 1 for Automatic.',
    );
  }
  return { type, name, content, proxied: proxied === true, ttl: seconds, more: keptOf(more) };
}

/** Kept and given back; DNS does not answer them. */
const keptTypes: readonly string[] = [
  'MX',
  'SRV',
  'PTR',
  'HTTPS',
  'SVCB',
  'TLSA',
  'DS',
  'DNSKEY',
  'NAPTR',
  'SSHFP',
  'URI',
];

function keptOf(more: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const kept = ['comment', 'tags', 'settings', 'data', 'priority'];
  return Object.fromEntries(Object.entries(more).filter(([name]) => kept.includes(name)));
}

function completeName(zone: string, given: string): string {
  const name = plainName(given);
  if (name === '@' || name === '') return zone;
  return isWithin(name, zone) ? name : `${name}.${zone}`;
}

function contentOf(type: string, content: unknown, data: unknown): string | undefined {
  if (typeof content === 'string' && content !== '') return content;
  if (!isObject(data)) return undefined;
  if (type !== 'CAA') return JSON.stringify(data);
  return `${String(data['flags'] ?? 0)} ${String(data['tag'])} "${String(data['value'] ?? '').replaceAll('"', '\\"')}"`;
}

function invalid(type: string, content: string | undefined) {
  const what = content === undefined ? 'content is required' : `content "${content}" is no ${type} record`;
  return refusal(400, hostnameCodes.recordInvalid, `DNS Validation Error: ${what}.`);
}

/** A and AAAA never stand beside a CNAME (API reference, Create DNS Record), and no record is there twice. */
function refuseConflict(draft: RecordDraft, others: readonly StoredRecord[]): void {
  const beside = others.filter((other) => other.name === draft.name);
  if (beside.some((other) => other.type === draft.type && other.content === draft.content)) {
    throw refusal(400, hostnameCodes.recordTaken, 'An identical record already exists.');
  }
  const types = beside.map(({ type }) => type);
  if (draft.type === 'CNAME' && types.some((type) => ['A', 'AAAA', 'CNAME'].includes(type))) {
    const message = 'An A, AAAA, or CNAME record with that host already exists.';
    throw refusal(400, hostnameCodes.hostTaken, message);
  }
  if (['A', 'AAAA'].includes(draft.type) && types.includes('CNAME'))
    throw refusal(400, hostnameCodes.aliasTaken, 'A CNAME record with that host already exists.');
}

function shapeOf(exchange: Exchange): (record: StoredRecord) => object {
  const zone = zoneOf(exchange);
  return ({ id, type, name, content, proxied, ttl, more, createdAt, modifiedAt }) => ({
    id,
    zone_id: zone.id,
    zone_name: zone.name,
    name,
    type,
    content,
    proxiable: ['A', 'AAAA', 'CNAME'].includes(type),
    proxied,
    ttl,
    settings: {},
    meta: {},
    comment: null,
    tags: [],
    ...more,
    created_on: wireTime(createdAt),
    modified_on: wireTime(modifiedAt),
  });
}
