import { isObject } from '../json-object.ts';
import { truncate } from '../long-text.ts';
import { Problem } from '../problem.ts';
import type { ValueOf } from '../shape.ts';
import type { namespace } from './kv-shape.ts';

/** A key-value namespace of an account. `id` has 32 lower-case hex digits on the platform; in local data, it can be any string. */
export type Namespace = ValueOf<typeof namespace>;

/** One row of a key listing. `expiration` is in UNIX seconds; `metadata` is any JSON value. */
export interface KeyEntry {
  readonly name: string;
  readonly expiration?: number;
  readonly metadata?: unknown;
}

/** The expiry of a key to be written. A time to live overrides an expiration (specification, Limits). */
export interface Expiry {
  /** Seconds from now: a whole number, at least 60. */
  readonly ttl?: number;
  /** UNIX seconds: a whole number, at least 60 seconds from now. */
  readonly expiration?: number;
}

/** One entry of a bulk write, in the format of the file and of the request (specification, Bulk write entry). */
export interface BulkEntry {
  readonly key: string;
  readonly value: string;
  readonly expiration?: number;
  readonly expiration_ttl?: number;
  readonly metadata?: unknown;
  readonly base64?: boolean;
}

/** The platform's limits (specification, Limits): sizes in bytes, times in seconds, and counts. */
export const kvLimits = {
  keyBytes: 512,
  valueBytes: 25 * 1024 * 1024,
  metadataBytes: 1024,
  minimumTtl: 60,
  /** The last second of the year 9999, in UNIX seconds. RFC 3339 has no format for later dates. */
  lastExpiration: 253_402_300_799,
  titleBytes: 512,
  listLimit: 1000,
  bulkPutEntries: 10_000,
  bulkDeleteKeys: 10_000,
  bulkGetKeys: 100,
  bulkBytes: 100 * 1024 * 1024,
} as const;

const encoder = new TextEncoder();

/** Returns the length of a string in bytes of UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/**
 * Returns the length of a value as JSON, in UTF-8 bytes. Infinite if the value is nested too deeply (thousands of levels) to be written.
 */
export function jsonLength(value: unknown): number {
  try {
    return utf8Length(JSON.stringify(value));
  } catch (error) {
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** Formats a length from `jsonLength`: "2,048 bytes" or "far more (it is nested too deeply)". */
export function formatJsonLength(length: number): string {
  return Number.isFinite(length)
    ? `${length.toLocaleString('en')} bytes`
    : 'far more (it is nested too deeply)';
}

/** Explains why no key can have this name; undefined if the name is valid. The check applies to reads and writes. */
export function keyFault(key: string): string | undefined {
  if (key === '') return 'a key cannot be empty';
  if (key === '.' || key === '..') return `"${key}" cannot be a key: it would name another path`;
  if (!key.isWellFormed()) return 'a key must be valid Unicode; this one contains half of a surrogate pair';
  const length = utf8Length(key);
  if (length > kvLimits.keyBytes)
    return `a key can be at most 512 bytes long in UTF-8; this one has ${length} bytes`;
  return undefined;
}

/**
 * Explains why the client refuses to write this key; undefined if it accepts the key. The check is stricter than
 * `keyFault`: the key must be printable, without whitespace.
 */
export function newKeyFault(key: string): string | undefined {
  const fault = keyFault(key);
  if (fault !== undefined) return fault;
  // Compiling Unicode classes takes a millisecond, so keys of printable ASCII characters are accepted without them.
  if (/^[!-~]*$/.test(key)) return undefined;
  const match = /[\p{White_Space}\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}\p{Zs}]/u.exec(key);
  if (match === null) return undefined;
  const point = match[0].codePointAt(0) ?? 0;
  const shown = point.toString(16).toUpperCase().padStart(4, '0');
  return `whitespace and non-printable characters are not allowed; character ${match.index + 1} is U+${shown}`;
}

/** Returns the key, or throws if no such key can exist. */
export function checkKey(key: string): string {
  const fault = keyFault(key);
  if (fault !== undefined) throw new Problem('invalid-input', `Invalid key: ${fault}.`);
  return key;
}

/** Returns the key, or throws if it should not be written. `anyKey` allows whitespace and non-printable characters. */
export function checkNewKey(key: string, anyKey: boolean): string {
  const fault = anyKey ? keyFault(key) : newKeyFault(key);
  if (fault === undefined) return key;
  const isImpossible = anyKey || keyFault(key) !== undefined;
  throw new Problem(
    'invalid-input',
    `Invalid key: ${fault}.`,
    isImpossible ? {} : { remedy: { kind: 'write-any-key' } },
  );
}

/**
 * Explains why a metadata value cannot be stored; undefined if it can be stored. Metadata is a JSON object of at most
 * 1,024 bytes.
 */
export function metadataFault(metadata: unknown): string | undefined {
  if (!isObject(metadata)) {
    return `metadata must be a JSON object, not ${describe(metadata)}`;
  }
  const length = jsonLength(metadata);
  if (length > kvLimits.metadataBytes) {
    return `metadata can be at most 1,024 bytes long as JSON; this metadata has ${formatJsonLength(length)}`;
  }
  return undefined;
}

/**
 * Explains why an expiry cannot be stored; undefined if it can be stored. With a ttl, the expiration is not checked.
 */
export function expiryFault(expiry: Expiry, nowMilliseconds: number): string | undefined {
  const { ttl, expiration } = expiry;
  const now = Math.floor(nowMilliseconds / 1000);
  if (ttl !== undefined) return ttlFault(ttl, now);
  return expiration === undefined ? undefined : expirationFault(expiration, now);
}

function ttlFault(ttl: number, now: number): string | undefined {
  if (!Number.isInteger(ttl) || ttl < kvLimits.minimumTtl) {
    return `a time to live must be a whole number of seconds, at least 60, not ${ttl}`;
  }
  if (ttl <= kvLimits.lastExpiration - now) return undefined;
  return `a key must expire before the year 10000; this time to live is ${ttl} seconds`;
}

/** The range of numbers that are probably milliseconds since 1970: for dates from 2001 to 2286, milliseconds have 13 digits. */
const milliseconds = { from: 1e12, before: 1e13 };

function expirationFault(expiration: number, now: number): string | undefined {
  if (!Number.isInteger(expiration)) {
    return `an expiration must be a whole number of UNIX seconds, not ${expiration}`;
  }
  if (expiration >= milliseconds.from && expiration < milliseconds.before) {
    const seconds = Math.floor(expiration / 1000);
    return `the expiration ${expiration} looks like milliseconds; UNIX seconds would be ${seconds}`;
  }
  if (expiration > kvLimits.lastExpiration) {
    return `an expiration must be before the year 10000, not ${expiration}`;
  }
  const ahead = expiration - now;
  if (ahead >= kvLimits.minimumTtl) return undefined;
  return ahead < 0
    ? `an expiration must be at least 60 seconds ahead; ${isoSeconds(expiration)} has passed`
    : `an expiration must be at least 60 seconds ahead; ${isoSeconds(expiration)} is ${ahead === 1 ? '1 second' : `${ahead} seconds`} ahead`;
}

/** Returns the part of an expiry to send: only the ttl if both a ttl and an expiration are set. */
export function effectiveExpiry(expiry: Expiry): Expiry {
  if (expiry.ttl !== undefined) return { ttl: expiry.ttl };
  return expiry.expiration === undefined ? {} : { expiration: expiry.expiration };
}

/** Formats UNIX seconds as an ISO 8601 UTC timestamp without fractions: `2026-11-21T10:00:00Z`. */
export function isoSeconds(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000);
  return Number.isNaN(date.getTime()) ? String(unixSeconds) : date.toISOString().replace('.000Z', 'Z');
}

/**
 * Returns the title of a new namespace: `<project>-<NAMESPACE>` or `<project>-<env>-<NAMESPACE>`, with the suffix `_preview` for a preview
 * namespace. A project without a name is called `worker`.
 */
export function namespaceTitle(
  name: string,
  from: { project?: string | undefined; environment?: string | undefined; preview?: boolean },
): string {
  const words = [from.project ?? 'worker', from.environment, name].filter((word) => word !== undefined);
  return words.join('-') + (from.preview ? '_preview' : '');
}

/** Formats a namespace for a sentence: `"title" (id)`, or only `"id"` if the title equals the id, as in local data. */
export function namespaceName({ id, title }: Namespace): string {
  return title === id ? `"${id}"` : `"${title}" (${id})`;
}

/** Describes a JSON value for messages: "an array", "null", "the string \"x\"". */
export function describe(value: unknown): string {
  if (value === null) return 'null';
  if (value === undefined) return 'missing';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return `the string ${JSON.stringify(truncate(value, 40))}`;
  if (typeof value === 'object') return 'an object';
  return `${typeof value} ${String(value)}`;
}
