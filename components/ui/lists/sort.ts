import type { Order } from './pick.ts';
import type { RowKind, SortColumn } from './row-kind.ts';
import { type Chunk, chunkIndex, type Rows } from './rows.ts';

/** The column and the direction by which a list is sorted. */
export interface Sort {
  /** The heading of the column. */
  readonly heading: string;
  readonly isReversed: boolean;
}

/** Returns the default sort of a list; undefined for the order of the listing. */
export function defaultSort<T>({ firstSort }: RowKind<T>): Sort | undefined {
  return firstSort === undefined ? undefined : { heading: firstSort, isReversed: false };
}

/** Returns whether a list has its default sort. */
export function isDefaultSort<T>({ firstSort }: RowKind<T>, sort: Sort | undefined): boolean {
  return sort?.heading === firstSort && sort?.isReversed !== true;
}

/** Returns the sort by the next column; after the last column, the default sort. */
export function nextSort<T>(kind: RowKind<T>, sort: Sort | undefined): Sort | undefined {
  const { sorts = [] } = kind;
  const at = sorts.findIndex(({ heading }) => heading === sort?.heading);
  const next = sorts[at + 1];
  return next === undefined ? defaultSort(kind) : { heading: next.heading, isReversed: false };
}

/** Returns the reversed sort; for the order of the listing, the reversed sort by the last column, which is the name. */
export function reversedSort<T>({ sorts = [] }: RowKind<T>, sort: Sort | undefined): Sort | undefined {
  if (sort !== undefined) return { ...sort, isReversed: !sort.isReversed };
  const name = sorts.at(-1);
  return name && { heading: name.heading, isReversed: true };
}

/**
 * Returns a function that creates the order of rows by a column: numbers by value, strings by their characters, rows without a value last,
 * and equal rows in the order of the listing. Returns undefined if the list does not have the column.
 */
export function createOrdering<T>(
  kind: RowKind<T>,
  sort: Sort | undefined,
): ((rows: Rows<T>) => Order) | undefined {
  const column = kind.sorts?.find(({ heading }) => heading === sort?.heading);
  if (sort === undefined || column === undefined) return undefined;
  const sign = sort.isReversed ? -1 : 1;
  if (column.isListed === true) return () => (one, other) => sign * (one - other);
  const values = new Values(column);
  return (rows) => (one, other) => compare(values.at(rows, one), values.at(rows, other), sign) || one - other;
}

type Value = number | string | undefined;

/** A cache of the sort values of rows, because packed rows are recreated at each access. */
class Values<T> {
  readonly #column: SortColumn<T>;
  readonly #cache = new WeakMap<Chunk<T>, readonly Value[]>();

  constructor(column: SortColumn<T>) {
    this.#column = column;
  }

  at(rows: Rows<T>, index: number): Value {
    const at = chunkIndex(rows, index);
    const chunk = rows.chunks[at];
    return chunk && this.#of(chunk)[index - (rows.starts[at] ?? 0)];
  }

  #of(chunk: Chunk<T>): readonly Value[] {
    const known = this.#cache.get(chunk);
    if (known !== undefined) return known;
    const values = Array.from(chunk, (row) => this.#column.by(row));
    this.#cache.set(chunk, values);
    return values;
  }
}

function compare(one: Value, other: Value, sign: 1 | -1): number {
  if (one === other) return 0;
  if (one === undefined) return 1;
  if (other === undefined) return -1;
  return one < other ? -sign : sign;
}
