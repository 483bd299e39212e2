/** A range of an object's bytes, from `start` to `end`, inclusive. The first byte is 0. */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the bytes that a `Range` header requests from an object of `size` bytes (RFC 9110, 14.2). Undefined if the header requests all
 * bytes, uses another unit, or has several ranges (a server may then return the whole object); `none` if the range is outside the object.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'none' | undefined {
  // The pattern avoids adjacent runs of spaces, because a long header of spaces would then take quadratic time to match.
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
