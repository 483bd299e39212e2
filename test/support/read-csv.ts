import { type CsvRecord, csvRecords } from '../../src/text/csv.ts';

/** Returns all records of a CSV text, and the first invalid line. */
export function readCsv(text: string): { readonly records: CsvRecord[]; readonly wrongLine?: number } {
  const records: CsvRecord[] = [];
  const rows = csvRecords(text);
  for (let row = rows.next(); ; row = rows.next()) {
    if (row.done) return { records, ...(row.value !== undefined && { wrongLine: row.value }) };
    records.push(row.value);
  }
}
