import type { Chunk } from './rows.ts';

/** How rows of one kind are identified, filtered and ordered. */
export interface RowKind<T> {
  /** The identity of a row: the cursor and marks stay with it. */
  idOf(row: T): string;
  /** The string that a filter searches. */
  textOf(row: T): string;
  /**
   * `by-id`: in the order of the identities' UTF-8 bytes, which finds a row among millions immediately; `as-listed`: in the
   * order of the listing; `newest-first`: the same, with new rows first, whatever was requested; otherwise in the byte order of
   * this string. The listing must arrive in this order.
   */
  readonly order: 'by-id' | 'as-listed' | 'newest-first' | ((row: T) => string);
  /** Stores many rows in less memory, for kinds with millions of them. Their strings are joined in it. */
  pack?(rows: readonly T[]): Chunk<T>;
  /** Sort columns of the rows, that of the name last; if omitted, they stay in the order of the listing. */
  readonly sorts?: readonly SortColumn<T>[];
  /** The heading of the default sort column; if omitted, rows are in the order of the listing. */
  readonly firstSort?: string;
  /** Tags by which a list can be filtered; if omitted, it cannot. */
  tagsOf?(row: T): readonly string[];
}

/** A column that rows can be sorted by. */
export interface SortColumn<T> {
  /** As shown above the column. */
  readonly heading: string;
  /** What a row is sorted by; undefined where it has nothing there. */
  by(row: T): number | string | undefined;
  /** Whether the listing comes in this order. */
  readonly isListed?: boolean;
}

/** Rows that are identified and ordered by their name. */
export const byName: Omit<RowKind<{ readonly name: string }>, 'pack' | 'sorts'> = {
  idOf: ({ name }) => name,
  textOf: ({ name }) => name,
  order: 'by-id',
};

/** The column of such names. */
export function nameColumn(heading: string): SortColumn<{ readonly name: string }> {
  return { heading, by: ({ name }) => name, isListed: true };
}

/** The platform's order of two strings: that of their UTF-8 bytes. */
export function compareBytes(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}
