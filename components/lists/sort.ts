import type { Order } from './pick.ts';
import type { RowKind, SortColumn } from './row-kind.ts';
import { type Rows, rowAt } from './rows.ts';

/** The column that a list is sorted by. */
export interface Sort {
  /** The heading of its column. */
  readonly heading: string;
  readonly isReversed: boolean;
}

/** The next column to sort by; undefined for the order of the listing, which comes first and last. */
export function nextSort<T>({ sorts = [] }: RowKind<T>, sort: Sort | undefined): Sort | undefined {
  const at = sorts.findIndex(({ heading }) => heading === sort?.heading);
  const next = sorts[at + 1];
  return next && { heading: next.heading, isReversed: false };
}

/** The other way round; a list in the order of its listing is turned over by its last column, the name. */
export function reversedSort<T>({ sorts = [] }: RowKind<T>, sort: Sort | undefined): Sort | undefined {
  if (sort !== undefined) return { ...sort, isReversed: !sort.isReversed };
  const name = sorts.at(-1);
  return name && { heading: name.heading, isReversed: true };
}

/**
 * The order of rows by a column: numbers by value, texts by their characters, rows without a value last, and rows with
 * the same in the order of the listing. Undefined for a column that the list does not have.
 */
export function orderOf<T>(kind: RowKind<T>, sort: Sort | undefined, rows: Rows<T>): Order | undefined {
  const column = kind.sorts?.find(({ heading }) => heading === sort?.heading);
  if (sort === undefined || column === undefined) return undefined;
  const sign = sort.isReversed ? -1 : 1;
  if (column.isListed === true) return (one, other) => sign * (one - other);
  return (one, other) =>
    compare(valueAt(rows, column, one), valueAt(rows, column, other), sign) || one - other;
}

type Value = number | string | undefined;

function valueAt<T>(rows: Rows<T>, { by }: SortColumn<T>, index: number): Value {
  const row = rowAt(rows, index);
  return row === undefined ? undefined : by(row);
}

function compare(one: Value, other: Value, sign: 1 | -1): number {
  if (one === other) return 0;
  if (one === undefined) return 1;
  if (other === undefined) return -1;
  return one < other ? -sign : sign;
}
