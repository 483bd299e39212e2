import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { eachRow, type Rows, spliceRows } from '../lists/rows.ts';

/** Where the hostname with this id is, or -1. The platform's order is its own: all are looked at. */
export function indexOfHostname(rows: Rows<HostnameRow>, id: string): number {
  let index = 0;
  for (const { record } of eachRow(rows)) {
    if (record.id === id) return index;
    index++;
  }
  return -1;
}

/** The rows with this one in the place that it had, or at the top where it is new. */
export function putHostname(rows: Rows<HostnameRow>, row: HostnameRow): Rows<HostnameRow> {
  const index = indexOfHostname(rows, row.record.id);
  return index === -1 ? spliceRows(rows, 0, 0, [row]) : spliceRows(rows, index, 1, [row]);
}

/** The rows without this hostname. */
export function dropHostname(rows: Rows<HostnameRow>, id: string): Rows<HostnameRow> {
  const index = indexOfHostname(rows, id);
  return index === -1 ? rows : spliceRows(rows, index, 1, []);
}

/** Indexes of the rows, from one on, whose hostname contains a text in any case. */
export function hostnamesContaining(rows: Rows<HostnameRow>, text: string, from = 0): number[] {
  const wanted = text.toLowerCase();
  const matches: number[] = [];
  let index = from;
  for (const { record } of eachRow(rows, from)) {
    if (record.hostname.toLowerCase().includes(wanted)) matches.push(index);
    index++;
  }
  return matches;
}
