import type { PlaceLink } from '../../../src/model/places/link.ts';
import type { Task } from '../../../src/model/tasks/task.ts';
import type { Change } from '../../kit/changes.ts';
import type { Busy } from '../../kit/keys/busy.ts';
import type { ActionResult, Dialog, FormDialog, PaneOutcome } from '../forms/dialog.ts';
import type { ListCommand, ListParts, RowsOf, ServerFilter } from './list-state.ts';
import type { RowChange } from './paged-list.ts';
import type { RowKind } from './row-kind.ts';

export type DialogOf<L extends ListParts> = Dialog<L['command'] | ListCommand, L['purpose'], L['subject']>;

/** The result of a command: effects on the pane. Those left out do not happen. */
export interface ListOutcome<L extends ListParts> extends Omit<PaneOutcome, 'dialog'> {
  /** The dialog that follows: another question or form. */
  readonly dialog?: DialogOf<L> | undefined;
}

/** What an action of a list does: also what every list can do, such as showing only one kind of its rows. */
export type ListResult = ActionResult<ListOutcome<RowsOf<unknown>>>;

/** A command of a filled form, or what is wrong with it by the names of its fields. */
export type FormRead<L extends ListParts> =
  | { readonly command: L['command'] }
  | { readonly errors: Readonly<Record<string, string>> };

/** Who hears of a listing. */
export interface Listing {
  /** Told how many rows there are in all, where the platform says so. */
  tellTotal(total: number): void;
}

/** All rows of a list that was read to its end, and when that began. Milliseconds. */
export interface KeptRows<T> {
  readonly rows: readonly T[];
  readonly at: number;
}

/** A row that has to be read; it resolves with undefined when there is none any more. */
export interface RowToRead<Row> {
  readonly id: string;
  read(signal: AbortSignal): Promise<Row | undefined>;
}

/** Everything that sets one list apart from another: its rows, commands and forms. */
export interface ListSource<L extends ListParts> {
  readonly kind: RowKind<L['row']>;
  /** Whether it is read to its end at once. */
  readonly whole: boolean;
  /** Where its filter, its sort and what was asked for are kept until it is opened again. */
  readonly place?: PlaceLink;
  /** Asked of the platform from the first, whatever was kept. */
  readonly prefix?: string | undefined;
  /** What the platform can be asked for; left out, it lists all of them. */
  readonly asks?: ServerFilter;
  /** Rows in a full page; 1000, where nothing is said. */
  readonly pageSize?: number;
  /** Reads the rows that begin with a prefix or contain it, page by page. */
  pages(prefix: string, signal: AbortSignal, listing: Listing): AsyncGenerator<readonly L['row'][]>;
  /** Rows that are known without reading them, and change by themselves. */
  readonly live?: {
    rows(): readonly L['row'][];
    /** Calls a listener after changes, until the returned function is called. */
    subscribe(changed: () => void): () => void;
  };
  /** What takes long to read: a list begins with what it showed when it was closed, and reads it again when it is told to. */
  readonly kept?: {
    rows(): KeptRows<L['row']> | undefined;
    /** Told when a list is closed that has been read to its end. */
    keep(kept: KeptRows<L['row']>): void;
  };
  /** Words for the header while a command runs. */
  readonly busyWith?: Readonly<Record<string, Busy>>;
  carryOut?(command: L['command'], signal: AbortSignal): Promise<ListOutcome<L>>;
  readForm?(form: FormDialog<L['purpose'], L['subject']>): FormRead<L>;
  /** Returns the change of a row of this list; undefined when no row is concerned. */
  rowOf(change: Change): RowChange<L['row']> | undefined;
  /** Returns the row that a change concerns without telling it, and how to read it; undefined when no row is concerned. */
  rowAfter?(change: Change): RowToRead<L['row']> | undefined;
  /** Whether the whole list is read again after a change. */
  isOutdatedBy?(change: Change): boolean;
  /** Whether a task is about this list, and whether its end means that the list is read again. */
  readonly tasks?: { isAbout(task: Task): boolean; changes(task: Task): boolean };
}
