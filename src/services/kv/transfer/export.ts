import { type IfExists, type OutputFile, openOutputFile } from '../../../files/output-file.ts';
import type { BulkEntry, KeyEntry } from '../../../model/kv/kv.ts';
import type { Reporter } from '../../../model/progress.ts';
import type { Samples } from '../../../model/samples.ts';
import type { World } from '../../../world.ts';
import { readItemValues, type StoredText, type ValueSource } from '../bulk/values.ts';
import { type KeySelection, listSelectedKeys } from './plan.ts';

export interface ExportOptions extends KeySelection {
  readonly reporter: Reporter;
  /** Receives the keys whose values the platform has lost. */
  readonly lost: Samples;
}

/**
 * Yields the selected keys with value, metadata and expiry, as entries for `kv bulk put`, sorted by their UTF-8 bytes. Omits keys that were
 * deleted after they were listed. Omits keys with a lost value, and adds them to `lost`.
 */
export async function* exportEntries(
  source: ValueSource,
  { reporter, lost, ...selection }: ExportOptions,
): AsyncGenerator<BulkEntry[]> {
  const signal = source.session.world.interrupted;
  let done = 0;
  const keys = listSelectedKeys(source, selection);
  const total = selection.names?.count;
  // A listing includes metadata and expiry; for named keys, both must be requested.
  const asked = { ...source, lost, withMetadata: selection.names !== undefined };
  for await (const group of readItemValues(asked, keys, ({ name }) => name, signal)) {
    done += group.length;
    reporter.progress({ phase: 'exporting', unit: 'keys', done, total, retries: 0, failed: 0 });
    yield group.flatMap(({ item, value }) => (value === undefined ? [] : [toBulkEntry(item, value)]));
  }
}

/** Converts a listed key and its value to a bulk entry. */
export function toBulkEntry({ name, expiration, metadata }: KeyEntry, value: StoredText): BulkEntry {
  return {
    key: name,
    ...value,
    ...(metadata === undefined || metadata === null ? {} : { metadata }),
    ...(expiration === undefined ? {} : { expiration }),
  };
}

/** The format of an export. */
export type ExportFormat = 'ndjson' | 'json';

/** Returns the format for a file name: `json` for `.json` and `.json.gz`, otherwise `ndjson`. */
export function exportFormatFor(file: string): ExportFormat {
  return /\.json(?:\.gz)?$/.test(file) ? 'json' : 'ndjson';
}

/** Yields the text of an export in parts, and adds the number of entries to `count`. */
export async function* exportTexts(
  groups: AsyncIterable<readonly BulkEntry[]>,
  format: ExportFormat,
  count: { entries: number },
  formatEntry: (entry: BulkEntry) => string = JSON.stringify,
): AsyncGenerator<string> {
  const isArray = format === 'json';
  for await (const group of groups) {
    if (group.length === 0) continue;
    const rows = group.map((entry) => formatEntry(entry));
    // Writes the start of the array together with the first entry, so that nothing is written if the first request fails.
    if (isArray) yield (count.entries === 0 ? '[\n' : ',\n') + rows.join(',\n');
    else yield `${rows.join('\n')}\n`;
    count.entries += group.length;
  }
  if (isArray) yield count.entries === 0 ? '[\n]\n' : '\n]\n';
}

/** Opens the file of an export. Only the owner can read a new file, because an export contains values. */
export function openExportFile(world: World, name: string, ifThere: IfExists): Promise<OutputFile> {
  return openOutputFile(world, {
    name,
    ifThere,
    isPrivate: true,
    compress: name.endsWith('.gz'),
    ofFolder: { hint: 'Specify a file in the folder.' },
  });
}
