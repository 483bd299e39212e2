import { wireTime } from '../../model/hostnames/state.ts';
import type { StoredRecord } from '../../store/zones/dns-records.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { hostnameCodes } from '../hostnames/codes.ts';
import { changeInternet } from '../hostnames/run.ts';
import { clockNow } from '../http/clock.ts';
import { type Exchange, param, readJson, refusal } from '../http/exchange.ts';
import { pageInfo, wholeNumber } from '../http/paging.ts';
import { canBeProxied, changedBody, readDraft, refuseConflict } from './draft.ts';
import { recordFilter, recordOrder } from './record-filter.ts';
import { zoneOf } from './routes.ts';

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
  return ok(shown.map(recordShape()), pageInfo(page, perPage, shown.length, found.length));
}

export function getRecord(exchange: Exchange): Answer {
  return ok(recordShape()(recordOf(exchange)));
}

export async function createRecord(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = zoneOf(exchange);
  const draft = readDraft(zone, await readJson(exchange, 'the DNS record'));
  const { dnsRecords } = platform.registry();
  refuseConflict(draft, dnsRecords.list(zone.id));
  const now = clockNow(platform);
  const record = await changeInternet(platform, () => dnsRecords.create(zone.id, draft, now));
  return ok(recordShape()(record));
}

/** Replaces a record by another one. */
export async function replaceRecord(exchange: Exchange): Promise<Answer> {
  return write(exchange, await readJson(exchange, 'the DNS record'));
}

/** Changes the fields that the body names. */
export async function changeRecord(exchange: Exchange): Promise<Answer> {
  const record = recordOf(exchange);
  const body = await readJson(exchange, 'the DNS record');
  return write(exchange, changedBody(record, body));
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
  return ok(recordShape()(record));
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

/** A record as the API shows it. */
export function recordShape(): (record: StoredRecord) => object {
  return ({ id, type, name, content, proxied, ttl, more, createdAt, modifiedAt }) => ({
    id,
    name,
    type,
    content,
    proxiable: canBeProxied(type) && !content.startsWith('127.'),
    proxied,
    ttl,
    settings: type === 'CNAME' ? { flatten_cname: false } : {},
    meta: {},
    comment: null,
    tags: [],
    ...more,
    created_on: wireTime(createdAt),
    modified_on: wireTime(modifiedAt),
  });
}
