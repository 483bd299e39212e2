import { isObject } from '../json-object.ts';
import { unknownFieldFault } from './bulk-fields.ts';
import {
  type BulkEntry,
  describe,
  expiryFault,
  keyFault,
  kvLimits,
  metadataFault,
  newKeyFault,
  utf8Length,
} from './kv.ts';

/** A fault in one entry of a bulk file: its index (from 0), its key if it has one, and the reason. */
export interface EntryFault {
  readonly index: number;
  /** Line number from 1; only for NDJSON. */
  readonly line?: number | undefined;
  readonly key?: string;
  readonly reason: string;
}

/** The effects that a command can have on keys, as words that follow a number of keys. */
export const keyEffects = {
  create: 'would be created',
  change: 'would be changed',
  replace: 'would be overwritten',
  delete: 'would be deleted',
  same: 'would stay the same',
  skip: 'would be left unchanged',
  conflict: 'already exist, so nothing would be copied',
  missing: 'do not exist',
} as const;

export type EffectName = keyof typeof keyEffects;

/** A checked entry of a bulk file: its key and the JSON to send. */
export interface BulkItem {
  readonly key: string;
  readonly sent: BulkEntry | string;
}

export interface EntryRules {
  /** The current time in milliseconds since the UNIX epoch, to check expirations. */
  readonly now: number;
  /** Whether to allow keys with whitespace and non-printable characters. */
  readonly anyKey: boolean;
}

/** Checks one entry of a bulk put file against the specification's table "Bulk write entry". */
export function parsePutEntry(value: unknown, index: number, rules: EntryRules): BulkItem | EntryFault {
  if (!isObject(value)) {
    return { index, reason: `an entry must be an object with key and value, not ${describe(value)}` };
  }
  const entry = value as Record<string, unknown>;
  const key = entry['key'];
  if (typeof key !== 'string') return { index, reason: `key must be a string, not ${describe(key)}` };
  const reason = putFault(key, entry, rules) ?? unknownFieldFault(entry);
  return reason === undefined ? { key, sent: toEntry(key, entry) } : { index, key, reason };
}

/** Returns the known fields of a checked entry. A ttl overrides the expiration, so the expiration is omitted. */
function toEntry(key: string, entry: Record<string, unknown>): BulkEntry {
  const { value, metadata, expiration, expiration_ttl, base64 } = entry as Partial<BulkEntry>;
  return {
    key,
    value: value ?? '',
    ...(isNone(metadata) ? {} : { metadata }),
    ...(expiration_ttl === undefined ? {} : { expiration_ttl }),
    ...(expiration === undefined || expiration_ttl !== undefined ? {} : { expiration }),
    ...(base64 === true ? { base64 } : {}),
  };
}

/** Matches most valid keys. This pattern is tried first, because the full check takes ten times as long. */
const plainKey = /^[!-~]{3,512}$/;

function putFault(key: string, entry: Record<string, unknown>, rules: EntryRules): string | undefined {
  return (
    (plainKey.test(key) ? undefined : rules.anyKey ? keyFault(key) : newKeyFault(key)) ??
    valueFault(entry['value'], entry['base64']) ??
    (isNone(entry['metadata']) ? undefined : metadataFault(entry['metadata'])) ??
    entryExpiryFault(entry['expiration_ttl'], entry['expiration'], rules.now)
  );
}

/** Returns whether metadata is absent. Null counts as absent, because the API returns null for a key without metadata. */
function isNone(metadata: unknown): boolean {
  return metadata === undefined || metadata === null;
}

function valueFault(value: unknown, base64: unknown): string | undefined {
  if (typeof value !== 'string') return `value must be a string, not ${describe(value)}`;
  if (base64 !== undefined && typeof base64 !== 'boolean') {
    return `base64 must be true or false, not ${describe(base64)}`;
  }
  if (base64 === true && !isBase64(value)) return 'base64 is true, but value is not valid base64';
  if (!value.isWellFormed()) return 'value is not valid Unicode: it contains half of a surrogate pair';
  if (value.length <= kvLimits.valueBytes / 3) return undefined;
  const bytes = base64 === true ? decodedLength(value) : utf8Length(value);
  if (bytes > kvLimits.valueBytes) {
    return `a value can be at most 26,214,400 bytes long; this one has ${bytes.toLocaleString('en')} bytes`;
  }
  return undefined;
}

function entryExpiryFault(ttl: unknown, expiration: unknown, now: number): string | undefined {
  if (ttl !== undefined) {
    return typeof ttl === 'number'
      ? expiryFault({ ttl }, now)
      : `expiration_ttl must be a number of seconds, not ${describe(ttl)}`;
  }
  if (expiration === undefined) return undefined;
  return typeof expiration === 'number'
    ? expiryFault({ expiration }, now)
    : `expiration must be a number of UNIX seconds, not ${describe(expiration)}`;
}

/** Checks one entry of a bulk delete or get file: a key, or an object with a `name`, as printed by `key list`. */
export function parseKeyEntry(value: unknown, index: number): BulkItem | EntryFault {
  const named = typeof value === 'object' && value !== null && 'name' in value ? value.name : value;
  if (typeof named !== 'string') return { index, reason: `a key must be a string, not ${describe(value)}` };
  const reason = plainKey.test(named) ? undefined : keyFault(named);
  return reason === undefined ? { key: named, sent: named } : { index, key: named, reason };
}

/** Returns whether the check of an entry found a fault. */
export function isFault(parsed: BulkItem | EntryFault): parsed is EntryFault {
  return 'reason' in parsed;
}

/** Returns the number of bytes that base64 text decodes to. */
export function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor((base64.length * 3) / 4) - padding;
}

const base64Text = /^[A-Za-z0-9+/]*={0,2}$/;

function isBase64(text: string): boolean {
  return text.length % 4 === 0 && base64Text.test(text);
}
