/**
 * Shortens outside data in a message: up to `most` characters unchanged, otherwise the start and the number of omitted
 * characters. Half a surrogate pair at the cut becomes U+FFFD.
 */
export function shortText(text: string, most = 1000): string {
  if (text.length <= most) return text;
  const left = (text.length - most).toLocaleString('en');
  return `${text.slice(0, most).toWellFormed()}… (${left} more characters)`;
}

/**
 * Shortens outside data in a message to its start, followed by `…` if something was omitted. `text/redact.ts` recognizes a cut
 * credential by that character.
 */
export function beginningOf(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

/** Maximum number of characters of a word, a line and a whole message that are shown in full. */
const most = { word: 1000, line: 4000, text: 16_000 } as const;

/**
 * Shortens a message for people: words to 1,000 characters, so that the error stays on the screen, lines to 4,000 characters,
 * and the whole message to 16,000. Lists of many short lines are not cut.
 */
export function withoutLongRuns(text: string): string {
  if (text.length <= most.word) return text;
  const lines = text.split('\n').map((line) => shortText(shortWords(line), most.line));
  return shortText(lines.join('\n'), most.text);
}

const wordEnd = /[\s"'`]|$/g;

/**
 * Shortens the long words of a line but keeps a closing quote. Searches instead of matching a pattern, which overflows V8's
 * stack on a long word.
 */
function shortWords(line: string): string {
  let short = '';
  for (let at = 0; at < line.length; ) {
    wordEnd.lastIndex = at;
    const end = wordEnd.exec(line)?.index ?? line.length;
    short += shortText(line.slice(at, end), most.word) + line.slice(end, end + 1);
    at = end + 1;
  }
  return short;
}
