import { isoSeconds, type KeyEntry } from '../../src/model/kv/kv.ts';
import { hashValue, type WholeKey } from '../../src/services/kv/key-change.ts';
import { jsonText } from '../../src/text/json.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import { closeDuration, relativeTime } from '../../src/text/time.ts';
import { bytesSource, formatKind, type ShownBytes, textView, withBytes } from '../ui/viewer/bytes-view.ts';
import type { Source } from '../ui/viewer/source.ts';
import type { ViewSurface } from '../ui/viewer/view-source.ts';

/** The view that does not show the bytes of the value. */
export const ownView = 'metadata';

/** A key and its value. */
export interface ShownKey extends ShownBytes<KeyEntry, typeof ownView> {
  /** The SHA-256 of the value that was last read, in lower-case hexadecimal; undefined if no value has been read. */
  readonly sha256?: string | undefined;
}
export type KeyText = ShownKey;
export type ValueView = ShownKey['view'];

/** Returns the key with the value that was read or stored. */
export function withValue(before: ShownKey, { entry, value }: WholeKey): ShownKey {
  const shown = withBytes(before, { entry, bytes: value, isWhole: true });
  // A reload often reads the same bytes, of up to 25 MiB.
  return { ...shown, sha256: shown.bytes === before.bytes ? before.sha256 : hashValue(value) };
}

/** Returns the lines of a value for a surface; undefined while no value is known. Redacts metadata, but not the value. */
export function valueSource(
  { bytes, view, entry, folded }: ShownKey,
  surface: ViewSurface,
): Source | undefined {
  if (!(bytes instanceof Uint8Array)) return undefined;
  if (view === ownView) return textView(Buffer.from(surface.redact(metadataText(entry, bytes))), surface);
  return bytesSource(bytes, { view, folded }, surface, 'This value cannot be shown as JSON.');
}

/** Formats size, kind and view of a value; empty if the value has not been read. */
export function describeValue({ bytes, kind, view }: ShownKey): string {
  if (!(bytes instanceof Uint8Array)) return '';
  return `${formatSize(bytes.length)}, ${formatKind(kind.label, kind, view)}`;
}

interface HeaderFacts {
  /** The number of the selected line. */
  readonly line: string;
  /** Milliseconds since the UNIX epoch. */
  readonly now: number;
  /** Whether another part of the screen shows the facts. */
  readonly hasFacts: boolean;
  /** Whether the header has room only for short forms. The expiry then comes after the size, because the first facts are omitted first. */
  readonly isNarrow?: boolean;
}

/** Formats the facts for the header, without facts that another part of the screen shows. */
export function valueCounts(shown: ShownKey, { line, now, hasFacts, isNarrow = false }: HeaderFacts): string {
  const { expiration } = shown.entry;
  const { bytes } = shown;
  const size = bytes instanceof Uint8Array ? formatSize(bytes.length) : '';
  const facts =
    expiration === undefined
      ? [describeValue(shown)]
      : isNarrow
        ? [size, formatExpiry(expiration, now)]
        : [describeExpiry(expiration, now), describeValue(shown)];
  return [...(hasFacts ? [] : facts), line].filter((text) => text !== '').join(' · ');
}

/** Formats when a key expires, as in the list of keys: `in 2h`, or `expired 2 h ago`. `now` is in milliseconds. */
export function formatExpiry(expiration: number, now: number): string {
  const left = secondsLeft(expiration, now);
  return left > 0 ? `in ${closeDuration(left)}` : `expired ${relativeTime(left)}`;
}

/** Returns the same as `formatExpiry` with a verb: `expires in 2h`, or `expired 2 h ago`. */
export function describeExpiry(expiration: number, now: number): string {
  const expiry = formatExpiry(expiration, now);
  return secondsLeft(expiration, now) > 0 ? `expires ${expiry}` : expiry;
}

function secondsLeft(expiration: number, now: number): number {
  return expiration - Math.floor(now / 1000);
}

/** Formats size, expiry and metadata of a key. Times are absolute: relative times would become outdated on the screen. */
function metadataText({ expiration, metadata }: KeyEntry, value: Uint8Array): string {
  const lines = [
    `size      ${groupDigits(value.length)} bytes`,
    `expires   ${expiration === undefined ? 'never' : isoSeconds(expiration)}`,
    `metadata  ${metadata === undefined || metadata === null ? 'none' : ''}`.trimEnd(),
  ];
  return [...lines, metadata === undefined || metadata === null ? '' : jsonText(metadata, 2)].join('\n');
}
