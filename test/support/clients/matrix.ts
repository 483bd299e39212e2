import { readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { clients } from './declared.ts';

/** The result of the last run of one version of a client. */
export interface Row {
  readonly name: string;
  readonly version: string;
  readonly calls: number;
  readonly right: number;
  /** The calls whose answers differ from the platform's, each with the reason. */
  readonly different: readonly { readonly does: string; readonly why: string }[];
  /** Day of the run (UTC). */
  readonly date: string;
}

const file = resolve(import.meta.dirname, '../../soak/peers/results.json');

export function readRows(): readonly Row[] {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Replaces the row of one version of a client; rows are in the order of the clients. */
export function saveRow(row: Row): void {
  const others = readRows().filter((one) => one.name !== row.name || one.version !== row.version);
  const names = [...new Set(clients.map(({ name }) => name))];
  const sorted = [...others, row].toSorted(
    (one, other) =>
      names.indexOf(one.name) - names.indexOf(other.name) ||
      one.version.localeCompare(other.version, 'en', { numeric: true }),
  );
  writeFileSync(file, `${JSON.stringify(sorted, null, 2)}\n`);
}

/** Returns the section of docs/api.md about third-party programs. */
export function matrixSection(): string[] {
  const rows = readRows();
  const total = rows.reduce((sum, row) => sum + row.calls, 0);
  const right = rows.reduce((sum, row) => sum + row.right, 0);
  const lacking = clients.filter(({ npm, version }) => npm === undefined && version === undefined);
  return [
    '## Other programs as clients',
    '',
    `Of ${total.toLocaleString('en')} calls by unmodified third-party programs, ${right.toLocaleString('en')} gave the expected result. ` +
      '`npm run test:peers` installs the versions from npm, and also runs the Debian packages that are installed.',
    '',
    '| client | version | calls | right | different, and why | run |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map(({ name, version, calls, right: good, different, date }) => {
      const why = different.map(({ does, why: reason }) => `\`${does}\`: ${reason}`).join('<br>');
      return `| ${name} | ${version} | ${calls} | ${good} | ${why} | ${date} |`;
    }),
    '',
    `Not run: ${lacking.map(({ name, from }) => `${name} (${from})`).join('; ')}.`,
  ];
}
