/** One record of a CSV text, with the line on which it begins (from 1). */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** A field without quotes, up to the character that ends it. */
const plainField = /[^",;\r\n]*/y;
const fieldEnd = /[,;]|\r\n|\n|\r|$/y;

/**
 * Reads CSV (RFC 4180): comma or, as spreadsheets of many countries write it, semicolon between fields; quotes round
 * fields that hold those. Empty lines are passed over. Undefined with the line at which it cannot be read.
 */
export function readCsv(text: string): { readonly records: CsvRecord[]; readonly wrongLine?: number } {
  const records: CsvRecord[] = [];
  let fields: string[] = [];
  let line = 1;
  let begun = 1;
  for (let at = 0; at < text.length; ) {
    const read = text[at] === '"' ? quotedField(text, at) : matched(plainField, text, at);
    const end = read && matched(fieldEnd, text, read.end);
    if (read === undefined || end === undefined) return { records, wrongLine: line };
    fields.push(text[at] === '"' ? read.text : read.text.trim());
    line += text.slice(at, end.end).match(/\r\n|\n|\r/g)?.length ?? 0;
    at = end.end;
    const more = end.text === ',' || end.text === ';';
    if (more && at < text.length) continue;
    if (more) fields.push('');
    if (fields.some((one) => one !== '')) records.push({ line: begun, fields });
    fields = [];
    begun = line;
  }
  return { records };
}

/** A stretch of a text, and the offset behind it. */
interface Read {
  readonly text: string;
  readonly end: number;
}

/** The field whose opening quote stands at an offset. By search: an expression needs memory for each character. */
function quotedField(text: string, start: number): Read | undefined {
  for (let at = start + 1; ; ) {
    const end = text.indexOf('"', at);
    if (end === -1) return undefined;
    if (text[end + 1] !== '"')
      return { text: text.slice(start + 1, end).replaceAll('""', '"'), end: end + 1 };
    at = end + 2;
  }
}

function matched(sticky: RegExp, text: string, at: number): Read | undefined {
  sticky.lastIndex = at;
  const match = sticky.exec(text);
  return match === null ? undefined : { text: match[0], end: sticky.lastIndex };
}

/** A field that a reader would not take otherwise than it stands here. */
const harmless = /^[^",;\r\n\s](?:[^",;\r\n]*[^",;\r\n\s])?$/;

/** One record as a line of CSV (RFC 4180), with its line feed. `readCsv` gives the same fields back. */
export function csvLine(fields: readonly string[]): string {
  const cells = fields.map((field) =>
    field === '' || harmless.test(field) ? field : `"${field.replaceAll('"', '""')}"`,
  );
  return `${cells.join(',')}\n`;
}
