import type { Chunk } from './rows.ts';

/** The rules by which rows of a kind are identified, filtered and ordered. */
export interface RowKind<T> {
  /** Returns the id by which the cursor and marks refer to a row. */
  getId(row: T): string;
  /** Returns the string that a filter searches. */
  getText(row: T): string;
  /**
   * The order in which the listing arrives. `by-id`: by the UTF-8 bytes of the ids, which allows a binary search. `as-listed`: in no known
   * order. `newest-first`: like `as-listed`, but a new row comes first, even if it does not begin with the prefix. A function: by the UTF-8
   * bytes of the string that it returns.
   */
  readonly order: 'by-id' | 'as-listed' | 'newest-first' | ((row: T) => string);
  /** Returns the data to compare, to detect a change of a row (default: the row). */
  getCompared?(row: T): unknown;
  /** Stores rows in less memory, for kinds with millions of rows, and joins the strings that a filter searches. */
  pack?(rows: readonly T[]): Chunk<T>;
  /** The columns that the user can sort by, with the name last. If omitted, rows stay in the order of the listing. */
  readonly sorts?: readonly SortColumn<T>[];
  /** The heading of the default sort column; if omitted, rows stay in the order of the listing. */
  readonly firstSort?: string;
  /** Returns the tags of a row; if omitted, the list cannot be filtered by tags. */
  getTags?(row: T): readonly string[];
}

/** A column that rows can be sorted by. */
export interface SortColumn<T> {
  /** The heading, as shown above the column. */
  readonly heading: string;
  /** Returns the sort value of a row; undefined for a row without a value. */
  by(row: T): number | string | undefined;
  /** Whether the listing arrives in this order. */
  readonly isListed?: boolean;
}

/** Rows that are identified and ordered by their name. */
export const byName: Omit<RowKind<{ readonly name: string }>, 'pack' | 'sorts'> = {
  getId: ({ name }) => name,
  getText: ({ name }) => name,
  order: 'by-id',
};

/** Returns the column that sorts rows by name, for a listing that is already in name order. */
export function nameColumn(heading: string): SortColumn<{ readonly name: string }> {
  return { heading, by: ({ name }) => name, isListed: true };
}

/** Compares two strings in the platform's order: by their UTF-8 bytes. */
export function compareBytes(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}
