import { textBytes } from '../../model/dns/strings.ts';
import { isObject } from '../../model/json-object.ts';
import type { RecordDraft, StoredRecord } from '../../store/zones/dns-records.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { type FileRecord, formatZoneFile, isInZone, parseZoneFile } from '../dns/records/zone-file.ts';
import { hostnameCodes } from '../hostnames/codes.ts';
import { changeInternet } from '../hostnames/run.ts';
import { clockNow } from '../http/clock.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, readJson, refusal, toText } from '../http/exchange.ts';
import { readMultipart } from '../http/multipart.ts';
import { createRecordFormatter } from './dns-records.ts';
import { canBeProxied, mergeBody, readDraft, refuseConflict } from './draft.ts';
import { requireZone } from './zones.ts';

const bodyLimit = 4 * 1024 * 1024;

/** Exports the records of the zone as a zone file, not as JSON. */
export function exportRecords(exchange: Exchange): Answer {
  const { platform } = exchange;
  const { id, name } = requireZone(exchange);
  const text = formatZoneFile(name, platform.registry().dnsRecords.list(id), clockNow(platform));
  return { status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: Buffer.from(text) };
}

/** Adds the records from the zone file in the form part `file`. Existing records stay unchanged. */
export async function importRecords(exchange: Exchange): Promise<Answer> {
  const { platform, call } = exchange;
  const zone = requireZone(exchange);
  const tooLong = () => refusal(413, codes.bodyTooLong, 'the zone file is too long');
  const parts = await readMultipart(call.headers['content-type'] ?? '', call.body, bodyLimit, tooLong);
  const file = parts.get('file');
  if (file === undefined) throw refusal(400, codes.requestInvalid, 'the form has no part "file"');
  const isProxied = Buffer.from(parts.get('proxied') ?? '').toString() === 'true';
  const found = parseFile(zone.name, Buffer.from(file).toString('utf8'));
  const { dnsRecords } = platform.registry();
  const there = new ByName<Written>(dnsRecords.list(zone.id));
  const drafts: RecordDraft[] = [];
  for (const { proxied = isProxied, ...record } of found.filter((one) => isInZone(one, zone.name))) {
    const draft = readDraft(zone, { ...record, proxied: proxied && canBeProxied(record.type) });
    const beside = there.at(draft.name);
    if (beside.some((one) => isSameRecord(one, draft))) continue;
    refuseConflict(draft, beside);
    drafts.push(draft);
    there.add(draft);
  }
  const now = clockNow(platform);
  await changeInternet(platform, () => {
    for (const draft of drafts) dnsRecords.create(zone.id, draft, now);
  });
  return ok({ recs_added: drafts.length, total_records_parsed: found.length });
}

type Written = Pick<StoredRecord, 'name' | 'type' | 'content'>;

/**
 * Returns whether two records with the same name have the same type and content. TXT content with quotes, as in a file, equals the same
 * content without quotes, as sent to the API.
 */
function isSameRecord(one: Written, other: Written): boolean {
  if (one.type !== other.type) return false;
  if (one.type !== 'TXT') return one.content === other.content;
  return textBytes(one.content).equals(textBytes(other.content));
}

function parseFile(zone: string, text: string): FileRecord[] {
  try {
    return parseZoneFile(zone, text);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw refusal(400, hostnameCodes.recordInvalid, `DNS Validation Error: ${why}.`);
  }
}

/** A change in a batch that has been checked. */
interface Step {
  readonly of: 'deletes' | 'patches' | 'puts' | 'posts';
  readonly record?: StoredRecord;
  readonly draft?: RecordDraft;
}

/**
 * Deletes, changes, replaces and creates records, in this order. Before any change is made, all changes are checked, including for
 * conflicts with each other.
 */
export async function batchRecords(exchange: Exchange): Promise<Answer> {
  const { platform } = exchange;
  const zone = requireZone(exchange);
  const body = await readJson(exchange, 'the batch', bodyLimit);
  const steps = planBatch(exchange, isObject(body) ? body : {});
  const { dnsRecords } = platform.registry();
  const now = clockNow(platform);
  const result: Record<Step['of'], object[]> = { deletes: [], patches: [], puts: [], posts: [] };
  const shape = createRecordFormatter();
  await changeInternet(platform, () => {
    for (const { of, record, draft } of steps) {
      if (record !== undefined && draft === undefined) dnsRecords.remove(zone.id, record.id);
      const changed =
        draft === undefined
          ? record
          : record === undefined
            ? dnsRecords.create(zone.id, draft, now)
            : dnsRecords.change(zone.id, record.id, draft, now);
      if (changed !== undefined) result[of].push(shape(changed));
    }
  });
  return ok(result);
}

function planBatch(exchange: Exchange, body: Readonly<Record<string, unknown>>): Step[] {
  const zone = requireZone(exchange);
  const before = exchange.platform.registry().dnsRecords.list(zone.id);
  const there = new Map(before.map((record) => [record.id, record]));
  const standing = new ByName<RecordDraft>(before);
  const steps: Step[] = [];
  const stored = (item: Readonly<Record<string, unknown>>): StoredRecord => {
    const found = there.get(toText(item['id']));
    if (found !== undefined) return found;
    throw refusal(404, hostnameCodes.recordNotFound, 'Record does not exist.');
  };
  const put = (of: Step['of'], draft: RecordDraft, record?: StoredRecord) => {
    if (record !== undefined) standing.delete(record);
    refuseConflict(draft, standing.at(draft.name));
    const replaced = record && { ...record, ...draft };
    if (replaced !== undefined) there.set(replaced.id, replaced);
    standing.add(replaced ?? draft);
    steps.push({ of, draft, ...(record !== undefined && { record }) });
  };
  for (const item of readItems(body, 'deletes')) {
    const record = stored(item);
    there.delete(record.id);
    standing.delete(record);
    steps.push({ of: 'deletes', record });
  }
  for (const item of readItems(body, 'patches')) {
    const record = stored(item);
    put('patches', readDraft(zone, mergeBody(record, item)), record);
  }
  for (const item of readItems(body, 'puts')) put('puts', readDraft(zone, item), stored(item));
  for (const item of readItems(body, 'posts')) put('posts', readDraft(zone, item));
  return steps;
}

function readItems(
  body: Readonly<Record<string, unknown>>,
  name: Step['of'],
): Readonly<Record<string, unknown>>[] {
  const items = body[name] ?? [];
  if (Array.isArray(items) && items.every(isObject)) return items;
  throw refusal(400, codes.requestInvalid, `invalid ${name}: must be a list of records`);
}

/** An index of records by name, which finds conflicts quickly in zones of any size. */
class ByName<Record extends { readonly name: string }> {
  readonly #records = new Map<string, Set<Record>>();

  constructor(records: Iterable<Record>) {
    for (const record of records) this.add(record);
  }

  add(record: Record): void {
    const beside = this.#records.get(record.name);
    if (beside === undefined) this.#records.set(record.name, new Set([record]));
    else beside.add(record);
  }

  /** Removes an added record, by object identity. */
  delete(record: Record): void {
    this.#records.get(record.name)?.delete(record);
  }

  at(name: string): Record[] {
    return [...(this.#records.get(name) ?? [])];
  }
}
