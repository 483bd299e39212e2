import { isoSeconds, type KeyEntry } from '../../src/model/kv/kv.ts';
import type { WholeKey } from '../../src/services/kv/key-change.ts';
import { jsonText } from '../../src/text/json.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import { closeDuration, countdown, relativeTime } from '../../src/text/time.ts';
import { bytesSource, formatKind, type ShownBytes, textView, withBytes } from '../ui/viewer/bytes-view.ts';
import type { Source } from '../ui/viewer/source.ts';
import type { ViewSurface } from '../ui/viewer/view-source.ts';

/** The view that does not show the bytes. */
export const ownView = 'metadata';

/** A key and its value. */
export type ShownKey = ShownBytes<KeyEntry, typeof ownView>;
export type KeyText = ShownKey;
export type ValueView = ShownKey['view'];

/** The key with the value that was read or stored. */
export function withValue(before: ShownKey, { entry, value }: WholeKey): ShownKey {
  return withBytes(before, { entry, bytes: value, isWhole: true });
}

/** Returns the lines of a value for a surface; undefined while there is no value. The value is not redacted. */
export function valueSource(
  { bytes, view, entry, folded }: ShownKey,
  surface: ViewSurface,
): Source | undefined {
  if (!(bytes instanceof Uint8Array)) return undefined;
  if (view === ownView) return textView(Buffer.from(surface.redact(metadataText(entry, bytes))), surface);
  return bytesSource(bytes, { view, folded }, surface, 'This value cannot be shown as JSON.');
}

/** Size, kind, view, the share of the value above the end of the screen in per cent, and when the key expires. */
export function valueCounts(
  { entry, bytes, kind, view }: ShownKey,
  percent: number | undefined,
  now: number,
  isNarrow = false,
): string {
  const words =
    bytes instanceof Uint8Array
      ? [
          `${formatSize(bytes.length)}, ${formatKind(kind.label, kind, view)}`,
          percent === undefined ? '' : `${percent}%`,
        ]
      : [];
  return [...words, describeExpiry(entry, now, isNarrow)].filter((text) => text !== '').join(' · ');
}

/** Minimum seconds for an expiry in days. */
const maxCounted = 100 * 86_400;

/** Whether the facts about a key change each second. */
export function countsDown({ entry: { expiration = 0 } }: ShownKey, now: number): boolean {
  const left = expiration - Math.floor(now / 1000);
  return left > 0 && left < maxCounted;
}

/** When a key expires as seen from now, without seconds on a narrow screen; empty without an expiry. */
function describeExpiry({ expiration }: KeyEntry, now: number, isNarrow: boolean): string {
  if (expiration === undefined) return '';
  const left = expiration - Math.floor(now / 1000);
  if (left <= 0 || left >= maxCounted) return `expires ${relativeTime(left)}`;
  return `expires in ${isNarrow ? closeDuration(left) : countdown(left)}`;
}

/**
 * Everything about a key except its value. Times are absolute, so that the text does not become outdated on the screen.
 */
function metadataText({ expiration, metadata }: KeyEntry, value: Uint8Array): string {
  const lines = [
    `size      ${groupDigits(value.length)} bytes`,
    `expires   ${expiration === undefined ? 'never' : isoSeconds(expiration)}`,
    `metadata  ${metadata === undefined || metadata === null ? 'none' : ''}`.trimEnd(),
  ];
  return [...lines, metadata === undefined || metadata === null ? '' : jsonText(metadata, 2)].join('\n');
}
