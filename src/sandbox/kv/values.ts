import { expiryFault, jsonLength, keyFault, kvLimits, utf8Length } from '../../model/kv/kv.ts';
import type { Problem } from '../../model/problem.ts';
import type { StoredEntry } from '../../store/kv/kv.ts';
import { ok } from '../../v4/envelope.ts';
import type { Answer } from '../../v4/send.ts';
import { codes } from '../http/codes.ts';
import { type Exchange, param, readLimited, refusal } from '../http/exchange.ts';
import { requireNamespace, requireNamespaceNow } from './namespaces.ts';

/** `GET .../values/{key}`: returns the stored bytes, unchanged. The header `expiration` contains UNIX seconds, if the key expires. */
export function readValue(exchange: Exchange): Answer {
  const { id, now } = requireNamespaceNow(exchange, 'get');
  const stored = exchange.platform.kv().read(id, requireKey(exchange), now);
  if (stored === undefined) throw refusal(404, codes.keyNotFound, "get: 'key not found'");
  const expiration = stored.expiration === undefined ? {} : { expiration: String(stored.expiration) };
  return {
    status: 200,
    headers: { 'content-type': 'application/octet-stream', ...expiration },
    body: stored.value,
  };
}

/** `GET .../metadata/{key}`: returns the metadata of the key; null if the key has no metadata. */
export function readMetadata(exchange: Exchange): Answer {
  const { id, now } = requireNamespaceNow(exchange, 'get metadata');
  const entry = exchange.platform.kv().readEntry(id, requireKey(exchange), now);
  if (entry === undefined) throw refusal(404, codes.keyNotFound, "get metadata: 'key not found'");
  return ok(entry.metadata ?? null);
}

/** `DELETE .../values/{key}`: deletes the key; a missing key is ignored. */
export function removeValue(exchange: Exchange): Answer {
  const { id } = requireNamespace(exchange, 'remove key');
  exchange.platform.kv().remove(id, [requireKey(exchange)]);
  return ok({});
}

/**
 * `PUT .../values/{key}?expiration&expiration_ttl`: stores a value. A raw body is the value; a multipart form contains `value` and
 * optionally `metadata` (JSON), `expiration` and `expiration_ttl`. A TTL overrides an expiration.
 */
export async function writeValue(exchange: Exchange): Promise<Answer> {
  requireNamespace(exchange, 'put');
  const key = requireKey(exchange);
  const form = await readForm(exchange);
  // The check is repeated, because the namespace may have been deleted while the body arrived.
  const { id, now } = requireNamespaceNow(exchange, 'put');
  const expiration = toExpiration(readRawExpiry(exchange.query, form.fields), now);
  const metadata = parseMetadata(form.fields.get('metadata'));
  const entry: StoredEntry = {
    key,
    value: form.value,
    ...(expiration === undefined ? {} : { expiration }),
    ...(metadata === undefined ? {} : { metadata }),
  };
  exchange.platform.kv().write(id, [entry], now);
  return ok({});
}

interface Form {
  readonly value: Uint8Array;
  readonly fields: ReadonlyMap<string, string>;
}

async function readForm({ call }: Exchange): Promise<Form> {
  const type = call.headers['content-type'] ?? '';
  if (!/^multipart\/form-data\b/i.test(type)) {
    return { value: await readLimited(call.body, kvLimits.valueBytes, refuseLongValue), fields: new Map() };
  }
  const { readMultipart } = await import('../http/multipart.ts');
  const parts = await readMultipart(type, call.body, kvLimits.valueBytes, refuseLongValue);
  const value = parts.get('value');
  if (value === undefined)
    throw refusal(400, codes.requestInvalid, "put: 'the form has no part named value'");
  const texts = [...parts].filter(([name]) => name !== 'value');
  return {
    value,
    fields: new Map(texts.map(([name, bytes]) => [name, Buffer.from(bytes).toString('utf8')])),
  };
}

function refuseLongValue(): Problem {
  return refusal(413, codes.bodyTooLong, `put: 'value exceeds the limit of ${kvLimits.valueBytes} bytes'`);
}

/** Returns the key in the path, which may contain unencoded slashes. */
function requireKey(exchange: Exchange): string {
  const key = param(exchange, 'key');
  checkKeyName(key);
  return key;
}

/** Refuses an invalid key name: with 414 if it is too long, otherwise with 400. */
export function checkKeyName(key: string): void {
  const fault = keyFault(key);
  if (fault === undefined) return;
  const length = utf8Length(key);
  if (length > kvLimits.keyBytes) {
    throw refusal(
      414,
      codes.keyTooLong,
      `UTF-8 encoded length of ${length} exceeds key length limit of ${kvLimits.keyBytes}.`,
    );
  }
  throw refusal(400, codes.requestInvalid, `invalid key: '${fault}'`);
}

/**
 * The expiry of a key as the client sent it: a duration (`ttl`) or a time (`expiration`). The values are strings in a query, and numbers in
 * JSON.
 */
interface RawExpiry {
  readonly ttl: unknown;
  readonly expiration: unknown;
}

function readRawExpiry(query: URLSearchParams, fields: ReadonlyMap<string, string>): RawExpiry {
  const one = (name: string) => toNumber(query.get(name) ?? fields.get(name));
  return { ttl: one('expiration_ttl'), expiration: one('expiration') };
}

/** Converts a string to a number. Any other string is returned unchanged, for the error message; an empty string counts as absent. */
function toNumber(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  return /^-?\d+$/.test(text) ? Number(text) : text;
}

/** Returns when a written key expires, in UNIX seconds; undefined for never. Refuses a time less than 60 seconds in the future. */
export function toExpiration({ ttl, expiration }: RawExpiry, now: number): number | undefined {
  if (ttl !== undefined && ttl !== null) {
    if (typeof ttl === 'number' && expiryFault({ ttl }, now) === undefined)
      return Math.floor(now / 1000) + ttl;
    throw refusal(
      400,
      codes.ttlInvalid,
      `Invalid expiration_ttl of ${ttl}. Expiration TTL must be at least 60.`,
    );
  }
  if (expiration === undefined || expiration === null) return undefined;
  if (typeof expiration === 'number' && expiryFault({ expiration }, now) === undefined) return expiration;
  const rule = 'Expiration times must be at least 60 seconds in the future.';
  throw refusal(400, codes.expirationInvalid, `Invalid expiration of ${expiration}. ${rule}`);
}

function parseMetadata(text: string | undefined): unknown {
  if (text === undefined || text === '') return undefined;
  try {
    return checkMetadata(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError)
      throw refusal(400, codes.requestInvalid, `put: 'metadata is not JSON: ${error.message}'`);
    throw error;
  }
}

/** Returns the metadata to store; undefined for none. Like the provider, accepts any JSON value of up to 1,024 bytes. */
export function checkMetadata(metadata: unknown): unknown {
  if (metadata === null || metadata === undefined) return undefined;
  const length = jsonLength(metadata);
  if (length <= kvLimits.metadataBytes) return metadata;
  throw refusal(
    413,
    codes.limitExceeded,
    `Metadata length of ${Number.isFinite(length) ? length : 'deeply nested JSON'} exceeds limit of ${kvLimits.metadataBytes}.`,
  );
}
