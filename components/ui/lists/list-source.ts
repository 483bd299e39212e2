import type { PlaceLink } from '../../../src/model/places/link.ts';
import type { Task } from '../../../src/model/tasks/task.ts';
import type { Change } from '../../kit/changes.ts';
import type { ServerFilter } from './list-state.ts';
import type { RowChange } from './paged-list.ts';
import type { RowKind } from './row-kind.ts';

/** A receiver of facts about a listing. */
export interface Listing {
  /** Receives the total number of rows, if the platform reports it. */
  reportTotal(total: number): void;
}

/** All rows of a list that was read to its end, and the start of the reading in milliseconds. */
export interface SavedRows<T> {
  readonly rows: readonly T[];
  readonly at: number;
}

/** A row that must be read. `read` resolves with undefined if it no longer exists. */
export interface RowToRead<Row> {
  readonly id: string;
  read(signal: AbortSignal): Promise<Row | undefined>;
}

/** Everything that distinguishes one list from another: its rows, commands and forms. */
export interface ListSource<T> {
  readonly kind: RowKind<T>;
  /** Whether all pages are read immediately. */
  readonly whole: boolean;
  /** The place under which its filter, sort and prefix are saved. */
  readonly place?: PlaceLink;
  /** The initial prefix, whatever was saved. */
  readonly prefix?: string | undefined;
  /** What the platform can filter by (default: it lists all rows). */
  readonly serverFilter?: ServerFilter;
  /** Rows in a full page (default: 1000). */
  readonly pageSize?: number;
  /**
   * Whether the list is refreshed in the background (default: true). Results that were computed at the user's request
   * are not refreshed.
   */
  readonly refreshes?: boolean;
  /** Approximate number of requests per reading besides those for the pages (default: 0). */
  readonly extraRequests?: number;
  /** Reads the rows that begin with or contain `prefix`, page by page. */
  pages(prefix: string, signal: AbortSignal, listing: Listing): AsyncGenerator<readonly T[]>;
  /** Rows that are known without a reading and can change at any time. */
  readonly live?: {
    rows(): readonly T[];
    /** Calls a listener after changes, until the returned function is called. */
    subscribe(changed: () => void): () => void;
  };
  /** Saved rows of a list that takes long to read: the list starts with them and is reread on request. */
  readonly saved?: {
    rows(): SavedRows<T> | undefined;
    /** Called when a list that was read to its end is closed. */
    keep(rows: SavedRows<T>): void;
  };
  /** Returns the row changed by an event; undefined if no row of this list is affected. */
  rowChange(change: Change): RowChange<T> | undefined;
  /**
   * Returns the affected row and how to read it, for a change that does not contain the row; undefined if no row is
   * affected.
   */
  rowToRead?(change: Change): RowToRead<T> | undefined;
  /** Whether the whole list must be reread after a change. */
  isOutdatedBy?(change: Change): boolean;
  /** Whether a task concerns this list, and whether the list must be reread after it. */
  readonly tasks?: { isAbout(task: Task): boolean; changes(task: Task): boolean };
}
