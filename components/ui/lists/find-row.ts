import { compareBytes, type RowKind } from './row-kind.ts';
import { eachRow, lowerBound, type Rows, rowAt, spliceRows } from './rows.ts';

/** Returns the index of the row with this id; -1 if no row has it. */
export function findRowIndex<T>(rows: Rows<T>, kind: RowKind<T>, id: string): number {
  if (kind.order !== 'by-id') return scanForId(rows, kind, id);
  const index = indexById(rows, kind, id);
  const row = rowAt(rows, index);
  return row !== undefined && kind.getId(row) === id ? index : -1;
}

/** Inserts a row at its position in the order, or replaces the row with the same id. Returns the rows and the row's index. */
export function putRowIn<T>(rows: Rows<T>, kind: RowKind<T>, row: T): { rows: Rows<T>; index: number } {
  const at = findRowIndex(rows, kind, kind.getId(row));
  if (at === -1) return insert(rows, kind, row);
  if (typeof kind.order === 'string') return { rows: spliceRows(rows, at, 1, [row]), index: at };
  return insert(spliceRows(rows, at, 1, []), kind, row);
}

/** Returns the rows without the row with this id. */
export function dropRowFrom<T>(rows: Rows<T>, kind: RowKind<T>, id: string): Rows<T> {
  const index = findRowIndex(rows, kind, id);
  return index === -1 ? rows : spliceRows(rows, index, 1, []);
}

function insert<T>(rows: Rows<T>, kind: RowKind<T>, row: T): { rows: Rows<T>; index: number } {
  const index = insertionIndex(rows, kind, row);
  return { rows: spliceRows(rows, index, 0, [row]), index };
}

/**
 * Returns the index for a new row: its position in the order of ids or strings, the end for `as-listed`, or the start for `newest-first`.
 */
function insertionIndex<T>(rows: Rows<T>, kind: RowKind<T>, row: T): number {
  const { order } = kind;
  if (order === 'by-id') return indexById(rows, kind, kind.getId(row));
  if (order === 'as-listed') return rows.length;
  if (order === 'newest-first') return 0;
  const text = order(row);
  return lowerBound(rows, (other) => compareBytes(order(other), text) < 0);
}

function indexById<T>(rows: Rows<T>, kind: RowKind<T>, id: string): number {
  return lowerBound(rows, (row) => compareBytes(kind.getId(row), id) < 0);
}

/** Returns the index of the first row whose id comes after this id. The rows must be ordered by id. */
export function indexAfter<T>(rows: Rows<T>, kind: RowKind<T>, id: string): number {
  return lowerBound(rows, (row) => compareBytes(kind.getId(row), id) <= 0);
}

function scanForId<T>(rows: Rows<T>, kind: RowKind<T>, id: string): number {
  let index = 0;
  for (const row of eachRow(rows)) {
    if (kind.getId(row) === id) return index;
    index++;
  }
  return -1;
}
