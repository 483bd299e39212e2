import type { Chunk } from './rows.ts';

/** How rows of one kind are told apart, what a filter looks at, and in what order they stand. */
export interface RowKind<T> {
  /** The identity of a row: the cursor and marks stay with it. */
  idOf(row: T): string;
  /** The text that a filter looks at. */
  textOf(row: T): string;
  /**
   * `by-id`: in the order of the identities' UTF-8 bytes, which finds a row among millions at once; `as-listed`: in the
   * order of the listing; `newest-first`: the same, with a row that is new before them all, whatever the platform was
   * asked for; else in the byte order of this text. The listing has to come in this order.
   */
  readonly order: 'by-id' | 'as-listed' | 'newest-first' | ((row: T) => string);
  /** Holds many rows in less room, where there can be millions. Their texts are joined in it. */
  pack?(rows: readonly T[]): Chunk<T>;
  /** Columns that rows can be sorted by, that of the name last; left out, they stay in the order of the listing. */
  readonly sorts?: readonly SortColumn<T>[];
  /** The heading of the column that they are sorted by at first; left out, they stand in the order of the listing. */
  readonly firstSort?: string;
  /** Words by which a list can be narrowed to some of its rows; left out, it cannot. */
  tagsOf?(row: T): readonly string[];
}

/** A column that rows can be sorted by. */
export interface SortColumn<T> {
  /** As it stands above the column. */
  readonly heading: string;
  /** What a row is sorted by; undefined where it has nothing there. */
  by(row: T): number | string | undefined;
  /** Whether the listing comes in this order. */
  readonly isListed?: boolean;
}

/** Rows that are known by their name, and stand in its order. */
export const byName: Omit<RowKind<{ readonly name: string }>, 'pack' | 'sorts'> = {
  idOf: ({ name }) => name,
  textOf: ({ name }) => name,
  order: 'by-id',
};

/** The column of such names. */
export function nameColumn(heading: string): SortColumn<{ readonly name: string }> {
  return { heading, by: ({ name }) => name, isListed: true };
}

/** Order of two texts on the platform: that of their UTF-8 bytes. */
export function compareBytes(one: string, other: string): number {
  return one === other ? 0 : Buffer.compare(Buffer.from(one), Buffer.from(other));
}
