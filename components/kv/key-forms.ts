import { type Expiry, expiryFault, isoSeconds, metadataFault, newKeyFault } from '../../src/model/kv/kv.ts';
import { capitalize } from '../../src/model/sentence.ts';
import { hashValue, type KeyChange, type WholeKey } from '../../src/services/kv/key-change.ts';
import { jsonText } from '../../src/text/json.ts';
import { guessKind } from '../../src/text/kind.ts';
import { formatSize } from '../../src/text/size.ts';
import { closeDuration, parseDuration, relativeTime } from '../../src/text/time.ts';
import { decodeUtf8 } from '../../src/text/utf8.ts';
import type { World } from '../../src/world.ts';
import { type FormValues, formDialog } from '../ui/forms/dialog.ts';
import { type Field, openForm } from '../ui/forms/form-state.ts';

/** A key to write, from a form. */
export interface KeyWrite extends KeyChange {
  /** The value at the time the form was opened; undefined if no diff from this value to the new value needs to be shown. */
  readonly unseen?: Uint8Array | undefined;
}

type Purpose = 'create' | 'edit' | 'expire';
type Clock = Pick<World, 'now'>;

/** Maximum length in bytes of a value that can be edited in a field. */
const fieldBytes = 10_000;

const valueField: Field = { name: 'value', label: 'Value', value: '', multiline: true };

const metadataField: Field = {
  name: 'metadata',
  label: 'Metadata',
  value: '',
  note: 'A JSON object, or empty.',
  multiline: true,
};

/** The formats of a time to live. */
const ttlForms = 'Seconds, or 90m, 7d, 1h30m, or a date (2026-12-24T18:00, UTC); at least 60 s';

/** The form field for a time to live. */
export const ttlField: Field = {
  name: 'ttl',
  label: 'TTL',
  value: '',
  note: `${ttlForms}. Empty: never expires.`,
};

/** Returns the form for a new key. */
export function newKeyForm<W>(clock: Clock, write: (wanted: KeyWrite) => W) {
  const form = openForm('New key', [
    { name: 'key', label: 'Key', value: '', completes: 'row' },
    { ...valueField, note: 'Press Ctrl-J for a new line.', isExpected: true },
    ttlField,
    metadataField,
  ]);
  return formDialog(form, (values) => submit('create', undefined, values, clock, write));
}

/** Returns the form that changes a key: value (if it fits in a field), expiry, metadata. */
export function editKeyForm<W>(subject: WholeKey, clock: Clock, write: (wanted: KeyWrite) => W) {
  const { entry, value } = subject;
  const text = fieldText(value);
  const metadata = entry.metadata === undefined || entry.metadata === null ? '' : jsonText(entry.metadata);
  const lines =
    text === undefined
      ? [
          `Value: ${describeValue(value)}. This form does not change the value; press E to edit it in $EDITOR.`,
        ]
      : [];
  const form = openForm(
    `Edit ${entry.name}`,
    [
      ...(text === undefined ? [] : [{ ...valueField, value: text }]),
      {
        ...ttlField,
        note: `${expiryText(entry.expiration, clock.now())} Empty: no change; "never": no expiry. ${ttlForms}.`,
      },
      { ...metadataField, value: metadata },
    ],
    lines,
  );
  return formDialog(form, (values) => submit('edit', subject, values, clock, write));
}

/** Returns the form that sets only the expiry of a key. */
export function expireKeyForm<W>(subject: WholeKey, clock: Clock, write: (wanted: KeyWrite) => W) {
  const { entry } = subject;
  const form = openForm(
    `When does ${entry.name} expire?`,
    [{ ...ttlField, note: `${ttlForms}; or "never".` }],
    [expiryText(entry.expiration, clock.now())],
  );
  return formDialog(form, (values) => submit('expire', subject, values, clock, write));
}

/** Returns the work that writes the key from a completed form, or the errors in its invalid fields. */
function submit<W>(
  purpose: Purpose,
  subject: WholeKey | undefined,
  values: FormValues,
  clock: Clock,
  write: (wanted: KeyWrite) => W,
) {
  const key = subject?.entry.name ?? values['key'] ?? '';
  const expiry = readTtl(values['ttl'] ?? '', purpose, clock.now());
  const metadata = readMetadata(values['metadata'], subject);
  const errors = faults({
    key: subject === undefined ? newKeyFault(key) : undefined,
    ttl: findFault(expiry),
    metadata: findFault(metadata),
  });
  if (errors !== undefined || isFault(expiry) || isFault(metadata)) return { errors: errors ?? {} };
  const work = write({
    key,
    value: values['value'] === undefined ? 'kept' : Buffer.from(values['value']),
    expiry,
    metadata,
    ...unseenIn(subject, values['value']),
    basis:
      subject === undefined
        ? 'absent'
        : purpose === 'edit'
          ? { sha256: hashValue(subject.value) }
          : undefined,
  });
  return { work };
}

/**
 * Returns the old value if the diff must be shown before the write: the value has changed, and the old or the new value has several lines.
 */
function unseenIn(subject: WholeKey | undefined, text: string | undefined): Pick<KeyWrite, 'unseen'> {
  if (subject === undefined || text === undefined) return {};
  const isSame = Buffer.compare(Buffer.from(text), subject.value) === 0;
  const hasLines = text.includes('\n') || subject.value.includes(0x0a);
  return isSame || !hasLines ? {} : { unseen: subject.value };
}

interface Fault {
  readonly fault: string;
}

function isFault(read: object | 'kept'): read is Fault {
  return typeof read === 'object' && 'fault' in read;
}

function findFault(read: object | 'kept'): string | undefined {
  return isFault(read) ? read.fault : undefined;
}

/** Parses a typed time to live or date. Empty text means "never expires" for a new key, `kept` for an edit, and a fault otherwise. */
export function readTtl(text: string, purpose: Purpose, now: number): Expiry | 'kept' | Fault {
  const written = text.trim();
  if (written === 'never' || (written === '' && purpose === 'create')) return {};
  if (written === '') return purpose === 'edit' ? 'kept' : { fault: 'enter a time, or "never"' };
  try {
    const date = parseDate(written);
    const expiry = date === undefined ? { ttl: parseDuration(written) } : { expiration: date };
    const fault = expiryFault(expiry, now);
    return fault === undefined ? expiry : { fault };
  } catch {
    return { fault: `not a time. ${ttlForms}` };
  }
}

/**
 * Parses an ISO 8601 date to UNIX seconds, in UTC unless the date has a time zone. Returns undefined if the string does not start like a
 * date; throws a RangeError if the string starts like a date but is not a valid date.
 */
function parseDate(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d/.test(text)) return undefined;
  const iso = text.replace(' ', 'T');
  const hasZone = /T.*(?:Z|[+-]\d\d:?\d\d)$/i.test(iso);
  const time = Date.parse(iso.includes('T') && !hasZone ? `${iso}Z` : iso);
  if (Number.isNaN(time)) throw new RangeError('no date');
  return Math.floor(time / 1000);
}

/** Parses typed metadata. Returns `kept` for unchanged text, even if it is invalid. */
function readMetadata(text: string | undefined, subject: WholeKey | undefined): KeyWrite['metadata'] | Fault {
  const written = text?.trim();
  const before = subject?.entry.metadata;
  if (written === undefined) return 'kept';
  if (before !== undefined && before !== null && written === jsonText(before)) return 'kept';
  if (written === '') return { json: undefined };
  try {
    const json: unknown = JSON.parse(written);
    const fault = metadataFault(json);
    return fault === undefined ? { json } : { fault };
  } catch {
    return { fault: 'metadata is a JSON object, for example {"owner":"web"}' };
  }
}

function faults(found: Record<string, string | undefined>): Record<string, string> | undefined {
  const errors = Object.entries(found).flatMap(([name, fault]) =>
    fault === undefined ? [] : [[name, `${capitalize(fault)}.`] as const],
  );
  return errors.length === 0 ? undefined : Object.fromEntries(errors);
}

/** Returns a value as text if a field can hold the text without loss; otherwise undefined. */
function fieldText(value: Uint8Array): string | undefined {
  if (value.length > fieldBytes) return undefined;
  const text = decodeUtf8(value);
  return text.isWellFormed() ? text : undefined;
}

/** Describes a value by its size and kind: `312 B, JSON`. */
export function describeValue(value: Uint8Array): string {
  return `${formatSize(value.length)}, ${guessKind(value.subarray(0, 512), value.length <= 512).label}`;
}

/** Describes in a sentence when a key expires. */
export function expiryText(expiration: number | undefined, now: number): string {
  if (expiration === undefined) return 'The key never expires.';
  const left = expiration - Math.floor(now / 1000);
  const when = left > 0 ? `in ${closeDuration(left)}` : relativeTime(left);
  return `The key expires ${when} (${isoSeconds(expiration)}).`;
}
