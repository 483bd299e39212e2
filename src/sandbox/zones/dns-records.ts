import { plainName } from '../../model/dns/dns.ts';
import { wireTime } from '../../model/hostnames/state.ts';
import type { StoredRecord } from '../../store/zones/dns-records.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { hostnameCodes } from '../hostnames/codes.ts';
import { changeInternet } from '../hostnames/run.ts';
import { clockNow } from '../http/clock.ts';
import { type Exchange, param, readJson, refusal, toText } from '../http/exchange.ts';
import { isDescending, pageInfo, readChoice, readWholeNumber } from '../http/paging.ts';
import { canBeProxied, mergeBody, readDraft, refuseConflict } from './draft.ts';
import { requireZone } from './zones.ts';

export function listRecords(exchange: Exchange): Answer {
  const { platform, query } = exchange;
  const page = readWholeNumber(query, 'page', 1, Number.MAX_SAFE_INTEGER, 1);
  const perPage = readWholeNumber(query, 'per_page', 1, 5_000_000, 100);
  const found = platform
    .registry()
    .dnsRecords.list(requireZone(exchange).id)
    .filter(parseRecordFilter(query))
    .sort(parseRecordOrder(query));
  const shown = found.slice((page - 1) * perPage, page * perPage);
  return ok(shown.map(createRecordFormatter()), pageInfo(page, perPage, shown.length, found.length));
}

export function getRecord(exchange: Exchange): Answer {
  return ok(createRecordFormatter()(requireRecord(exchange)));
}

export async function createRecord(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = requireZone(exchange);
  const draft = readDraft(zone, await readJson(exchange, 'the DNS record'));
  const { dnsRecords } = platform.registry();
  refuseConflict(draft, dnsRecords.list(zone.id));
  const now = clockNow(platform);
  const record = await changeInternet(platform, () => dnsRecords.create(zone.id, draft, now));
  return ok(createRecordFormatter()(record));
}

/** Replaces a record. */
export async function replaceRecord(exchange: Exchange): Promise<Answer> {
  return writeRecord(exchange, await readJson(exchange, 'the DNS record'));
}

/** Changes only those fields of a record that are in the body. */
export async function changeRecord(exchange: Exchange): Promise<Answer> {
  const record = requireRecord(exchange);
  const body = await readJson(exchange, 'the DNS record');
  return writeRecord(exchange, mergeBody(record, body));
}

async function writeRecord(exchange: Exchange, body: unknown): Promise<Answer> {
  const { platform } = exchange;
  const zone = requireZone(exchange);
  const { id } = requireRecord(exchange);
  const draft = readDraft(zone, body);
  const { dnsRecords } = platform.registry();
  refuseConflict(
    draft,
    dnsRecords.list(zone.id).filter((other) => other.id !== id),
  );
  const now = clockNow(platform);
  const record = await changeInternet(platform, () => dnsRecords.change(zone.id, id, draft, now));
  if (record === undefined) throw notFoundRefusal();
  return ok(createRecordFormatter()(record));
}

export async function removeRecord(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = requireZone(exchange);
  const { id } = requireRecord(exchange);
  await changeInternet(platform, () => platform.registry().dnsRecords.remove(zone.id, id));
  return ok({ id });
}

function requireRecord(exchange: Exchange): StoredRecord {
  const { dnsRecords } = exchange.platform.registry();
  const found = dnsRecords.find(requireZone(exchange).id, param(exchange, 'record'));
  if (found === undefined) throw notFoundRefusal();
  return found;
}

function notFoundRefusal() {
  return refusal(404, hostnameCodes.recordNotFound, 'Record does not exist.');
}

/** Returns a function that formats a record for the API. */
export function createRecordFormatter(): (record: StoredRecord) => object {
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

/** A function that returns whether a record matches the filter. */
type RecordTest = (record: StoredRecord) => boolean;

/** Filterable fields of records, as strings; undefined for a missing comment. */
const fields: Readonly<Record<string, (record: StoredRecord) => string | undefined>> = {
  type: ({ type }) => type,
  name: ({ name }) => name,
  content: ({ content }) => content,
  proxied: ({ proxied }) => String(proxied),
  comment: ({ more }) => (typeof more['comment'] === 'string' ? more['comment'] : undefined),
};

/**
 * Parses the filter in a query. A field is matched exactly, or with `.contains`, `.startswith` or `.endswith` (a comment also with
 * `.present` or `.absent`); `tag` matches a tag, and `search` matches any field. With `match=any`, one matching condition is enough. Case
 * is ignored, and a name may end in a dot.
 */
function parseRecordFilter(query: URLSearchParams): RecordTest {
  const tests = [...query].flatMap(([key, value]) => parseTest(key, value) ?? []);
  const any = readChoice(query, 'match', ['all', 'any']) === 'any';
  if (tests.length === 0) return () => true;
  return (record) => (any ? tests.some((test) => test(record)) : tests.every((test) => test(record)));
}

function parseTest(key: string, value: string): RecordTest | undefined {
  const [field = '', way = 'exact'] = key.split('.');
  const wanted = field === 'name' ? plainName(value) : value.toLowerCase();
  if (key === 'search')
    return (record) => Object.values(fields).some((read) => toLowerCase(read(record)).includes(wanted));
  if (key === 'tag') return (record) => readTags(record).includes(wanted);
  const read = Object.hasOwn(fields, field) ? fields[field] : undefined;
  if (read === undefined) return undefined;
  if (field !== 'content') return (record) => compare(read(record)?.toLowerCase(), way, wanted);
  // If the content is a name, the value of the filter may end in a dot.
  const plain = wanted.replace(/\.$/, '');
  return ({ content }) => [wanted, plain].some((one) => compare(content.toLowerCase(), way, one));
}

function compare(actual: string | undefined, way: string, wanted: string): boolean {
  switch (way) {
    case 'present':
      return actual !== undefined;
    case 'absent':
      return actual === undefined;
    case 'contains':
      return actual?.includes(wanted) === true;
    case 'startswith':
      return actual?.startsWith(wanted) === true;
    case 'endswith':
      return actual?.endsWith(wanted) === true;
    default:
      return actual === wanted;
  }
}

function toLowerCase(text: string | undefined): string {
  return (text ?? '').toLowerCase();
}

function readTags({ more }: StoredRecord): readonly string[] {
  const tags = more['tags'];
  return Array.isArray(tags) ? tags.map((tag) => toText(tag).toLowerCase()) : [];
}

/** Parses the order of a query (default: order of creation). */
function parseRecordOrder(query: URLSearchParams): (left: StoredRecord, right: StoredRecord) => number {
  const field = readChoice(query, 'order', ['type', 'name', 'content', 'ttl', 'proxied']);
  const turn = isDescending(query) ? -1 : 1;
  if (field === undefined) return () => 0;
  return (left, right) => {
    if (field === 'ttl') return turn * (left.ttl - right.ttl);
    const [one, other] = [String(left[field]), String(right[field])];
    return turn * (one < other ? -1 : one > other ? 1 : 0);
  };
}
