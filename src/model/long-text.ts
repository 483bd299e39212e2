/**
 * Outside data in a message: whole up to `most` characters, otherwise its start and the number of omitted characters. Half a
 * surrogate pair at the cut becomes U+FFFD.
 */
export function shortText(text: string, most = 1000): string {
  if (text.length <= most) return text;
  const left = (text.length - most).toLocaleString('en');
  return `${text.slice(0, most).toWellFormed()}… (${left} more characters)`;
}

/**
 * The start of outside data in a message, followed by `…` if something was omitted: by that sign a cut credential is recognised
 * (`text/redact.ts`).
 */
export function beginningOf(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

/** Characters of a word, of a line and of a whole text that a person is shown whole. */
const most = { word: 1000, line: 4000, text: 16_000 } as const;

/**
 * A message as a person reads it: a word of more than 1,000 characters is cut, so that what is wrong with it stays on the
 * screen; so is what is left of a line beyond 4,000, and of the whole beyond 16,000. Lists of many lines stay whole.
 */
export function withoutLongRuns(text: string): string {
  if (text.length <= most.word) return text;
  const lines = text.split('\n').map((line) => shortText(shortWords(line), most.line));
  return shortText(lines.join('\n'), most.text);
}

const wordEnd = /[\s"'`]|$/g;

/**
 * Cuts the long words of a line; a closing quote stays after them. By search: a pattern of a long word overflows V8's stack.
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
