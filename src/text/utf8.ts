/**
 * The code unit that represents the invalid byte 0 in a decoded string. Invalid bytes are decoded to lone surrogates, which valid UTF-8
 * never contains.
 */
export const badByte = 0xdc00;

let decoder: InstanceType<typeof TextDecoder> | undefined;

/**
 * Decodes bytes. A byte that is not valid UTF-8 (Unicode, table 3-7) becomes one code unit, `badByte` plus the byte's value. A byte order
 * mark is kept.
 */
export function decodeUtf8(bytes: Uint8Array): string {
  decoder ??= new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch {
    return decodeAround(bytes);
  }
}

function decodeAround(bytes: Uint8Array): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let text = '';
  let valid = 0;
  for (let at = 0; at < buffer.length; ) {
    const length = sequenceLength(buffer, at);
    if (length === 0) {
      text += buffer.toString('utf8', valid, at) + String.fromCharCode(badByte + (buffer[at] ?? 0));
      valid = at + 1;
    }
    at += Math.max(1, length);
  }
  return text + buffer.toString('utf8', valid);
}

/** Returns the length of the well-formed UTF-8 sequence at an offset; 0 if there is none (Unicode, table 3-7). */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] ?? 0;
  if (first < 0x80) return 1;
  const length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  if (first === 0xe0 && second < 0xa0) return 0;
  if (first === 0xed && second > 0x9f) return 0;
  if (first === 0xf0 && second < 0x90) return 0;
  if (first === 0xf4 && second > 0x8f) return 0;
  for (let index = 1; index < length; index++) {
    if (((bytes[at + index] ?? 0) & 0xc0) !== 0x80) return 0;
  }
  return length;
}

/** Returns the nearest offset, at or before `offset`, that does not split a UTF-8 character. */
export function characterStart(bytes: Uint8Array, offset: number): number {
  for (let back = 0; back < 4 && offset - back >= 0; back++) {
    const start = offset - back;
    const byte = bytes[start];
    if (byte === undefined || (byte & 0xc0) !== 0x80) {
      return back < Math.max(1, sequenceLength(bytes, start)) ? start : offset;
    }
  }
  return offset;
}
