import { isObject } from '../../model/json-object.ts';
import { kvLimits } from '../../model/kv/kv.ts';
import type { StoredEntry, StoredValue } from '../../store/kv/kv.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { keysNow } from '../http/clock.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, readJson, refusal, unreadableBody } from '../http/exchange.ts';
import { requireNamespace } from './namespaces.ts';
import { checkKeyName, checkMetadata, toExpiration } from './values.ts';

const pairs = 'array of key-value pairs';

/**
 * `PUT .../bulk`: writes an array of up to 10,000 entries, which can be up to 100 MB in size. If one entry is invalid, all entries are
 * refused.
 */
export async function writeBulk(exchange: Exchange): Promise<Answer> {
  requireNamespace(exchange, 'bulk put');
  const body = await readArray(exchange, pairs, kvLimits.bulkPutEntries);
  const now = keysNow(exchange.platform);
  const entries = body.map((entry, index) => parseEntry(entry, index, now));
  // The check is repeated, because the namespace may have been deleted while the body arrived.
  const { id } = requireNamespace(exchange, 'bulk put');
  exchange.platform.kv().write(id, entries, now);
  return ok({ successful_key_count: entries.length, unsuccessful_keys: [] });
}

function parseEntry(entry: unknown, index: number, now: number): StoredEntry {
  if (!isObject(entry)) throw unreadableBody(pairs, `entry ${index} is not an object`);
  const { key, value } = entry;
  if (typeof key !== 'string') throw unreadableBody(pairs, `key of entry ${index} is not a string`);
  if (typeof value !== 'string') throw unreadableBody(pairs, `value of entry ${index} is not a string`);
  checkKeyName(key);
  const metadata = checkMetadata(entry['metadata']);
  const expiration = toExpiration({ ttl: entry['expiration_ttl'], expiration: entry['expiration'] }, now);
  return {
    key,
    value: decodeValue(value, entry['base64'] === true, index),
    ...(expiration === undefined ? {} : { expiration }),
    ...(metadata === undefined ? {} : { metadata }),
  };
}

function decodeValue(value: string, base64: boolean, index: number): Uint8Array {
  if (base64 && (value.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(value))) {
    throw refusal(400, codes.requestInvalid, `bulk put: 'value of entry ${index} is not base64'`);
  }
  const bytes = Buffer.from(value, base64 ? 'base64' : 'utf8');
  if (bytes.length <= kvLimits.valueBytes) return bytes;
  throw refusal(
    413,
    codes.bodyTooLong,
    `bulk put: 'value of entry ${index} exceeds ${kvLimits.valueBytes} bytes'`,
  );
}

/** `POST .../bulk/delete` and `DELETE .../bulk`: delete the keys in an array of up to 10,000 names. Missing keys are ignored. */
export async function removeBulk(exchange: Exchange): Promise<Answer> {
  const { id } = requireNamespace(exchange, 'bulk delete');
  const names = requireKeyNames(await readArray(exchange, 'array of keys', kvLimits.bulkDeleteKeys));
  exchange.platform.kv().remove(id, names);
  return ok({ successful_key_count: names.length, unsuccessful_keys: [] });
}

/**
 * `POST .../bulk/get {keys, type, withMetadata}`: returns the values of up to 100 keys; the value of a missing key is null. Values are
 * strings, or parsed JSON with type `json`, and are limited to 25 MiB in total.
 */
export async function readBulk(exchange: Exchange): Promise<Answer> {
  const { id } = requireNamespace(exchange, 'bulk get');
  const query = parseQuery(await readJson(exchange, 'bulk get query', kvLimits.bulkBytes));
  const { platform } = exchange;
  const values: Record<string, unknown> = Object.create(null);
  let total = 0;
  let index = 0;
  for (const stored of platform.kv().readMany(id, query.keys, keysNow(platform))) {
    const key = query.keys[index++] ?? '';
    total += stored?.value.length ?? 0;
    if (total > kvLimits.valueBytes)
      throw refusal(413, codes.bodyTooLong, "bulk get: 'values exceed 25 MiB in total'");
    values[key] = stored === undefined ? null : formatValue(stored, key, query);
  }
  return ok({ values });
}

function formatValue(stored: StoredValue, key: string, { type, withMetadata }: BulkQuery): unknown {
  const value = decodeStored(stored.value, type, key);
  if (!withMetadata) return value;
  const { expiration, metadata = null } = stored;
  return { value, metadata, ...(expiration === undefined ? {} : { expiration }) };
}

interface BulkQuery {
  readonly keys: readonly string[];
  readonly type: 'text' | 'json';
  readonly withMetadata: boolean;
}

function parseQuery(body: unknown): BulkQuery {
  if (!isObject(body) || !Array.isArray(body['keys']))
    throw unreadableBody('bulk get query', 'the array "keys" is missing');
  const keys = requireKeyNames(body['keys']);
  if (keys.length === 0) throw refusal(400, codes.keysRequired, "bulk get: 'at least one key is required'");
  if (keys.length > kvLimits.bulkGetKeys) {
    throw refusal(400, codes.limitExceeded, `bulk get: 'at most ${kvLimits.bulkGetKeys} keys are allowed'`);
  }
  const type = body['type'] ?? 'text';
  if (type !== 'text' && type !== 'json') throw unreadableBody('bulk get query', 'type must be text or json');
  return { keys, type, withMetadata: body['withMetadata'] === true };
}

function decodeStored(bytes: Uint8Array, type: 'text' | 'json', key: string): unknown {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  if (type === 'text') return text;
  try {
    return JSON.parse(text);
  } catch {
    throw refusal(400, codes.requestInvalid, `bulk get: 'the value of ${JSON.stringify(key)} is not JSON'`);
  }
}

async function readArray(exchange: Exchange, what: string, maxItems: number): Promise<readonly unknown[]> {
  const body = await readJson(exchange, what, kvLimits.bulkBytes);
  if (!Array.isArray(body)) throw unreadableBody(what, 'it is not a JSON array');
  if (body.length > maxItems)
    throw refusal(400, codes.limitExceeded, `at most ${maxItems} keys are allowed in one bulk request`);
  return body;
}

function requireKeyNames(names: readonly unknown[]): string[] {
  return names.map((name, index) => {
    if (typeof name !== 'string') throw unreadableBody('array of keys', `item ${index} is not a string`);
    checkKeyName(name);
    return name;
  });
}
