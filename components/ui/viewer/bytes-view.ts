import { guessKind, type Kind } from '../../../src/text/kind.ts';
import { jsonSideways, jsonSource } from './json-source.ts';
import type { Folded } from './json-tree.ts';
import type { Window } from './long-lines.ts';
import { hexSideways, textSideways } from './sideways.ts';
import { hexSource, type Source, textSource } from './source.ts';
import type { ViewSurface } from './view-source.ts';

type ViewWidth = Omit<ViewSurface, 'redact'>;

/** How bytes are shown. A pane adds its own view, which shows everything about them except their content. */
export type BytesView = 'text' | 'json' | 'hex';

/** Bytes that a pane shows, as far as they were read. */
export interface ShownBytes<Entry, Own extends string> {
  /** What is known about them from a listing. */
  readonly entry: Entry;
  /** `gone` where there is nothing under this name any more; undefined until they are read. */
  readonly bytes: Uint8Array | 'gone' | undefined;
  readonly kind: Kind;
  readonly view: BytesView | Own;
  /** Folded lines of the JSON; absent if there are none. */
  readonly folded?: Folded | undefined;
}

/** Bytes of which nothing is read yet. */
export function unread<Entry>(entry: Entry): ShownBytes<Entry, never> {
  return { entry, bytes: undefined, kind: { kind: 'empty', label: 'empty' }, view: 'text' };
}

/** The same when there is none any more. */
export function gone<Shown extends ShownBytes<unknown, string>>(before: Shown): Shown {
  return { ...before, bytes: 'gone' };
}

export interface Read<Entry> {
  readonly entry: Entry;
  readonly bytes: Uint8Array;
  /** Whether these are all bytes there are. */
  readonly isWhole: boolean;
}

/** The same with what was read or stored. The first time it is shown as it fits. */
export function withBytes<Entry, Own extends string>(
  before: ShownBytes<Entry, Own>,
  { entry, bytes, isWhole }: Read<Entry>,
): ShownBytes<Entry, Own> {
  // What is the same stays the same object, and with it everything that was made of it.
  if (before.bytes instanceof Uint8Array && Buffer.compare(before.bytes, bytes) === 0)
    return { ...before, entry };
  const kind = guessKind(bytes.subarray(0, 4096), isWhole && bytes.length <= 4096);
  const view =
    before.bytes === undefined ? fittingView(kind, isWhole ? bytes.length : Infinity) : before.view;
  return { entry, bytes, kind, view, folded: before.folded };
}

/** Indenting 25 MiB of JSON takes a second: what is long waits until one asks for it. */
const longestJson = 1024 * 1024;

function fittingView({ kind }: Kind, length: number): BytesView {
  if (kind === 'binary') return 'hex';
  return kind === 'json' && length <= longestJson ? 'json' : 'text';
}

/** What bytes are, and how they are shown where that is not what they are. */
export function shownWords(label: string, { kind }: Kind, view: string): string {
  return kind === view || kind === 'empty' ? label : `${label} as ${view}`;
}

/** The next view; after the last, which is the pane's own, the first. */
export function viewAfter<Own extends string>(view: BytesView | Own, own: Own): BytesView | Own {
  const views = ['text', 'json', 'hex', own] as const;
  return views[(views.indexOf(view) + 1) % views.length] ?? 'text';
}

/** The lines of bytes in a view; `noJson` is the sentence for bytes that are none. Not redacted. */
export function bytesSource(
  bytes: Uint8Array,
  { view, folded }: { readonly view: BytesView; readonly folded?: Folded | undefined },
  surface: ViewWidth,
  noJson: string,
): Source {
  if (view === 'text') return textOn(bytes, surface);
  const { columns } = surface;
  const window = windowOf(surface);
  if (window === undefined)
    return view === 'hex' ? hexSource(bytes, columns) : jsonSource(bytes, folded, columns, noJson);
  return view === 'hex' ? hexSideways(bytes, window) : jsonSideways(bytes, folded, window, noJson);
}

/** Bytes as text, wrapped or not. */
export function textOn(bytes: Uint8Array, surface: ViewWidth): Source {
  const window = windowOf(surface);
  return window === undefined ? textSource(bytes, surface.columns) : textSideways(bytes, window);
}

/** The window on unwrapped lines; the last column says whether they continue. */
function windowOf({ columns, sideways: left }: ViewWidth): Window | undefined {
  return left === undefined ? undefined : { columns: Math.max(1, columns - 1), left };
}
