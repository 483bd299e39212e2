import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { atStart } from '../lists/cursor.ts';
import { type EntriesEvent, type EntriesState, reduceEntries } from '../viewer/entries-state.ts';
import type { HostnameCommand } from './commands.ts';

/** What the pane asks the services for. */
export type DetailCommand = { readonly does: 'read' } | HostnameCommand;

export interface HostnameDetail extends EntriesState<DetailCommand> {
  readonly row: HostnameRow;
}

/** The hostname as it now is. */
interface RowEvent {
  readonly type: 'row';
  readonly row: HostnameRow;
}

export type DetailEvent = RowEvent | EntriesEvent<DetailCommand>;

/** The state of a pane that has just been opened on a hostname. */
export function openedDetail(row: HostnameRow): HostnameDetail {
  return { row, cursor: atStart };
}

/** The state after an event. */
export function reduceDetail(state: HostnameDetail, event: DetailEvent): HostnameDetail {
  return event.type === 'row' ? { ...state, row: event.row } : reduceEntries(state, event);
}
