import { isoSeconds, type KeyEntry } from '../../src/model/kv/kv.ts';
import { jsonText, prettyJson } from '../../src/text/json.ts';
import { guessKind, type Kind } from '../../src/text/kind.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import { relativeTime } from '../../src/text/time.ts';
import type { Surface } from '../console/surface.ts';
import { hexSource, type Source, textSource } from '../viewer/source.ts';
import type { KeySubject } from './key-commands.ts';

export type ValueView = 'text' | 'json' | 'hex' | 'metadata';

/** A key as far as it is read, and how its value is shown. */
export interface ShownKey {
  readonly entry: KeyEntry;
  /** The value, once it is read; `gone` when there is none. */
  readonly value: Uint8Array | 'gone' | undefined;
  readonly kind: Kind;
  readonly view: ValueView;
}

const views: readonly ValueView[] = ['text', 'json', 'hex', 'metadata'];

/** A key whose value is not read. */
export function unread(entry: KeyEntry): ShownKey {
  return { entry, value: undefined, kind: { kind: 'empty', label: 'empty' }, view: 'text' };
}

/** The view behind one, and behind the last the first. */
export function viewAfter(view: ValueView): ValueView {
  return views[(views.indexOf(view) + 1) % views.length] ?? 'text';
}

/** The key with what was read or stored. The first time it is shown as it fits. */
export function withValue(before: ShownKey, { entry, value }: KeySubject): ShownKey {
  const kind = guessKind(value.subarray(0, 4096), value.length <= 4096);
  const view = before.value === undefined ? fittingView(kind, value) : before.view;
  return { entry, value, kind, view };
}

/** The key when there is none any more. */
export function gone(before: ShownKey): ShownKey {
  return { ...before, value: 'gone' };
}

/** Indenting 25 MiB of JSON takes a second: a long value waits until one asks for it. */
const longestJson = 1024 * 1024;

function fittingView({ kind }: Kind, value: Uint8Array): ValueView {
  if (kind === 'binary') return 'hex';
  return kind === 'json' && value.length <= longestJson ? 'json' : 'text';
}

/** Returns the lines of a value for a surface; undefined while there is no value. The value is not redacted. */
export function valueSource(
  { value, view, entry }: ShownKey,
  { columns: width, redact }: Surface,
): Source | undefined {
  if (!(value instanceof Uint8Array)) return undefined;
  switch (view) {
    case 'text':
      return textSource(value, width);
    case 'hex':
      return hexSource(value, width);
    case 'json':
      return textSource(prettyJson(value) ?? Buffer.from('This value cannot be shown as JSON.'), width);
    case 'metadata':
      return textSource(Buffer.from(redact(metadataText(entry, value))), width);
  }
}

/** Size, kind, view, how much of it is above the end of the screen in per cent, and when the key expires. */
export function valueCounts(
  { entry, value, kind, view }: ShownKey,
  percent: number | undefined,
  now: number,
): string {
  const words =
    value instanceof Uint8Array
      ? [`${formatSize(value.length)}, ${kind.label} · ${view}`, percent === undefined ? '' : `${percent}%`]
      : [];
  return [...words, expiryWords(entry, now)].filter((text) => text !== '').join(' · ');
}

/** When a key expires as seen from now; empty without an expiry. */
function expiryWords({ expiration }: KeyEntry, now: number): string {
  return expiration === undefined ? '' : `expires ${relativeTime(expiration - Math.floor(now / 1000))}`;
}

/** Everything about a key but its value. Absolute times, so that the text does not age on the screen. */
function metadataText({ expiration, metadata }: KeyEntry, value: Uint8Array): string {
  const lines = [
    `size      ${groupDigits(value.length)} bytes`,
    `expires   ${expiration === undefined ? 'never' : isoSeconds(expiration)}`,
    `metadata  ${metadata === undefined || metadata === null ? 'none' : ''}`.trimEnd(),
  ];
  return [...lines, metadata === undefined || metadata === null ? '' : jsonText(metadata, 2)].join('\n');
}
