import { isoSeconds, type KeyEntry } from '../../src/model/kv/kv.ts';
import { jsonText, prettyJson } from '../../src/text/json.ts';
import { guessKind, type Kind } from '../../src/text/kind.ts';
import { formatSize, groupDigits } from '../../src/text/size.ts';
import { relativeTime } from '../../src/text/time.ts';
import type { Surface } from '../console/surface.ts';
import type { Dialog } from '../forms/dialog.ts';
import { type DialogEvent, reduceDialog } from '../forms/dialog-state.ts';
import { type Busy, deleting, reading, saving } from '../keymap/busy.ts';
import { type Anchor, atTop, hexSource, type Source, textSource } from '../viewer/source.ts';
import type { KeyCommand, KeyFormPurpose, KeySubject } from './key-commands.ts';

export type ValueView = 'text' | 'json' | 'hex' | 'metadata';

/** What the pane asks the services for. */
export type ValueCommand = { readonly does: 'read' } | KeyCommand;

export type ValueDialog = Dialog<ValueCommand, KeyFormPurpose, KeySubject>;

export interface ValueState {
  readonly entry: KeyEntry;
  /** The value, once it is read; `gone` when there is none. */
  readonly value: Uint8Array | 'gone' | undefined;
  readonly kind: Kind;
  readonly view: ValueView;
  readonly anchor: Anchor;
  /** What was searched for last, and the offset where it was found. */
  readonly search: { readonly text: string; readonly offset: number } | undefined;
  readonly busy?: Busy | undefined;
  readonly dialog?: ValueDialog | undefined;
}

export type ValueEvent =
  | { readonly type: 'scrolled'; readonly anchor: Anchor }
  | { readonly type: 'viewed'; readonly view: ValueView | 'next' }
  | { readonly type: 'searching'; readonly text: string }
  | {
      readonly type: 'searched';
      readonly text: string;
      readonly offset: number;
      readonly anchor: Anchor | undefined;
    }
  | { readonly type: 'read'; readonly subject: KeySubject | undefined }
  | { readonly type: 'stored'; readonly entry: KeyEntry; readonly value: Uint8Array }
  | { readonly type: 'closed' }
  | DialogEvent<ValueCommand, KeyFormPurpose, KeySubject>;

const views: readonly ValueView[] = ['text', 'json', 'hex', 'metadata'];

/** The state of a pane that has just been opened on a key. */
export function noValue(entry: KeyEntry): ValueState {
  return {
    entry,
    value: undefined,
    kind: { kind: 'empty', label: 'empty' },
    view: 'text',
    anchor: atTop,
    search: undefined,
    busy: reading,
  };
}

/** The state after an event. */
export function reduceValue(state: ValueState, event: ValueEvent): ValueState {
  switch (event.type) {
    case 'scrolled':
      return { ...state, anchor: event.anchor };
    case 'viewed': {
      const next = views[(views.indexOf(state.view) + 1) % views.length] ?? 'text';
      return { ...state, view: event.view === 'next' ? next : event.view, anchor: atTop, search: undefined };
    }
    case 'searching':
      return { ...state, dialog: { kind: 'search', text: event.text } };
    case 'searched': {
      const { text, offset, anchor = state.anchor } = event;
      return { ...state, dialog: undefined, search: { text, offset }, anchor };
    }
    case 'read':
      if (event.subject === undefined) return { ...state, busy: undefined, value: 'gone', anchor: atTop };
      return show({ ...state, entry: event.subject.entry }, event.subject.value);
    case 'stored':
      return show({ ...state, entry: event.entry, dialog: undefined }, event.value);
    case 'closed':
      return reduceDialog(state, { type: 'dismissed' });
    default:
      return reduceDialog(state, event);
  }
}

/** The text of a search before the pane, or of the last one. */
export function searchText(state: ValueState): string {
  return state.dialog?.kind === 'search' ? state.dialog.text : (state.search?.text ?? '');
}

/** What the pane scrolls through, for a surface; undefined while there is no value, which is shown as it is. */
export function sourceOf(
  { value, view, entry }: Pick<ValueState, 'value' | 'view' | 'entry'>,
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

/** Size, kind and view, for the header. */
export function valueCounts({ value, kind, view }: ValueState, percent: number | undefined): string {
  if (!(value instanceof Uint8Array)) return '';
  const place = percent === undefined ? '' : ` · ${percent}%`;
  return `${formatSize(value.length)}, ${kind.label} · ${view}${place}`;
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

function show(state: ValueState, value: Uint8Array): ValueState {
  const kind = guessKind(value.subarray(0, 4096), value.length <= 4096);
  const first = state.value === undefined;
  return { ...state, value, kind, busy: undefined, view: first ? fittingView(kind, value) : state.view };
}

/** Indenting 25 MiB of JSON takes a second: a long value waits until one asks for it. */
const longestJson = 1024 * 1024;

function fittingView({ kind }: Kind, value: Uint8Array): ValueView {
  if (kind === 'binary') return 'hex';
  return kind === 'json' && value.length <= longestJson ? 'json' : 'text';
}

/** What is under way while a command is carried out. */
export const busyWith: Readonly<Record<ValueCommand['does'], Busy>> = {
  read: reading,
  write: saving,
  remove: deleting,
  edit: reading,
  'edit-outside': { kind: 'reading', words: 'editing' },
};

/** When a key expires as seen from now, for the header; empty without an expiry. */
export function expiryWords({ expiration }: KeyEntry, now: number): string {
  return expiration === undefined ? '' : `expires ${relativeTime(expiration - Math.floor(now / 1000))}`;
}
