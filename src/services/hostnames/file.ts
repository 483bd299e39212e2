import { createHash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { HostnameLine, LineFault } from '../../model/hostnames/lines.ts';
import { columnsFault, lineOfCells, lineOfValue } from '../../model/hostnames/lines.ts';
import { Problem } from '../../model/problem.ts';
import { type CsvRecord, csvRecords } from '../../text/csv.ts';
import { JsonElements } from '../../text/json-elements.ts';
import type { World } from '../../world.ts';
import { refuseInterrupted } from '../kv/bulk/entries.ts';
import { openBulkInput } from '../kv/bulk/input.ts';

/** An entry of a file. `line` is the line number in CSV, and the number of the entry in JSON and NDJSON; both start at 1. */
export interface FileEntry {
  readonly line: number;
  readonly entry: HostnameLine | LineFault;
}

/** A file of hostnames, read completely. */
export interface HostnameFile {
  /** The file name as typed, or "standard input". */
  readonly name: string;
  /** SHA-256 of the file's content. */
  readonly fingerprint: string;
  readonly path: string | undefined;
  readonly entries: readonly FileEntry[];
}

/** Maximum file size in bytes, after decompression. This maximum limits the use of memory. */
const maxFileBytes = 256 * 1024 * 1024;

/**
 * Reads CSV with one hostname per line, NDJSON or a JSON array. `-` reads standard input; gzip is decompressed. An invalid entry becomes a
 * `LineFault`. Throws if the file is empty or unreadable, or is not valid CSV or JSON.
 */
export async function readHostnameFile(world: World, file: string): Promise<HostnameFile> {
  const input = await openBulkInput(world, file, { bytes: maxFileBytes, words: '256 MiB' });
  try {
    const parts: Buffer[] = [];
    let length = 0;
    for await (const chunk of input.chunks()) {
      refuseInterrupted(world.interrupted);
      length += chunk.length;
      if (length > maxFileBytes) throw new Problem('invalid-input', `${input.name} is longer than 256 MiB.`);
      parts.push(Buffer.from(chunk));
    }
    const bytes = Buffer.concat(parts);
    const entries = await parseEntries(world, input.name, bytes);
    const fingerprint = createHash('sha256').update(bytes).digest('hex');
    return { name: input.name, path: input.path, fingerprint, entries };
  } finally {
    await input.close();
  }
}

async function parseEntries(world: World, name: string, bytes: Buffer): Promise<readonly FileEntry[]> {
  const text = bytes.toString('utf8').replace(/^\uFEFF/, '');
  // Trims the string first: a pattern that also skips leading blanks would take quadratic time.
  return /^["{[]?\s*[{[]/.test(text.trimStart())
    ? jsonEntries(world, name, bytes)
    : csvEntries(world, name, text);
}

/**
 * Yields to the event loop if `count` is a multiple of 2,000, so that signals are handled, and throws if the user has interrupted the
 * command. Processing a file of millions of hostnames takes seconds.
 */
export async function pauseAfter(world: Pick<World, 'interrupted'>, count: number): Promise<void> {
  if (count % 2000 !== 0) return;
  await setImmediate();
  refuseInterrupted(world.interrupted);
}

const sliceBytes = 256 * 1024;

async function jsonEntries(world: World, name: string, bytes: Buffer): Promise<readonly FileEntry[]> {
  const entries: FileEntry[] = [];
  const elements = new JsonElements(name, 1024 * 1024, (buffer, start, end) => {
    entries.push({ line: entries.length + 1, entry: parsed(buffer.toString('utf8', start, end)) });
  });
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    elements.push(bytes.subarray(at, at + sliceBytes));
    await pauseAfter(world, 0);
  }
  elements.end();
  return entries;
}

function parsed(json: string): HostnameLine | LineFault {
  try {
    return lineOfValue(JSON.parse(json));
  } catch (error) {
    return { reason: `invalid JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
}

async function csvEntries(world: World, name: string, text: string): Promise<readonly FileEntry[]> {
  const records = await parseRecords(world, name, text);
  const [first] = records;
  const heading = first?.fields.map((field) => field.toLowerCase()) ?? [];
  if (first === undefined) throw new Problem('invalid-input', `${name} contains no hostnames.`);
  const isNamed = isHeading(heading);
  const columns = isNamed ? heading.map(keepMember(first)) : ['hostname'];
  const fault = isNamed ? columnsFault(columns) : undefined;
  if (fault !== undefined) throw new Problem('invalid-input', `${name}, line ${first.line}: ${fault}.`);
  const entries: FileEntry[] = [];
  for (const { line, fields } of isNamed ? records.slice(1) : records) {
    entries.push({ line, entry: lineOfCells(columns, fields) });
    await pauseAfter(world, entries.length);
  }
  return entries;
}

async function parseRecords(world: World, name: string, text: string): Promise<readonly CsvRecord[]> {
  const records: CsvRecord[] = [];
  const rows = csvRecords(text);
  for (let row = rows.next(); ; row = rows.next()) {
    if (!row.done) {
      records.push(row.value);
      await pauseAfter(world, records.length);
    } else if (row.value === undefined) return records;
    else {
      throw new Problem('invalid-input', `${name} is not valid CSV at line ${row.value}.`, {
        hint: 'Put a cell with a delimiter, a quote or a line break in quotes, and double each quote in it.',
      });
    }
  }
}

/** Returns whether the first line is a heading: it has several cells, or its only cell is "hostname". */
function isHeading(cells: readonly string[]): boolean {
  return cells.length > 1 || cells[0] === 'hostname';
}

/** Returns a function that restores the case of a metadata field's name; all other column names stay in lower case. */
function keepMember(first: CsvRecord): (column: string, at: number) => string {
  return (column, at) =>
    column.startsWith('metadata.')
      ? `metadata.${(first.fields[at] ?? '').slice('metadata.'.length)}`
      : column;
}
