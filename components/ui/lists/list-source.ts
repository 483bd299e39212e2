import type { PlaceLink } from '../../../src/model/places/link.ts';
import type { Task } from '../../../src/model/tasks/task.ts';
import type { Change } from '../../kit/changes.ts';
import type { ServerFilter } from './list-state.ts';
import type { RowChange } from './paged-list.ts';
import type { RowKind } from './row-kind.ts';

/** Who hears of a listing. */
export interface Listing {
  /** Receives the total number of rows, if the platform reports it. */
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
export interface ListSource<T> {
  readonly kind: RowKind<T>;
  /** Whether it is read to its end immediately. */
  readonly whole: boolean;
  /** Where its filter, its sort and its request are saved until it is opened again. */
  readonly place?: PlaceLink;
  /** Asked of the platform from the first, whatever was kept. */
  readonly prefix?: string | undefined;
  /** What the platform can filter by; if omitted, it lists all rows. */
  readonly asks?: ServerFilter;
  /** Rows in a full page; 1000, where nothing is said. */
  readonly pageSize?: number;
  /** Reads the rows that begin with a prefix or contain it, page by page. */
  pages(prefix: string, signal: AbortSignal, listing: Listing): AsyncGenerator<readonly T[]>;
  /** Rows that are known without reading them, and change by themselves. */
  readonly live?: {
    rows(): readonly T[];
    /** Calls a listener after changes, until the returned function is called. */
    subscribe(changed: () => void): () => void;
  };
  /** What takes long to read: a list begins with what it showed when it was closed, and reads it again when it is told to. */
  readonly kept?: {
    rows(): KeptRows<T> | undefined;
    /** Told when a list is closed that has been read to its end. */
    keep(kept: KeptRows<T>): void;
  };
  /** Returns the change of a row of this list; undefined when no row is concerned. */
  rowOf(change: Change): RowChange<T> | undefined;
  /** Returns the row that a change concerns without telling it, and how to read it; undefined when no row is concerned. */
  rowAfter?(change: Change): RowToRead<T> | undefined;
  /** Whether the whole list is read again after a change. */
  isOutdatedBy?(change: Change): boolean;
  /** Whether a task is about this list, and whether its end means that the list is read again. */
  readonly tasks?: { isAbout(task: Task): boolean; changes(task: Task): boolean };
}
