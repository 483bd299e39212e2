import type { Problem } from '../../src/model/problem.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import type { Dialog } from '../forms/dialog.ts';
import { type Busy, reading } from '../keymap/busy.ts';
import { atStart, type Cursor, type Move, moveCursor, putCursor } from '../lists/cursor.ts';
import { type EntryRow, nextStop } from '../viewer/entries.ts';
import { busyWith, type HostnameCommand } from './commands.ts';
import { type Looks, looked, noLooks } from './looks.ts';

/** What the pane asks the services for. */
export type DetailCommand = { readonly does: 'read' } | HostnameCommand;

export type DetailDialog = Dialog<DetailCommand, never, undefined>;

export interface HostnameDetail {
  readonly row: HostnameRow;
  readonly cursor: Cursor;
  readonly looks: Looks;
  /** Whether the menu of authorities stands in place of the pane. */
  readonly choosing: boolean;
  /** What is being done at the moment, in words. */
  readonly busy?: Busy | undefined;
  readonly dialog?: DetailDialog | undefined;
}

export type DetailEvent =
  | { readonly type: 'moved'; readonly move: Move; readonly length: number; readonly height: number }
  | { readonly type: 'next-record'; readonly rows: readonly EntryRow[] }
  | { readonly type: 'choosing'; readonly on: boolean }
  | { readonly type: 'asked'; readonly dialog: DetailDialog }
  | { readonly type: 'closed' }
  | { readonly type: 'begun'; readonly command: DetailCommand }
  | { readonly type: 'read' | 'looked'; readonly row: HostnameRow }
  | { readonly type: 'blinded' }
  | { readonly type: 'failed'; readonly problem: Problem; readonly command: DetailCommand };

/** The state of a pane that has just been opened on a hostname. */
export function openedDetail(row: HostnameRow): HostnameDetail {
  return { row, cursor: atStart, looks: noLooks, choosing: false };
}

/** The state after an event. */
export function reduceDetail(state: HostnameDetail, event: DetailEvent): HostnameDetail {
  switch (event.type) {
    case 'moved':
      return { ...state, cursor: moveCursor(state.cursor, event.move, event.length, event.height) };
    case 'next-record': {
      const index = nextStop(event.rows, state.cursor.index);
      return { ...state, cursor: putCursor(state.cursor, index, event.rows.length) };
    }
    case 'choosing':
      return { ...state, choosing: event.on };
    case 'asked':
      return { ...state, dialog: event.dialog };
    case 'closed':
      return { ...state, dialog: undefined };
    case 'begun': {
      const busy = event.command.does === 'read' ? reading : busyWith[event.command.does];
      return { ...state, busy, dialog: undefined, choosing: false };
    }
    case 'read':
      return { ...state, row: event.row, busy: undefined, looks: noLooks };
    case 'looked': {
      const news = JSON.stringify(event.row) !== JSON.stringify(state.row);
      return { ...state, row: event.row, looks: looked(state.looks, news) };
    }
    case 'blinded':
      return { ...state, looks: { ...state.looks, ended: true } };
    case 'failed': {
      const { problem, command } = event;
      return { ...state, busy: undefined, dialog: { kind: 'problem', problem, command } };
    }
  }
}
