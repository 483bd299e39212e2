import { isWithin, nameFault, plainName } from '../../model/dns/dns.ts';
import { isObject } from '../../model/json-object.ts';
import type { RecordDraft, StoredRecord } from '../../store/zones/dns-records.ts';
import type { StoredZone } from '../../store/zones/zones.ts';
import { parseRecord } from '../dns/names.ts';
import { encodingFault } from '../dns/records/answers.ts';
import type { RecordData } from '../dns/records/data.ts';
import { formatData, hasParts, normalizeData, parseData, partFault } from '../dns/records/presentation.ts';
import { hostnameCodes } from '../hostnames/codes.ts';
import { refusal, toText } from '../http/exchange.ts';

/** Fields that are stored unchanged. */
const unchangedFields = ['comment', 'tags', 'settings'];
const proxied: readonly string[] = ['A', 'AAAA', 'CNAME'];

/** Returns whether a record of this type can be proxied at all. */
export function canBeProxied(type: string): boolean {
  return proxied.includes(type);
}

/** Parses the body of a record. Like the provider, appends the zone's name to a relative name. `@` is the name of the zone. */
export function readDraft(zone: Pick<StoredZone, 'name'>, body: unknown): RecordDraft {
  const fields = isObject(body) ? body : {};
  const type = toText(fields['type'] ?? '').toUpperCase();
  if (typeof fields['name'] !== 'string') throw validationRefusal('name is required');
  const name = toFullName(zone.name, fields['name']);
  if (nameFault(name) !== undefined) throw validationRefusal(`name "${fields['name']}" is invalid`);
  const { content, data } = readContent(type, fields);
  if (fields['proxied'] === true && !canBeProxied(type))
    throw invalidRefusal('This record type cannot be proxied.');
  const ttl = fields['ttl'] === undefined ? 1 : fields['ttl'];
  if (typeof ttl !== 'number' || !Number.isInteger(ttl) || (ttl !== 1 && !(ttl >= 30 && ttl <= 86_400))) {
    throw invalidRefusal('TTL must be between 60 and 86400 seconds, or 1 for Automatic.');
  }
  const priority = type === 'URI' ? data?.['priority'] : type === 'MX' ? fields['priority'] : undefined;
  const unsendable = encodingFault(name, { type, content, ttl, priority: Number(priority ?? 0) });
  if (unsendable !== undefined) throw validationRefusal(unsendable);
  const more = {
    ...readKeptFields(fields),
    ...(priority !== undefined && { priority }),
    ...(data !== undefined && { data }),
  };
  return { type, name, content, proxied: fields['proxied'] === true, ttl, more };
}

function readKeptFields(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { comment, tags } = fields;
  if ((comment ?? undefined) !== undefined && typeof comment !== 'string')
    throw validationRefusal('comment must be a string');
  if ((tags ?? undefined) !== undefined && !isStringList(tags))
    throw validationRefusal('tags must be a list of non-empty strings');
  const stored = Object.entries(fields).filter(
    ([field, value]) => unchangedFields.includes(field) && value !== null,
  );
  return Object.fromEntries(stored);
}

function isStringList(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => typeof one === 'string' && one !== '');
}

function toFullName(zone: string, given: string): string {
  const name = plainName(given);
  if (name === '@' || name === '') return zone;
  return isWithin(name, zone) ? name : `${name}.${zone}`;
}

interface Content {
  readonly content: string;
  readonly data?: RecordData;
}

/** Returns the normalized content: built from parts if the content was sent in parts, and without the final dot of a name. */
function readContent(type: string, fields: RecordData): Content {
  const { content, data, priority } = fields;
  if (hasParts(type)) return readParts(type, content, isObject(data) ? data : undefined, priority);
  if (typeof content !== 'string' || content === '') throw validationRefusal('content is required');
  const plain = type === 'OPENPGPKEY' ? content.replace(/\s/g, '') : withoutDot(type, content);
  if (type === 'MX' && !isPriority(priority))
    throw validationRefusal('priority must be a whole number from 0 to 65535');
  if (!isContent(type, plain)) throw validationRefusal(`content "${content}" is not a valid ${type} record`);
  return { content: plain };
}

function withoutDot(type: string, content: string): string {
  return nameTypes.includes(type) ? content.replace(/\.$/, '') : content;
}

const nameTypes = ['CNAME', 'NS', 'PTR', 'MX'];

function isContent(type: string, content: string): boolean {
  if (nameTypes.includes(type)) return nameFault(content) === undefined;
  if (type === 'OPENPGPKEY') return /^[A-Za-z0-9+/]+=*$/.test(content);
  // The platform sets the SOA record of a zone.
  return type !== 'SOA' && parseRecord('', type, content, 1) !== undefined;
}

function isPriority(priority: unknown): boolean {
  return Number.isInteger(priority) && Number(priority) >= 0 && Number(priority) <= 65_535;
}

/** Parses a record whose content has parts. The priority of a URI record is a field of the record, not part of `data`. */
function readParts(
  type: string,
  content: unknown,
  given: RecordData | undefined,
  priority: unknown,
): Content {
  const data = given === undefined ? parseContent(type, content) : checkData(type, given, priority);
  const text = formatData(type, data);
  if (text === undefined) throw validationRefusal(`content "${content}" is not a valid ${type} record`);
  return { content: text, data };
}

function parseContent(type: string, content: unknown): RecordData {
  if (typeof content !== 'string' || content === '') throw validationRefusal('data is required');
  const data = parseData(type, content);
  if (data === undefined) throw validationRefusal(`content "${content}" is not a valid ${type} record`);
  return data;
}

function checkData(type: string, given: RecordData, priority: unknown): RecordData {
  const whole = type === 'URI' && priority !== undefined ? { ...given, priority } : given;
  const wrong = partFault(type, whole);
  if (wrong !== undefined) throw validationRefusal(`data is not a valid ${type} record: ${wrong}`);
  return normalizeData(type, whole);
}

function validationRefusal(what: string) {
  return invalidRefusal(`DNS Validation Error: ${what}.`);
}

function invalidRefusal(message: string) {
  return refusal(400, hostnameCodes.recordInvalid, message);
}

/** Refuses A or AAAA records next to a CNAME (API reference, Create DNS Record), and duplicate records. */
export function refuseConflict(
  draft: RecordDraft,
  others: readonly Pick<StoredRecord, 'name' | 'type' | 'content'>[],
): void {
  const beside = others.filter((other) => other.name === draft.name);
  if (beside.some((other) => other.type === draft.type && other.content === draft.content)) {
    throw refusal(400, hostnameCodes.recordTaken, 'An identical record already exists.');
  }
  const types = beside.map(({ type }) => type);
  if (draft.type === 'CNAME' && types.some((type) => canBeProxied(type))) {
    const message = 'An A, AAAA, or CNAME record with that host already exists.';
    throw refusal(400, hostnameCodes.hostTaken, message);
  }
  if (['A', 'AAAA'].includes(draft.type) && types.includes('CNAME'))
    throw refusal(400, hostnameCodes.aliasTaken, 'A CNAME record with that host already exists.');
}

/** Merges the fields of a change into the body of a record. */
export function mergeBody(
  { type, name, content, proxied: isProxied, ttl, more }: StoredRecord,
  body: unknown,
): object {
  const changes = isObject(body) ? body : {};
  const { data, ...rest } = more;
  const before =
    'content' in changes || 'data' in changes ? {} : { content, ...(data !== undefined && { data }) };
  return { type, name, proxied: isProxied, ttl, ...rest, ...before, ...changes };
}
