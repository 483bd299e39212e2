/** One record of a CSV text, with the line on which it begins (from 1). */
export interface CsvRecord {
  readonly line: number;
  readonly fields: readonly string[];
}

/** A field in quotes (a quote within is doubled), or one without; and what ends it. */
const field = /(?:"((?:[^"]|"")*)"|([^",;\r\n]*))([,;]|\r\n|\n|\r|$)/gy;

/**
 * Reads CSV (RFC 4180): comma or, as spreadsheets of many countries write it, semicolon between fields; quotes round
 * fields that hold those. Empty lines are passed over. Undefined with the line at which it cannot be read.
 */
export function readCsv(text: string): { readonly records: CsvRecord[]; readonly wrongLine?: number } {
  const records: CsvRecord[] = [];
  let fields: string[] = [];
  let line = 1;
  let begun = 1;
  field.lastIndex = 0;
  for (let at = 0; at < text.length; ) {
    field.lastIndex = at;
    const match = field.exec(text);
    if (match === null) return { records, wrongLine: line };
    const [whole, inQuotes, plain = '', end = ''] = match;
    fields.push(inQuotes === undefined ? plain.trim() : inQuotes.replaceAll('""', '"'));
    line += whole.match(/\r\n|\n|\r/g)?.length ?? 0;
    at = field.lastIndex;
    const more = end === ',' || end === ';';
    if (more && at < text.length) continue;
    if (more) fields.push('');
    if (fields.some((one) => one !== '')) records.push({ line: begun, fields });
    fields = [];
    begun = line;
  }
  return { records };
}
