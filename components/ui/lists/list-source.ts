import type { PlaceLink } from '../../../src/model/places/link.ts';
import type { Task } from '../../../src/model/tasks/task.ts';
import type { Change } from '../../kit/changes.ts';
import type { ServerFilter } from './list-state.ts';
import type { RowChange } from './paged-list.ts';
import type { RowKind } from './row-kind.ts';

/** Receives facts about a listing. */
export interface Listing {
  /** Called with the total number of rows, if the platform reports it. */
  reportTotal(total: number): void;
}

/** All rows of a completely read list, and the time at which the read started, in milliseconds. */
export interface SavedRows<T> {
  readonly rows: readonly T[];
  readonly at: number;
}

/** A row that must be read. `read` resolves with undefined if the row no longer exists. */
export interface RowToRead<Row> {
  readonly id: string;
  read(signal: AbortSignal): Promise<Row | undefined>;
}

/** The definition of a list: its rows, how they are read, and which changes affect them. */
export interface ListSource<T> {
  readonly kind: RowKind<T>;
  /** Whether all pages are read without waiting for the user to scroll. */
  readonly whole: boolean;
  /** The link under which the list's filter, sort order and prefix are saved. */
  readonly place?: PlaceLink;
  /** The initial prefix; overrides the saved prefix. */
  readonly prefix?: string | undefined;
  /** How the platform can filter the rows (default: not at all). */
  readonly serverFilter?: ServerFilter;
  /** Number of rows in a full page (default: 1000). */
  readonly pageSize?: number;
  /** Whether the list is refreshed automatically (default: true). Must be false for results that are computed at the user's request. */
  readonly refreshes?: boolean;
  /** Approximate number of requests per read, in addition to the requests for pages (default: 0). */
  readonly extraRequests?: number;
  /** Reads the rows that begin with or contain `prefix`, page by page. */
  pages(prefix: string, signal: AbortSignal, listing: Listing): AsyncGenerator<readonly T[]>;
  /** Access to rows that are known without a read, and can change at any time. */
  readonly live?: {
    rows(): readonly T[];
    /** Returns the id of the row to select when the selected row disappears (default: the row that takes its position). */
    next?(): string | undefined;
    /** Calls a listener after changes, until the returned function is called. */
    subscribe(changed: () => void): () => void;
  };
  /** A cache for a list that takes a long time to read. The list starts with the saved rows, and is reread on request. */
  readonly saved?: {
    rows(): SavedRows<T> | undefined;
    /** Called when a completely read list is closed. */
    keep(rows: SavedRows<T>): void;
  };
  /** Returns the row that a change affects, with its new state; undefined if the change affects no row of this list. */
  rowChange(change: Change): RowChange<T> | undefined;
  /**
   * For a change that does not contain the new state of the affected row, returns the row and a way to read it; undefined if the change
   * affects no row.
   */
  rowToRead?(change: Change): RowToRead<T> | undefined;
  /** Returns whether the whole list must be reread after a change. */
  isOutdatedBy?(change: Change): boolean;
  /** `isAbout`: whether a task concerns this list. `changes`: whether the list must be reread after the task. */
  readonly tasks?: { isAbout(task: Task): boolean; changes(task: Task): boolean };
}
