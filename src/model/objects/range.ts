/** Bytes of an object: from `start` to `end`, both included, counted from 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The bytes that a `Range` header requests out of `size` (RFC 9110, 14.2). Undefined if it requests all of them, uses
 * another unit, or has several ranges (a server may then return the whole); `none` if the range is outside the object.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  // The pattern has no adjacent runs of blanks; with them, a long header of blanks would take quadratic time.
  const match = /^bytes\s*=\s*(?:(\d+)\s*)?-(?:\s*(\d+))?$/i.exec((header ?? '').trim());
  if (match === null) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '') return last === '' ? undefined : suffix(Number(last), size);
  const start = Number(first);
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) return 'none';
  return { start, end: last === '' ? size - 1 : Math.min(Number(last), size - 1) };
}

function suffix(length: number, size: number): ByteRange | 'none' {
  if (length === 0 || size === 0) return 'none';
  return { start: Math.max(0, size - length), end: size - 1 };
}
