/**
 * Shortens untrusted data in a message: up to `maxLength` characters are unchanged; longer data is cut, with the number of omitted
 * characters. A surrogate pair that is cut in half becomes U+FFFD.
 */
export function shortText(text: string, maxLength = 1000): string {
  if (text.length <= maxLength) return text;
  const left = (text.length - maxLength).toLocaleString('en');
  return `${text.slice(0, maxLength).toWellFormed()}… (${left} more characters)`;
}

/**
 * Shortens untrusted data in a message to its start, followed by `…` if it was cut. `text/redact.ts` recognizes a cut credential by this
 * character.
 */
export function truncate(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()}…`;
}

/** Shortens data to its start, like `truncate`, but by its length in bytes of UTF-8. `…` is not counted. */
export function truncateBytes(text: string, maxBytes: number): string {
  if (Buffer.byteLength(text) <= maxBytes) return text;
  const { read } = new TextEncoder().encodeInto(text, new Uint8Array(maxBytes));
  return `${text.slice(0, read).toWellFormed()}…`;
}

/** Maximum number of characters shown for a word, for a line and for a whole message. */
const maxLengths = { word: 1000, line: 4000, text: 16_000 } as const;

/**
 * Shortens a message for people so that the error stays on the screen: words to 1,000 characters, lines to 4,000, and the whole message to
 * 16,000. Lists of many short lines are not shortened.
 */
export function truncateMessage(text: string): string {
  if (text.length <= maxLengths.word) return text;
  const lines = text.split('\n').map((line) => shortText(truncateWords(line), maxLengths.line));
  return shortText(lines.join('\n'), maxLengths.text);
}

const wordEnd = /[\s"'`]|$/g;

/**
 * Shortens the long words of a line but keeps a closing quote. Searches for spaces instead of matching a pattern, because a pattern
 * overflows V8's stack on a long word.
 */
function truncateWords(line: string): string {
  let short = '';
  for (let at = 0; at < line.length; ) {
    wordEnd.lastIndex = at;
    const end = wordEnd.exec(line)?.index ?? line.length;
    short += shortText(line.slice(at, end), maxLengths.word) + line.slice(end, end + 1);
    at = end + 1;
  }
  return short;
}
