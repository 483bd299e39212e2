import * as v from 'valibot';
import type { Target } from '../target.ts';
import { isSamePlace, type Where } from '../where.ts';

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
 * The settings of a custom hostname. Tokens, the certificate and branding cannot be saved, because the platform does not report their
 * values.
 */
const hostnameShape = v.object({
  kind: v.literal('hostname'),
  zoneId: v.string(),
  hostname: v.string(),
  method: optionalText,
  authority: optionalText,
  wildcard: v.exactOptional(v.boolean()),
  settings: v.exactOptional(tlsSettings),
  /** The minimum TLS version in an entry from an older version, which has no `settings`. */
  minimumTls: optionalText,
  /** Whether the customer uploaded the certificate. */
  uploaded: v.exactOptional(v.boolean()),
  origin: optionalText,
  originSni: optionalText,
  metadata: v.exactOptional(v.record(v.string(), v.unknown())),
});

const thingShape = v.variant('kind', [
  /** A key's value. `expiration` is in UNIX seconds. */
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
    /** The id of the deleted record. A restored record has a new id. */
    recordId: v.string(),
    type: v.string(),
    name: v.string(),
    content: v.string(),
    proxied: v.exactOptional(v.boolean()),
    ttl: v.exactOptional(wholeNumber),
    /** Other fields, as the platform reports them, such as the priority of an MX record or a comment. */
    besides: v.exactOptional(v.record(v.string(), v.unknown())),
  }),
  v.object({ kind: v.literal('fallback-origin'), zoneId: v.string(), origin: v.string() }),
  /** Several items that one request changed. The items are in the saved bytes (`services/undo/batch.ts`). */
  v.object({
    kind: v.literal('batch'),
    of: v.picklist(['value', 'object']),
    /** The id of the namespace, or the name of the bucket, that contains the items. */
    within: v.string(),
    count: wholeNumber,
    /** The first keys, to show to people. */
    first: v.array(v.string()),
  }),
]);

/** The saved settings of a custom hostname. */
export type SavedSettings = v.InferOutput<typeof hostnameShape>;

/** A resource that was deleted or replaced, with all its fields except its bytes. */
export type UndoThing = v.InferOutput<typeof thingShape>;

/** The kind of change to an item. `restored`: an earlier entry was restored. */
const did = v.picklist(['deleted', 'replaced', 'restored']);

/**
 * The state after a change: nothing, or a mark that identifies the new state. The mark is a value's SHA-256, an object's etag, a hostname's
 * settings as JSON, the content of a record, or the name of a fallback origin. An empty mark means that the state is unknown.
 */
const left = v.union([v.literal('nothing'), v.object({ mark: v.string() })]);

const entryShape = v.object({
  /** Version of the entry. Version 2 added batches and `client`. */
  version: v.picklist([1, 2]),
  id: v.pipe(v.string(), v.regex(/^[0-9a-f]{8}$/)),
  /** When the change was made, in milliseconds since the UNIX epoch. */
  at: wholeNumber,
  /** Who made the change. Absent in entries from older versions, which recorded only changes by a person. */
  by: v.exactOptional(v.picklist(['person', 'script'])),
  /** The program whose request a guard forwarded; absent for other changes. */
  client: optionalText,
  did,
  where,
  accountId: v.string(),
  target: v.picklist(['production', 'preview', 'local']),
  thing: thingShape,
  /** Size of the saved bytes. */
  size: wholeNumber,
  sha256,
  left,
});

const batchItemShape = v.object({ did, thing: thingShape, left, size: wholeNumber, sha256 });

/** One item in a batch, without its bytes. */
export type BatchItem = v.InferOutput<typeof batchItemShape>;

/** A journal entry: one change, and all items that it deleted or replaced. The saved bytes follow in the same file. */
export type UndoEntry = v.InferOutput<typeof entryShape>;

/** The backend, account and target of a change. The change can be undone only on the same backend, account and target. */
export interface UndoPlace {
  readonly where: Where;
  readonly accountId: string;
  readonly target: Target;
}

/** The originator of a change: a person at a terminal, or a program. */
export type UndoOwner = NonNullable<UndoEntry['by']>;

/**
 * Limits of the undo journal: maximum age of an entry in milliseconds, maximum number of entries per owner, maximum total size per owner in
 * bytes, and maximum size of one entry in bytes.
 */
export const undoLimits = {
  age: 14 * 24 * 60 * 60 * 1000,
  entries: 1000,
  bytes: 256 * 1024 * 1024,
  entryBytes: 25 * 1024 * 1024,
} as const;

/** Parses the entry in the first line of a journal file. Throws if the line is invalid. */
export function parseUndoEntry(line: string): UndoEntry {
  return v.parse(entryShape, JSON.parse(line));
}

/** Parses the index of a batch. Throws if the index is invalid. */
export function parseBatchIndex(text: string): BatchItem[] {
  return v.parse(v.array(batchItemShape), JSON.parse(text));
}

/** Parses the settings in the mark of a changed hostname; undefined if the mark does not contain settings. */
export function parseHostnameMark(mark: string): SavedSettings | undefined {
  try {
    return v.parse(hostnameShape, JSON.parse(mark));
  } catch {
    return undefined;
  }
}

/** Returns whether an entry's change was made on the given backend, account and target. */
export function isMadeAt(entry: UndoEntry, place: UndoPlace): boolean {
  return (
    isSamePlace(entry.where, place.where) &&
    entry.accountId === place.accountId &&
    entry.target === place.target
  );
}

/** Describes the saved resource, for example `the value of user:1`. The description contains untrusted data. */
export function describeThing(thing: UndoThing): string {
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
    case 'batch': {
      const { of, count, first } = thing;
      return `${count.toLocaleString('en')} ${of}s (${first.join(', ')}${count > first.length ? ', …' : ''})`;
    }
  }
}
