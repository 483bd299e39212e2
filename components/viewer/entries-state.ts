import { type DialogEvent, type DialogState, reduceDialog } from '../forms/dialog-state.ts';
import { type Cursor, type Move, moveCursor, putCursor } from '../lists/cursor.ts';
import { type EntryRow, nextStop } from './entries.ts';

/** A pane whose text can be read and copied line by line, and what stands before it. */
export interface EntriesState<C> extends DialogState<C, never, never> {
  readonly cursor: Cursor;
}

export type EntriesEvent<C> =
  | { readonly type: 'moved'; readonly move: Move; readonly length: number; readonly height: number }
  /** To the next place to jump to. */
  | { readonly type: 'next-stop'; readonly rows: readonly EntryRow[] }
  | DialogEvent<C, never, never>;

/** The state after an event. */
export function reduceEntries<C, T extends EntriesState<C>>(state: T, event: EntriesEvent<C>): T {
  switch (event.type) {
    case 'moved':
      return { ...state, cursor: moveCursor(state.cursor, event.move, event.length, event.height) };
    case 'next-stop': {
      const index = nextStop(event.rows, state.cursor.index);
      return { ...state, cursor: putCursor(state.cursor, index, event.rows.length) };
    }
    default:
      return reduceDialog(state, event);
  }
}
