import { isObject } from '../json-object.ts';
import { truncate } from '../long-text.ts';
import { Problem } from '../problem.ts';
import type { ValueOf } from '../shape.ts';
import type { namespace } from './kv-shape.ts';

/** A key-value namespace of an account. `id` is 32 lower-case hex digits on the platform, any string in local data. */
export type Namespace = ValueOf<typeof namespace>;

/** One row of a key listing. `expiration` is UNIX seconds; `metadata` any JSON value. */
export interface KeyEntry {
  readonly name: string;
  readonly expiration?: number;
  readonly metadata?: unknown;
}

/** The expiry of a key to write. A time to live overrides an expiration (specification, Limits). */
export interface Expiry {
  /** Seconds from now, a whole number >= 60. */
  readonly ttl?: number;
  /** UNIX seconds, a whole number at least 60 seconds ahead. */
  readonly expiration?: number;
}

/** One entry of a bulk write, in the form of the file and of the wire (specification, Bulk write entry). */
export interface BulkEntry {
  readonly key: string;
  readonly value: string;
  readonly expiration?: number;
  readonly expiration_ttl?: number;
  readonly metadata?: unknown;
  readonly base64?: boolean;
}

/** The limits of the platform (specification, Limits): sizes in bytes, times in seconds, and counts. */
export const kvLimits = {
  keyBytes: 512,
  valueBytes: 25 * 1024 * 1024,
  metadataBytes: 1024,
  minimumTtl: 60,
  /** The last second of the year 9999. Later dates cannot be shown, or stored in milliseconds. */
  lastExpiration: 253_402_300_799,
  titleBytes: 512,
  listLimit: 1000,
  bulkPutEntries: 10_000,
  bulkDeleteKeys: 10_000,
  bulkGetKeys: 100,
  bulkBytes: 100 * 1024 * 1024,
} as const;

const encoder = new TextEncoder();

/** Length of a string in bytes of UTF-8. */
export function utf8Length(text: string): number {
  return encoder.encode(text).length;
}

/**
 * Length of a value as JSON in UTF-8 bytes; infinite if the value is nested too deeply (by thousands of levels) to be written.
 */
export function jsonLength(value: unknown): number {
  try {
    return utf8Length(JSON.stringify(value));
  } catch (error) {
    if (error instanceof RangeError) return Number.POSITIVE_INFINITY;
    throw error;
  }
}

/** Formats a length from `jsonLength`: "2,048", "far more (it is nested too deeply)". */
export function formatJsonLength(length: number): string {
  return Number.isFinite(length) ? length.toLocaleString('en') : 'far more (it is nested too deeply)';
}

/** Explains why no key can have this name; undefined if the name is valid. The check applies to reads and writes. */
export function keyFault(key: string): string | undefined {
  if (key === '') return 'a key cannot be empty';
  if (key === '.' || key === '..') return `"${key}" cannot be a key: it would name another path`;
  if (!key.isWellFormed()) return 'a key must be valid Unicode; this one contains half of a surrogate pair';
  const length = utf8Length(key);
  if (length > kvLimits.keyBytes) return `a key can have at most 512 bytes of UTF-8; this one has ${length}`;
  return undefined;
}

/**
 * Explains why the client refuses to write this key; undefined if it accepts the key. The check is stricter than
 * `keyFault`: the key must be printable, without whitespace.
 */
export function newKeyFault(key: string): string | undefined {
  const fault = keyFault(key);
  if (fault !== undefined) return fault;
  // Compiling Unicode classes takes a millisecond, so keys of plain characters avoid it.
  if (/^[!-~]*$/.test(key)) return undefined;
  const match = /[\p{White_Space}\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Zl}\p{Zp}\p{Zs}]/u.exec(key);
  if (match === null) return undefined;
  const point = match[0].codePointAt(0) ?? 0;
  const shown = point.toString(16).toUpperCase().padStart(4, '0');
  return `whitespace and non-printable characters are not allowed; character ${match.index + 1} is U+${shown}`;
}

/** Refuses a key that cannot exist. */
export function checkKey(key: string): string {
  const fault = keyFault(key);
  if (fault !== undefined) throw new Problem('invalid-input', `Invalid key: ${fault}.`);
  return key;
}

/** Refuses a key that should not be written; `anyKey` allows whitespace and non-printable characters. */
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
    return `metadata can have at most 1,024 bytes as JSON; this has ${formatJsonLength(length)}`;
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

/** Milliseconds since 1970 have 13 digits from the year 2001 to 2286. */
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
    : `an expiration must be at least 60 seconds ahead; ${isoSeconds(expiration)} is ${ahead} seconds ahead`;
}

/** The part of an expiry to send: the ttl if both are given. */
export function effectiveExpiry(expiry: Expiry): Expiry {
  if (expiry.ttl !== undefined) return { ttl: expiry.ttl };
  return expiry.expiration === undefined ? {} : { expiration: expiry.expiration };
}

/** UNIX seconds as an ISO 8601 UTC timestamp, to the second: `2026-11-21T10:00:00Z`. */
export function isoSeconds(unixSeconds: number): string {
  const date = new Date(unixSeconds * 1000);
  return Number.isNaN(date.getTime()) ? String(unixSeconds) : date.toISOString().replace('.000Z', 'Z');
}

/**
 * Title of a new namespace: `<project>-<NAMESPACE>` or `<project>-<env>-<NAMESPACE>`, with the suffix `_preview`
 * for a preview namespace. A project without a name counts as `worker`.
 */
export function namespaceTitle(
  name: string,
  from: { project?: string | undefined; environment?: string | undefined; preview?: boolean },
): string {
  const words = [from.project ?? 'worker', from.environment, name].filter((word) => word !== undefined);
  return words.join('-') + (from.preview ? '_preview' : '');
}

/** Formats a namespace for a sentence: `"title" (id)`, or only `"id"` if both are the same, as in local data. */
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
