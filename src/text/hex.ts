/** Width in columns of the offset at the start of a row. */
export const hexOffsetLength = 8;

/** Returns the number of bytes in one row of a dump that is at most `width` columns wide: 16, or 8, 4, 2 or 1 on narrow screens. */
export function hexRowLength(width: number): number {
  return [16, 8, 4, 2].find((length) => rowWidth(length) <= width) ?? 1;
}

/**
 * Returns the rows of a hex dump: the offset, the bytes in hexadecimal, and the bytes as ASCII, with `.` for bytes that are not printable.
 * `offset` is the position of the first byte in the whole value.
 */
export function hexLines(window: Uint8Array, offset: number, rowLength: number): string[] {
  const lines: string[] = [];
  for (let start = 0; start < window.length; start += rowLength) {
    lines.push(hexLine(window.subarray(start, start + rowLength), offset + start, rowLength));
  }
  return lines;
}

/** Returns the columns in which bytes of a row are drawn: in hexadecimal, then as ASCII, each in ascending order. */
export function hexRanges(
  found: ReadonlyArray<readonly [from: number, to: number]>,
  rowLength: number,
): [from: number, to: number][] {
  const hexAt = (index: number) => 10 + index * 3 + (index >= 8 ? 1 : 0);
  const asciiAt = rowWidth(rowLength) - rowLength;
  return [
    ...found.map(([from, to]): [number, number] => [hexAt(from), hexAt(to - 1) + 2]),
    ...found.map(([from, to]): [number, number] => [asciiAt + from, asciiAt + to]),
  ];
}

function hexLine(row: Uint8Array, offset: number, rowLength: number): string {
  let hex = '';
  let ascii = '';
  for (let index = 0; index < rowLength; index++) {
    const byte = row[index];
    hex += index === 8 ? '  ' : index > 0 ? ' ' : '';
    hex += byte === undefined ? '  ' : byte.toString(16).padStart(2, '0');
    if (byte !== undefined) ascii += byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
  }
  return `${offset.toString(16).padStart(hexOffsetLength, '0')}  ${hex}  ${ascii}`;
}

function rowWidth(length: number): number {
  return 8 + 2 + (length * 3 - 1) + (length > 8 ? 1 : 0) + 2 + length;
}
