/** A CSV record, and the number of the line on which it begins, starting at 1. */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** Characters that end an unquoted field or are invalid in it, by delimiter. */
const endings = { ',': /[,"\r\n]/g, ';': /[;"\r\n]/g, unknown: /[,;"\r\n]/g } as const;

/**
 * Parses CSV (RFC 4180) record by record. The first comma or semicolon outside quotes is the delimiter of the entire text, because
 * spreadsheets in many countries write semicolons. Quotes enclose fields that contain a delimiter, a quote or a line feed. Empty lines are
 * skipped. Returns the number of the line at which the text is invalid, if any.
 */
export function* csvRecords(text: string): Generator<CsvRecord, number | undefined, undefined> {
  let delimiter: ',' | ';' | undefined;
  let fields: string[] = [];
  let line = 1;
  let begun = 1;
  for (let at = 0; at < text.length; ) {
    const isQuoted = text[at] === '"';
    const end = isQuoted ? endOfQuoted(text, at) : endOfPlain(text, at, endings[delimiter ?? 'unknown']);
    const ending = end === undefined ? undefined : endingAt(text, end, delimiter);
    if (end === undefined || ending === undefined) return line;
    const field = text.slice(at, end);
    fields.push(isQuoted ? field.slice(1, -1).replaceAll('""', '"') : field.trim());
    line += (isQuoted ? lineFeeds(field) : 0) + (ending === '' || ending === ',' || ending === ';' ? 0 : 1);
    at = end + ending.length;
    if (ending === ',' || ending === ';') {
      delimiter = ending;
      if (at < text.length) continue;
      fields.push('');
    }
    if (fields.some((one) => one !== '')) yield { line: begun, fields };
    fields = [];
    begun = line;
  }
  return undefined;
}

/** Returns the offset after the quoted field that begins at `start`; undefined if the closing quote is missing. */
function endOfQuoted(text: string, start: number): number | undefined {
  for (let at = start + 1; ; ) {
    const end = text.indexOf('"', at);
    if (end === -1) return undefined;
    if (text[end + 1] !== '"') return end + 1;
    at = end + 2;
  }
}

/**
 * Returns the offset after the unquoted field that begins at `start`. Searches for the end instead of matching the whole field, because
 * matching a pattern against the field would use memory for each character.
 */
function endOfPlain(text: string, start: number, ending: RegExp): number {
  ending.lastIndex = start;
  return ending.exec(text)?.index ?? text.length;
}

/** Returns the end of a field at an offset: a delimiter, a line end, or '' at the end of the text; undefined for any other character. */
function endingAt(text: string, at: number, delimiter: ',' | ';' | undefined): string | undefined {
  const character = text[at] ?? '';
  if (character === ',' || character === ';')
    return delimiter === undefined || character === delimiter ? character : undefined;
  if (character === '\r') return text[at + 1] === '\n' ? '\r\n' : '\r';
  return character === '\n' || character === '' ? character : undefined;
}

/** Returns the number of line ends in a string; CR LF counts as one. */
function lineFeeds(text: string): number {
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a)) count += 1;
  }
  return count;
}

/** Matches a field that is unambiguous without quotes. */
const harmless = /^[^",;\r\n\s](?:[^",;\r\n]*[^",;\r\n\s])?$/;

/** Formats a record as a line of CSV (RFC 4180), including the line feed. `csvRecords` parses the line to the same fields. */
export function csvLine(fields: readonly string[]): string {
  const cells = fields.map((field) =>
    field === '' || harmless.test(field) ? field : `"${field.replaceAll('"', '""')}"`,
  );
  return `${cells.join(',')}\n`;
}

/**
 * Prevents spreadsheets from interpreting a field as a formula. Adds an apostrophe at the start of a field that starts with `=`, `+`, `-`,
 * `@`, a tab or a line end (OWASP, "CSV Injection"). For other programs, the apostrophe is part of the field.
 */
export function withoutFormula(field: string): string {
  return /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/.test(field) ? `'${field}` : field;
}
