import type { HttpMetadata, ObjectEntry } from '../../src/model/objects/object.ts';
import { imageSize } from '../../src/text/image-size.ts';
import { prettyJson } from '../../src/text/json.ts';
import { guessKind, type Kind } from '../../src/text/kind.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import type { Place } from '../console/place.ts';
import type { Surface } from '../console/surface.ts';
import { reading } from '../keymap/busy.ts';
import { type Anchor, atTop, hexSource, type Source, textSource } from '../viewer/source.ts';
import { reduceWork, type Work, type WorkEvent } from './work.ts';

export type PreviewPlace = Extract<Place, { pane: 'preview' }>;

export type PreviewView = 'text' | 'json' | 'hex' | 'about';

/** Bytes of an object that are read, from its beginning. */
export const headBytes = 64 * 1024;

export interface PreviewState {
  readonly entry: ObjectEntry;
  /** The object's first bytes, once they are read; `gone` when there is no object. */
  readonly head: Uint8Array | 'gone' | undefined;
  readonly kind: Kind;
  readonly view: PreviewView;
  readonly anchor: Anchor;
  /** What was searched for last, and the offset where it was found. */
  readonly search: { readonly text: string; readonly offset: number } | undefined;
  readonly work: Work;
}

export type PreviewEvent =
  | { readonly type: 'scrolled'; readonly anchor: Anchor }
  | { readonly type: 'viewed'; readonly view: PreviewView | 'next' }
  | { readonly type: 'searching'; readonly text: string }
  | {
      readonly type: 'searched';
      readonly text: string;
      readonly offset: number;
      readonly anchor: Anchor | undefined;
    }
  | { readonly type: 'closed' | 'reading' }
  | {
      readonly type: 'read';
      readonly entry: ObjectEntry | undefined;
      readonly head: Uint8Array | undefined;
    }
  | WorkEvent;

const views: readonly PreviewView[] = ['text', 'json', 'hex', 'about'];

/** The state of a pane that has just been opened on an object. */
export function noPreview({ entry }: PreviewPlace): PreviewState {
  return {
    entry,
    head: undefined,
    kind: { kind: 'empty', label: 'empty' },
    view: 'text',
    anchor: atTop,
    search: undefined,
    work: { busy: reading },
  };
}

/** The state after an event. */
export function reducePreview(state: PreviewState, event: PreviewEvent): PreviewState {
  switch (event.type) {
    case 'scrolled':
      return { ...state, anchor: event.anchor };
    case 'viewed': {
      const next = views[(views.indexOf(state.view) + 1) % views.length] ?? 'text';
      return { ...state, view: event.view === 'next' ? next : event.view, anchor: atTop, search: undefined };
    }
    case 'searching':
      return { ...state, work: { ...state.work, dialog: { kind: 'search', text: event.text } } };
    case 'searched': {
      const { text, offset, anchor = state.anchor } = event;
      return { ...state, work: { ...state.work, dialog: undefined }, search: { text, offset }, anchor };
    }
    case 'closed':
      return { ...state, work: reduceWork(state.work, { type: 'dismissed' }) };
    case 'reading':
      return { ...state, work: { busy: reading } };
    case 'read':
      return show({ ...state, work: {} }, event.entry, event.head);
    case 'failed': {
      const work = event.command.does === 'read' ? {} : state.work;
      return { ...state, work: reduceWork(work, event) };
    }
    default:
      return { ...state, work: reduceWork(state.work, event) };
  }
}

/** The text of a search before the pane, or of the last one. */
export function searchText({ work, search }: PreviewState): string {
  return work.dialog?.kind === 'search' ? work.dialog.text : (search?.text ?? '');
}

/** What the pane scrolls through, for a surface; undefined while nothing is read. The object is shown as it is. */
export function previewSource(
  { head, view, entry, kind }: Pick<PreviewState, 'head' | 'view' | 'entry' | 'kind'>,
  { columns: width, redact }: Surface,
): Source | undefined {
  if (!(head instanceof Uint8Array)) return undefined;
  switch (view) {
    case 'text':
      return textSource(head, width);
    case 'hex':
      return hexSource(head, width);
    case 'json':
      return textSource(jsonOf(head, entry), width);
    case 'about':
      return textSource(Buffer.from(redact(aboutText(entry, head, kind))), width);
  }
}

function jsonOf(head: Uint8Array, { size }: ObjectEntry): Uint8Array {
  if (head.length < size) return Buffer.from('Only the beginning was read; it is no whole JSON.');
  return prettyJson(head) ?? Buffer.from('This object cannot be shown as JSON.');
}

/** Size, kind, dimensions and view, for the header. */
export function previewCounts({ entry, head, kind, view }: PreviewState): string {
  if (!(head instanceof Uint8Array)) return '';
  const part = head.length < entry.size ? `first ${formatSize(head.length)} of ` : '';
  return `${part}${formatSize(entry.size)}, ${kindWords(kind, head)} · ${view}`;
}

function kindWords({ label }: Kind, head: Uint8Array): string {
  const size = imageSize(head);
  return size === undefined ? label : `${label} ${size.width}x${size.height}`;
}

const httpNames: Readonly<Record<keyof HttpMetadata, string>> = {
  contentType: 'content-type',
  contentDisposition: 'content-disposition',
  contentEncoding: 'content-encoding',
  contentLanguage: 'content-language',
  cacheControl: 'cache-control',
  cacheExpiry: 'expires',
};

/** Everything about an object but its bytes. Absolute times, so that the text does not age on the screen. */
function aboutText(entry: ObjectEntry, head: Uint8Array, kind: Kind): string {
  const { key, size, etag, uploaded, storageClass, httpMetadata, customMetadata } = entry;
  const http = (Object.keys(httpNames) as (keyof HttpMetadata)[]).flatMap((field) => {
    const value = httpMetadata[field];
    if (value === undefined) return [];
    return [row(httpNames[field], typeof value === 'number' ? isoTime(value) : value)];
  });
  const custom = Object.entries(customMetadata).map(([name, value]) => row(`  ${name}`, value));
  return [
    row('key', key),
    row('size', `${groupDigits(size)} bytes`),
    row('seems to be', kindWords(kind, head)),
    row('etag', etag),
    row('uploaded', isoTime(uploaded)),
    ...(storageClass === undefined ? [] : [row('storage class', storageClass)]),
    ...http,
    row('custom', custom.length === 0 ? 'none' : ''),
    ...custom,
  ].join('\n');
}

/** One line whatever the texts hold: a line feed of theirs must not begin a line of ours. */
function row(name: string, value: string): string {
  return `${name.padEnd(20)} ${value}`.trimEnd().replaceAll('\n', '␊');
}

function isoTime(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? 'unknown' : date.toISOString();
}

function show(
  state: PreviewState,
  entry: ObjectEntry | undefined,
  head: Uint8Array | undefined,
): PreviewState {
  if (entry === undefined || head === undefined) return { ...state, head: 'gone', anchor: atTop };
  const whole = head.length >= entry.size;
  const kind = guessKind(head.subarray(0, 4096), whole && head.length <= 4096);
  const view = state.head === undefined ? fittingView(kind, whole) : state.view;
  return { ...state, entry, head, kind, view };
}

function fittingView({ kind }: Kind, whole: boolean): PreviewView {
  if (kind === 'binary') return 'hex';
  return kind === 'json' && whole ? 'json' : 'text';
}
