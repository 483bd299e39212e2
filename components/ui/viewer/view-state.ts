import type { Range } from '../../../src/text/search/pattern.ts';
import type { Busy } from '../../kit/keys/busy.ts';
import type { Move } from '../../kit/keys/cursor.ts';
import { type DialogEvent, type DialogState, reduceDialog } from '../forms/dialog-state.ts';
import { jump, move, type ReaderPosition } from './scroll.ts';
import { type Anchor, atEnd, atTop, type Lines, type Source } from './source.ts';
import type { SeekTarget } from './view-search.ts';
import type { ViewWork } from './view-source.ts';

/** A document, the reader's position in it, and its dialog. */
export interface ViewState<Content> extends DialogState<ViewWork<Content>> {
  readonly content: Content;
  readonly position: ReaderPosition;
  /** The first visible column of unwrapped lines; undefined if lines are wrapped. */
  readonly sideways: number | undefined;
  /** The bytes that have just changed, which are briefly highlighted. */
  readonly changed?: Range | undefined;
  /** The last search, and the offset of the current match. */
  readonly search: { readonly text: string; readonly offset?: number | undefined } | undefined;
}

export type ViewEvent<Content> =
  /** The content has changed. Keeps the position; with `afresh`, resets the position and the search. */
  | {
      readonly type: 'became';
      readonly content: Content;
      readonly afresh?: boolean;
      /** Whether lines can be selected (default: unchanged). */
      readonly selects?: boolean;
    }
  | { readonly type: 'selected'; readonly line: Anchor }
  /** A second has passed. */
  | { readonly type: 'ticked' }
  | { readonly type: 'moved'; readonly move: Move; readonly lines: Lines; readonly height: number }
  /** A jump to the next stop. */
  | { readonly type: 'jumped'; readonly lines: Lines }
  | { readonly type: 'searching'; readonly text: string }
  /** A search starts. An empty string ends the search. */
  | { readonly type: 'searched'; readonly text: string }
  | {
      readonly type: 'found';
      readonly offset: number;
      readonly anchor: Anchor;
      readonly sideways?: number | undefined;
    }
  /** Scrolls to the side, or switches wrapping. Keeps the position. */
  | { readonly type: 'shifted'; readonly sideways: number | undefined }
  | { readonly type: 'placed'; readonly position: ReaderPosition }
  | { readonly type: 'glowed'; readonly changed: Range | undefined }
  /** More of the document has been searched. */
  | { readonly type: 'looked' }
  | { readonly type: 'closed' }
  | DialogEvent<ViewWork<Content>>;

/**
 * Returns the state of a pane that has just been opened. If lines can be selected, the first line is selected, or with `fromEnd` the last.
 */
export function initialView<Content>(
  content: Content,
  {
    selects,
    fromEnd = false,
    busy,
  }: {
    readonly selects: boolean;
    readonly fromEnd?: boolean | undefined;
    readonly busy?: Busy | undefined;
  },
): ViewState<Content> {
  const top = fromEnd ? atEnd : atTop;
  const position = selects ? { top, line: top } : { top };
  return { content, position, sideways: undefined, search: undefined, busy };
}

/** Returns the state after an event. */
export function reduceView<Content>(
  state: ViewState<Content>,
  event: ViewEvent<Content>,
): ViewState<Content> {
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
    case 'looked':
      return { ...state };
    case 'selected':
      return { ...state, position: { ...position, line: event.line } };
    case 'moved':
      return { ...state, position: move(event.lines, position, event.move, event.height) };
    case 'jumped':
      return { ...state, position: jump(event.lines, position) };
    case 'searching':
      return { ...state, dialog: { kind: 'search', text: event.text } };
    case 'searched':
      return { ...state, dialog: undefined, search: event.text === '' ? undefined : { text: event.text } };
    case 'found': {
      const { offset, anchor: top, sideways = state.sideways } = event;
      const search = state.search && { ...state.search, offset };
      return { ...state, search, sideways, position: { ...position, top, line: position.line && top } };
    }
    case 'glowed':
      return { ...state, changed: event.changed };
    case 'shifted':
      return { ...state, sideways: event.sideways };
    case 'placed':
      return { ...state, position: event.position };
    case 'closed':
      return reduceDialog(state, { type: 'dismissed' });
    default:
      return reduceDialog(state, event);
  }
}

/** Returns the search text that is being typed, or the text of the last search. */
export function searchText<Content>({ dialog, search }: ViewState<Content>): string {
  return dialog?.kind === 'search' ? dialog.text : (search?.text ?? '');
}

/**
 * Returns the request for the match after or before the current match. For `here`, or if there is no current match, the search starts at
 * the current line.
 */
export function seekTarget<Content>(
  { search, position }: ViewState<Content>,
  lines: Source,
  way: 'here' | 'next' | 'previous',
): SeekTarget {
  const here = lines.getStart((position.line ?? position.top).segment);
  if (way === 'here' || search?.offset === undefined)
    return { from: here, way: way === 'here' ? 'next' : way };
  return way === 'next' ? { from: search.offset + 1, way } : { from: search.offset, way };
}
