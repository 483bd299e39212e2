const chunkSize = 1024;

/**
 * A list that grows page by page to millions of rows and never changes in place. A row is reached in one step, and
 * adding a page copies no more than one chunk and the list of chunks. Every chunk but the last is full.
 */
export interface Rows<T> {
  readonly chunks: readonly (readonly T[])[];
  readonly length: number;
}

/** No rows. */
export const noRows: Rows<never> = { chunks: [], length: 0 };

/** The row at an index, or undefined outside of the list. */
export function rowAt<T>(rows: Rows<T>, index: number): T | undefined {
  return index < 0 ? undefined : rows.chunks[Math.floor(index / chunkSize)]?.[index % chunkSize];
}

/** The rows with these behind them. */
export function appendRows<T>(rows: Rows<T>, added: readonly T[]): Rows<T> {
  if (added.length === 0) return rows;
  const chunks = rows.chunks.slice();
  const last = chunks.at(-1);
  const tail = last !== undefined && last.length < chunkSize ? [...(chunks.pop() ?? []), ...added] : added;
  for (let at = 0; at < tail.length; at += chunkSize) chunks.push(tail.slice(at, at + chunkSize));
  return { chunks, length: rows.length + added.length };
}

/** All rows, in order. */
export function* eachRow<T>(rows: Rows<T>, from = 0): Generator<T> {
  for (let at = Math.floor(from / chunkSize); at < rows.chunks.length; at++) {
    const chunk = rows.chunks[at] ?? [];
    yield* at * chunkSize < from ? chunk.slice(from - at * chunkSize) : chunk;
  }
}

/** The rows with `count` of them at an index replaced. Costs a copy of the list from there on. */
export function spliceRows<T>(rows: Rows<T>, index: number, count: number, added: readonly T[]): Rows<T> {
  const chunk = Math.floor(index / chunkSize);
  const before = { chunks: rows.chunks.slice(0, chunk), length: Math.min(chunk * chunkSize, rows.length) };
  const tail = [...eachRow(rows, before.length)];
  tail.splice(index - before.length, count, ...added);
  return appendRows(before, tail);
}

/** Where a row is, or would go, in sorted rows: the first index whose row does not come before it. */
export function lowerBound<T>(rows: Rows<T>, comesBefore: (row: T) => boolean): number {
  let low = 0;
  let high = rows.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const row = rowAt(rows, middle);
    if (row !== undefined && comesBefore(row)) low = middle + 1;
    else high = middle;
  }
  return low;
}
