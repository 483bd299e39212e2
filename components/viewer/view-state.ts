import { escapeText } from '../../src/text/escape.ts';
import { type DialogEvent, type DialogState, reduceDialog } from '../forms/dialog-state.ts';
import type { Busy } from '../keymap/busy.ts';
import type { Move } from '../lists/cursor.ts';
import { findText, jump, move, type Position } from './scroll.ts';
import { type Anchor, atEnd, atTop, isSource, type Lines } from './source.ts';

/** The types of a viewer: its content, commands and forms. */
export interface ViewParts {
  /** The content to show, before it is laid out for a screen. */
  readonly content: unknown;
  /** Commands of the pane to the services. */
  readonly command: { readonly does: string };
  /** Purposes of its forms. */
  readonly purpose: string;
  /** The thing that a form is about. */
  readonly subject: unknown;
}

/** A text that is read, where the reader is in it, and what stands before it. */
export interface ViewState<V extends ViewParts>
  extends DialogState<V['command'], V['purpose'], V['subject']> {
  readonly content: V['content'];
  readonly position: Position;
  /** The last search, and the offset where it was found. */
  readonly search: { readonly text: string; readonly offset: number } | undefined;
}

export type ViewEvent<V extends ViewParts> =
  /** The reader stays where he is; `afresh`: at its beginning, without a search. */
  | {
      readonly type: 'became';
      readonly content: V['content'];
      readonly afresh?: boolean;
      /** Whether a line of it is selected; left out, as before. */
      readonly selects?: boolean;
    }
  | { readonly type: 'selected'; readonly line: Anchor }
  /** A second has gone by. */
  | { readonly type: 'ticked' }
  | { readonly type: 'moved'; readonly move: Move; readonly lines: Lines; readonly height: number }
  /** To the next place to jump to. */
  | { readonly type: 'jumped'; readonly lines: Lines }
  | { readonly type: 'searching'; readonly text: string }
  | Found
  | { readonly type: 'closed' }
  | DialogEvent<V['command'], V['purpose'], V['subject']>;

/** A text that was searched for. */
interface Found {
  readonly type: 'searched';
  readonly text: string;
  readonly offset: number;
  /** Left out where the text was not found. */
  readonly anchor: Anchor | undefined;
}

/** The state of a pane that has just been opened. Where lines are selected, the first one is, or the last. */
export function openedView<V extends ViewParts>(
  content: V['content'],
  {
    selects,
    fromEnd = false,
    busy,
  }: {
    readonly selects: boolean;
    readonly fromEnd?: boolean | undefined;
    readonly busy?: Busy | undefined;
  },
): ViewState<V> {
  const top = fromEnd ? atEnd : atTop;
  const position = selects ? { top, line: top } : { top };
  return { content, position, search: undefined, busy };
}

/** The state after an event. */
export function reduceView<V extends ViewParts>(state: ViewState<V>, event: ViewEvent<V>): ViewState<V> {
  const { position } = state;
  switch (event.type) {
    case 'became': {
      const { content, afresh, selects = position.line !== undefined } = event;
      if (afresh === true) {
        const line = selects ? atTop : undefined;
        return { ...state, content, position: { top: atTop, line }, search: undefined };
      }
      const line = selects ? (position.line ?? position.top) : undefined;
      return { ...state, content, position: { ...position, line } };
    }
    case 'ticked':
      return { ...state };
    case 'selected':
      return { ...state, position: { ...position, line: event.line } };
    case 'moved':
      return { ...state, position: move(event.lines, position, event.move, event.height) };
    case 'jumped':
      return { ...state, position: jump(event.lines, position) };
    case 'searching':
      return { ...state, dialog: { kind: 'search', text: event.text } };
    case 'searched': {
      const { text, offset, anchor: top = position.top } = event;
      const line = position.line && (event.anchor ?? position.line);
      return { ...state, dialog: undefined, search: { text, offset }, position: { ...position, top, line } };
    }
    case 'closed':
      return reduceDialog(state, { type: 'dismissed' });
    default:
      return reduceDialog(state, event);
  }
}

/** The text of a search before the pane, or of the last one. */
export function searchText<V extends ViewParts>({ dialog, search }: ViewState<V>): string {
  return dialog?.kind === 'search' ? dialog.text : (search?.text ?? '');
}

/**
 * Searches from the line on top of the screen, or behind the last match, and on from the beginning. `notice` is what
 * there is to say of it, escaped.
 */
export function searchIn<V extends ViewParts>(
  state: ViewState<V>,
  lines: Lines | undefined,
  from: 'top' | 'match',
): { readonly event: Found | { readonly type: 'closed' }; readonly notice?: string } {
  const text = searchText(state);
  if (lines === undefined || !isSource(lines) || text === '') return { event: { type: 'closed' } };
  const start =
    from === 'top'
      ? lines.startOf((state.position.line ?? state.position.top).segment)
      : (state.search?.offset ?? -1) + 1;
  const match = findText(lines, text, start);
  const event = {
    type: 'searched',
    text,
    offset: match?.offset ?? start - 1,
    anchor: match?.anchor,
  } as const;
  if (match === undefined) return { event, notice: `There is no ${escapeText(text)} in this view.` };
  return match.offset < start ? { event, notice: 'Searched on from the beginning.' } : { event };
}
