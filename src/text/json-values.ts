/** 1 for the bytes of JSON that, outside of strings, begin or follow a value: a list or an object of nothing has one too. */
const marks = new Uint8Array(256);
for (const byte of Buffer.from(',[{:')) marks[byte] = 1;
const quote = 0x22;
const backslash = 0x5c;

/**
 * Whether a JSON text has more than so many values and names. Their number, and hardly their size, decides how long
 * `JSON.parse` takes: 100 MiB of `[],` take it a minute, of long strings a tenth of a second. Never parses, and stops there.
 */
export function hasMoreValues(bytes: Uint8Array, most: number): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] as number;
    if (byte === quote) at = stringEnd(text, at);
    else if (marks[byte] === 1 && ++count > most) return true;
  }
  return false;
}

/** The quote that ends the string that begins at `start`, or the end of the text. */
function stringEnd(text: Buffer, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === quote) return at;
    if (text[at] === backslash) at += 1;
  }
  return text.length;
}
