/** Words and strings as people write them in zone files (RFC 1035, 5.1): in quotes, and with the escapes `\X` and `\DDD`. */

/** Maximum number of bytes in one string of a record (RFC 1035, 3.3). */
export const maxStringBytes = 255;

/**
 * Splits a line into words, each including its quotes and escapes. Undefined if a quote is not closed, or the line ends with a lone
 * backslash.
 */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let end = 0;
  for (const match of line.matchAll(/"(?:[^"\\]|\\.)*"|(?:[^\s"\\]|\\.|"(?:[^"\\]|\\.)*")+/gs)) {
    if (line.slice(end, match.index).trim() !== '') return undefined;
    words.push(match[0]);
    end = match.index + match[0].length;
  }
  return line.slice(end).trim() === '' ? words : undefined;
}

/** Returns a word's bytes, with quotes removed and escapes resolved. */
export function wordBytes(word: string): Buffer {
  return unescapeDns(inQuotes(word) ? word.slice(1, -1) : word);
}

function inQuotes(word: string): boolean {
  return /^"(?:[^"\\]|\\.)*"$/s.test(word);
}

/** Resolves escapes. `\DDD` is the byte with this decimal number; a backslash before any other character stands for that character. */
export function unescapeDns(text: string): Buffer {
  const parts = [...text.matchAll(/\\(25[0-5]|2[0-4]\d|[01]\d\d)|\\(.)|([^\\]+|\\)/gsu)];
  return Buffer.concat(
    parts.map(([, byte, char, rest]) =>
      byte === undefined ? Buffer.from(char ?? rest ?? '') : Buffer.from([Number(byte)]),
    ),
  );
}

/** Formats bytes as one quoted string. Printable characters of all scripts are unchanged. */
export function quoteDns(given: string | Buffer): string {
  const bytes = Buffer.from(given);
  const text = bytes.toString('utf8');
  const escaped = (plain: string) => plain.replace(/["\\]/g, '\\$&');
  if (Buffer.from(text).equals(bytes)) return `"${escapeByNumber(escaped(text), /[\0-\x1f\x7f]/g)}"`;
  return `"${escapeByNumber(escaped(bytes.toString('latin1')), /[\0-\x1f\x7f-\xff]/g, 'latin1')}"`;
}

/** Replaces all matches of a pattern with the decimal escapes of their bytes. */
export function escapeByNumber(text: string, pattern: RegExp, encoding: 'utf8' | 'latin1' = 'utf8'): string {
  return text.replace(pattern, (found) =>
    [...Buffer.from(found, encoding)].map((byte) => `\\${String(byte).padStart(3, '0')}`).join(''),
  );
}

/** Returns the bytes of a text record: the joined strings, or the content itself if it is not a sequence of quoted strings. */
export function textBytes(content: string): Buffer {
  return Buffer.concat(textStrings(content));
}

/** Formats a text record's strings for a zone file. Splits strings that are too long, but never within a character. */
export function quotedStrings(content: string): string {
  return textStrings(content).flatMap(fitting).map(quoteDns).join(' ');
}

function textStrings(content: string): Buffer[] {
  const words = splitWords(content) ?? [];
  const isRow = words.length > 0 && words.every(inQuotes);
  return isRow ? words.map(wordBytes) : [Buffer.from(content)];
}

function fitting(bytes: Buffer): Buffer[] {
  const parts: Buffer[] = [];
  let at = 0;
  while (bytes.length - at > maxStringBytes) {
    let end = at + maxStringBytes;
    // Continuation bytes of a UTF-8 character begin with the bits 10.
    for (let back = 0; back < 3 && ((bytes[end] ?? 0) & 0xc0) === 0x80; back += 1) end -= 1;
    parts.push(bytes.subarray(at, end));
    at = end;
  }
  return [...parts, bytes.subarray(at)];
}

/** Formats a name as a word: puts a backslash before characters with a special meaning in zone files. */
export function escapeName(name: string): string {
  return name.replace(/["\\;()$@]/g, '\\$&');
}
