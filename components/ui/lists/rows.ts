import type { Joined } from '../../../src/text/search/joined.ts';

/** Maximum number of rows in a chunk. */
export const chunkSize = 1024;

/** Consecutive rows: an array, or a compact form that creates each row on access. */
export interface Chunk<T> extends Iterable<T> {
  readonly length: number;
  at(index: number): T | undefined;
  /** The joined strings that a filter searches; undefined if they are not joined. */
  readonly joined?: Joined;
}

/**
 * An immutable list that grows page by page to millions of rows, with fast access to each row. Appending a page, or changing a row in the
 * middle, copies the list of chunks and usually only one chunk.
 */
export interface Rows<T> {
  readonly chunks: readonly Chunk<T>[];
  /** The index of each chunk's first row. */
  readonly starts: readonly number[];
  readonly length: number;
  /** Stores a full chunk of rows compactly. */
  pack?(rows: readonly T[]): Chunk<T>;
}

export const noRows: Rows<never> = { chunks: [], starts: [], length: 0 };

/** Returns an empty list. If `pack` is defined, the list uses this function to store full chunks compactly. */
export function emptyRows<T>({ pack }: Pick<Rows<T>, 'pack'>): Rows<T> {
  return { chunks: [], starts: [], length: 0, ...(pack && { pack }) };
}

/**
 * Returns the position of the chunk that contains an index. The search starts at the position that the chunk would have if all chunks were
 * full, because most chunks are full.
 */
export function chunkIndex<T>({ starts, chunks }: Rows<T>, index: number): number {
  let at = Math.min(Math.floor(index / chunkSize), chunks.length - 1);
  while (at > 0 && (starts[at] ?? 0) > index) at--;
  while (at + 1 < chunks.length && (starts[at + 1] ?? 0) <= index) at++;
  return at;
}

/** Returns the row at an index; undefined outside the list. */
export function rowAt<T>(rows: Rows<T>, index: number): T | undefined {
  if (index < 0 || index >= rows.length) return undefined;
  const at = chunkIndex(rows, index);
  return rows.chunks[at]?.at(index - (rows.starts[at] ?? 0));
}

/** Appends rows. */
export function appendRows<T>(rows: Rows<T>, added: readonly T[]): Rows<T> {
  if (added.length === 0) return rows;
  const last = rows.chunks.at(-1);
  const isFull = last === undefined || last.length >= chunkSize;
  const chunks = isFull ? rows.chunks.slice() : rows.chunks.slice(0, -1);
  return fromChunks([...chunks, ...toChunks(isFull ? added : [...last, ...added], rows)], rows);
}

/** Yields all rows in order, starting at an index. */
export function* eachRow<T>(rows: Rows<T>, from = 0): Generator<T> {
  if (from >= rows.length) return;
  for (let at = chunkIndex(rows, from); at < rows.chunks.length; at++) {
    const skipped = from - (rows.starts[at] ?? 0);
    const chunk = rows.chunks[at] ?? [];
    yield* skipped > 0 ? [...chunk].slice(skipped) : chunk;
  }
}

/** Replaces `count` rows at an index. Copies only the affected chunks. */
export function spliceRows<T>(rows: Rows<T>, index: number, count: number, added: readonly T[]): Rows<T> {
  if (index >= rows.length) return appendRows(rows, added);
  const first = chunkIndex(rows, index);
  const last = chunkIndex(rows, Math.min(rows.length - 1, index + Math.max(0, count - 1)));
  const changed = rows.chunks.slice(first, last + 1).flatMap((chunk) => [...chunk]);
  changed.splice(index - (rows.starts[first] ?? 0), count, ...added);
  const chunks = [...rows.chunks.slice(0, first), ...toChunks(changed, rows), ...rows.chunks.slice(last + 1)];
  return fromChunks(chunks, rows);
}

function fromChunks<T>(chunks: readonly Chunk<T>[], { pack }: Rows<T>): Rows<T> {
  let length = 0;
  const starts = chunks.map((chunk) => {
    const start = length;
    length += chunk.length;
    return start;
  });
  return { chunks, starts, length, ...(pack && { pack }) };
}

/** Splits rows into chunks, of which only the last can be smaller than `chunkSize`. */
function toChunks<T>(rows: readonly T[], { pack }: Rows<T>): Chunk<T>[] {
  const count = Math.ceil(rows.length / chunkSize);
  return Array.from({ length: count }, (_, at) => {
    const chunk = rows.slice(at * chunkSize, (at + 1) * chunkSize);
    return pack === undefined || chunk.length < chunkSize ? chunk : pack(chunk);
  });
}

/**
 * Returns the index of the first row for which `comesBefore` is false, by binary search. `comesBefore` must be true for all earlier rows.
 */
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
