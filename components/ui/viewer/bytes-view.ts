import { guessKind, type Kind } from '../../../src/text/kind.ts';
import { jsonSideways, jsonSource } from './json-source.ts';
import type { Folded } from './json-tree.ts';
import type { Window } from './long-lines.ts';
import { hexSideways, textSideways } from './sideways.ts';
import { hexSource, type Source, textSource } from './source.ts';
import type { ViewSurface } from './view-source.ts';

type ViewWidth = Omit<ViewSurface, 'redact'>;

/** The view in which bytes are shown. Each pane adds a view for facts other than the content. */
export type BytesView = 'text' | 'json' | 'hex';

/** The bytes that a pane shows, and the view in which they are shown. */
export interface ShownBytes<Entry, Own extends string> {
  /** The entry from a listing. */
  readonly entry: Entry;
  /** The bytes; `gone` if the key or object no longer exists, undefined if the bytes have not been read. */
  readonly bytes: Uint8Array | 'gone' | undefined;
  readonly kind: Kind;
  readonly view: BytesView | Own;
  /** Folded lines of the JSON; undefined if no line is folded. */
  readonly folded?: Folded | undefined;
}

/** Returns the state before the bytes have been read. */
export function unreadBytes<Entry>(entry: Entry): ShownBytes<Entry, never> {
  return { entry, bytes: undefined, kind: { kind: 'empty', label: 'empty' }, view: 'text' };
}

/** Returns the state after the key or object has been deleted. */
export function withoutBytes<Shown extends ShownBytes<unknown, string>>(before: Shown): Shown {
  return { ...before, bytes: 'gone' };
}

export interface ReadBytes<Entry> {
  readonly entry: Entry;
  readonly bytes: Uint8Array;
  /** Whether `bytes` is complete. */
  readonly isWhole: boolean;
}

/** Returns the state with bytes that were read or stored. The first bytes also determine the view. */
export function withBytes<Entry, Own extends string>(
  before: ShownBytes<Entry, Own>,
  { entry, bytes, isWhole }: ReadBytes<Entry>,
): ShownBytes<Entry, Own> {
  // If the bytes are unchanged, keeps the old `Uint8Array`, so that data cached for this array stays valid.
  if (before.bytes instanceof Uint8Array && Buffer.compare(before.bytes, bytes) === 0)
    return { ...before, entry };
  const kind = guessKind(bytes.subarray(0, 4096), isWhole && bytes.length <= 4096);
  const view =
    before.bytes === undefined ? defaultView(kind, isWhole ? bytes.length : Infinity) : before.view;
  return { entry, bytes, kind, view, folded: before.folded };
}

/** Maximum number of bytes that are shown as JSON by default: indenting 25 MiB takes a second. */
const maxAutoJsonBytes = 1024 * 1024;

function defaultView({ kind }: Kind, length: number): BytesView {
  if (kind === 'binary') return 'hex';
  return kind === 'json' && length <= maxAutoJsonBytes ? 'json' : 'text';
}

const viewNames: Readonly<Record<string, string>> = {
  text: 'text',
  json: 'JSON',
  hex: 'hex',
} satisfies Record<BytesView, string>;

/** Formats the type of bytes, followed by the view if the view shows the bytes as another type: `JSON as hex`. */
export function formatKind(label: string, { kind }: Kind, view: string): string {
  const name = viewNames[view];
  return name === undefined || kind === view || kind === 'empty' ? label : `${label} as ${name}`;
}

/** Returns the next view in the order text, JSON, hex, the pane's own view, and then text again. */
export function nextView<Own extends string>(view: BytesView | Own, own: Own): BytesView | Own {
  const views = ['text', 'json', 'hex', own] as const;
  return views[(views.indexOf(view) + 1) % views.length] ?? 'text';
}

/** Returns the lines of bytes in a view, without redaction. `noJson` is the text for bytes that are not JSON. */
export function bytesSource(
  bytes: Uint8Array,
  { view, folded }: { readonly view: BytesView; readonly folded?: Folded | undefined },
  surface: ViewWidth,
  noJson: string,
): Source {
  if (view === 'text') return textView(bytes, surface);
  const { columns } = surface;
  const window = toWindow(surface);
  if (window === undefined)
    return view === 'hex' ? hexSource(bytes, columns) : jsonSource(bytes, folded, columns, noJson);
  return view === 'hex' ? hexSideways(bytes, window) : jsonSideways(bytes, folded, window, noJson);
}

/** Returns bytes as text, wrapped or not. */
export function textView(bytes: Uint8Array, surface: ViewWidth): Source {
  const window = toWindow(surface);
  return window === undefined ? textSource(bytes, surface.columns) : textSideways(bytes, window);
}

/** Returns the window on unwrapped lines, without the last column, which shows whether a line continues; undefined if lines are wrapped. */
function toWindow({ columns, sideways: left }: ViewWidth): Window | undefined {
  return left === undefined ? undefined : { columns: Math.max(1, columns - 1), left };
}
