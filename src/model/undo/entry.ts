import * as v from 'valibot';
import type { Target } from '../target.ts';
import { isSameWhere, type Where } from '../where.ts';

const wholeNumber = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
const optionalText = v.exactOptional(v.string());
const baseUrl = v.exactOptional(v.string());
const where = v.variant('kind', [
  v.object({ kind: v.literal('remote'), profile: optionalText, baseUrl: v.string() }),
  v.object({ kind: v.literal('sandbox'), folder: v.string(), baseUrl }),
  v.object({ kind: v.literal('local'), folder: v.string(), baseUrl }),
]);
const sha256 = v.pipe(v.string(), v.regex(/^[0-9a-f]{64}$/));

const tlsSettings = v.object({
  http2: optionalText,
  tls_1_3: optionalText,
  min_tls_version: optionalText,
  early_hints: optionalText,
  ciphers: v.exactOptional(v.pipe(v.array(v.string()), v.readonly())),
});

/**
 * The settings of a custom hostname. Its tokens, its certificate and its branding, which the platform does not report, cannot
 * be saved.
 */
const hostnameShape = v.object({
  kind: v.literal('hostname'),
  zoneId: v.string(),
  hostname: v.string(),
  method: optionalText,
  authority: optionalText,
  wildcard: v.exactOptional(v.boolean()),
  settings: v.exactOptional(tlsSettings),
  /** In entries of older versions, instead of `settings`. */
  minimumTls: optionalText,
  /** Its certificate was the customer's own. */
  uploaded: v.exactOptional(v.boolean()),
  origin: optionalText,
  originSni: optionalText,
  metadata: v.exactOptional(v.record(v.string(), v.unknown())),
});

const thingShape = v.variant('kind', [
  /** A key's value; `expiration` is UNIX seconds. */
  v.object({
    kind: v.literal('value'),
    namespaceId: v.string(),
    key: v.string(),
    expiration: v.exactOptional(wholeNumber),
    metadata: v.optional(v.unknown()),
  }),
  v.object({
    kind: v.literal('object'),
    bucket: v.string(),
    key: v.string(),
    etag: v.string(),
    httpMetadata: v.record(v.string(), v.union([v.string(), v.number()])),
    customMetadata: v.record(v.string(), v.string()),
    storageClass: optionalText,
  }),
  hostnameShape,
  v.object({
    kind: v.literal('dns-record'),
    zoneId: v.string(),
    /** The id of the deleted record; a restored one has another. */
    recordId: v.string(),
    type: v.string(),
    name: v.string(),
    content: v.string(),
    proxied: v.exactOptional(v.boolean()),
    ttl: v.exactOptional(wholeNumber),
    /** Its other fields, as the platform has them: the priority of an MX record, a comment. */
    besides: v.exactOptional(v.record(v.string(), v.unknown())),
  }),
  v.object({ kind: v.literal('fallback-origin'), zoneId: v.string(), origin: v.string() }),
]);

/** The saved settings of a custom hostname. */
export type KeptSettings = v.InferOutput<typeof hostnameShape>;

/** Something that was deleted or replaced, with all its fields except its bytes. */
export type UndoThing = v.InferOutput<typeof thingShape>;

const entryShape = v.object({
  version: v.literal(1),
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/)),
  /** Milliseconds since the UNIX epoch. */
  at: wholeNumber,
  /** Who made the change; in entries of older versions a person, always. */
  by: v.exactOptional(v.picklist(['person', 'script'])),
  /** `restored`: by putting an earlier one back. */
  did: v.picklist(['deleted', 'replaced', 'restored']),
  where,
  accountId: v.string(),
  target: v.picklist(['production', 'preview', 'local']),
  thing: thingShape,
  /** Of the saved bytes. */
  size: wholeNumber,
  sha256,
  /** The rest that the change left there: nothing, or something known by this mark: a value by its SHA-256, an object by its etag, a hostname by its settings in JSON, a fallback origin by its name. */
  left: v.union([v.literal('nothing'), v.object({ mark: v.string() })]),
});

/** An entry of the journal: one change, and everything that it deleted or replaced. Its bytes follow it in the same file. */
export type UndoEntry = v.InferOutput<typeof entryShape>;

/** Where a change was made: it is taken back there and nowhere else. */
export interface UndoPlace {
  readonly where: Where;
  readonly accountId: string;
  readonly target: Target;
}

/** Makes the changes: a person at a terminal, or a program. */
export type UndoOwner = NonNullable<UndoEntry['by']>;

/**
 * Maximum age of an entry in milliseconds; maximum number of entries and of their bytes, for each owner; maximum bytes
 * of one entry.
 */
export const undoLimits = {
  age: 14 * 24 * 60 * 60 * 1000,
  entries: 1000,
  bytes: 256 * 1024 * 1024,
  entryBytes: 25 * 1024 * 1024,
} as const;

/** Parses the entry in the first line of a file of the journal. Throws if it is not one. */
export function parseUndoEntry(line: string): UndoEntry {
  return v.parse(entryShape, JSON.parse(line));
}

/** Parses the settings in the mark of a changed hostname; undefined if it is not one. */
export function parseHostnameMark(mark: string): KeptSettings | undefined {
  try {
    return v.parse(hostnameShape, JSON.parse(mark));
  } catch {
    return undefined;
  }
}

/** Whether an entry was made at a place. */
export function isMadeAt(entry: UndoEntry, place: UndoPlace): boolean {
  return (
    isSameWhere(entry.where, place.where) &&
    entry.accountId === place.accountId &&
    entry.target === place.target
  );
}

/** The kept thing in words that hold names from outside: `the value of user:1`. */
export function thingWords(thing: UndoThing): string {
  switch (thing.kind) {
    case 'value':
      return `the value of ${thing.key}`;
    case 'object':
      return `the object ${thing.bucket}/${thing.key}`;
    case 'hostname':
      return `the settings of ${thing.hostname}`;
    case 'dns-record':
      return `the ${thing.type} record of ${thing.name}`;
    case 'fallback-origin':
      return `the fallback origin ${thing.origin}`;
  }
}
