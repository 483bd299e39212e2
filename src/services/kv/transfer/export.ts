import { type IfThere, type OutputFile, openOutputFile } from '../../../files/output-file.ts';
import type { BulkEntry, KeyEntry } from '../../../model/kv/kv.ts';
import type { Reporter } from '../../../model/progress.ts';
import type { Samples } from '../../../model/samples.ts';
import type { World } from '../../../world.ts';
import { readValuesOf, type StoredText, type ValueSource } from '../bulk/values.ts';
import { type KeySelection, keysOf } from './plan.ts';

export interface ExportOptions extends KeySelection {
  readonly reporter: Reporter;
  /** Takes the keys whose value the platform has lost. */
  readonly lost: Samples;
}

/**
 * The keys of a namespace with its value, metadata and expiry, as entries that `kv bulk put` takes back; in the order
 * of their UTF-8 bytes, streamed. A key that goes away meanwhile is left out, and so is one whose
 * value is lost, which `lost` is told of.
 */
export async function* exportEntries(
  source: ValueSource,
  { reporter, lost, ...selection }: ExportOptions,
): AsyncGenerator<BulkEntry[]> {
  const signal = source.session.world.interrupted;
  let done = 0;
  const keys = keysOf(source, selection);
  const total = selection.names?.count;
  // A listing tells metadata and expiry; of named keys they are asked for.
  const asked = { ...source, lost, withMetadata: selection.names !== undefined };
  for await (const group of readValuesOf(asked, keys, ({ name }) => name, signal)) {
    done += group.length;
    reporter.progress({ phase: 'exporting', unit: 'keys', done, total, retries: 0, failed: 0 });
    yield group.flatMap(({ item, value }) => (value === undefined ? [] : [entryOf(item, value)]));
  }
}

/** A key of a listing and what is stored under it, as a bulk entry. */
export function entryOf({ name, expiration, metadata }: KeyEntry, value: StoredText): BulkEntry {
  return {
    key: name,
    ...value,
    ...(metadata === undefined || metadata === null ? {} : { metadata }),
    ...(expiration === undefined ? {} : { expiration }),
  };
}

/** The form of an export. */
export type ExportFormat = 'ndjson' | 'json';

/** The format that a file's name stands for; of no file, `ndjson`. */
export function exportFormatOf(file: string): ExportFormat {
  return /\.json(?:\.gz)?$/.test(file) ? 'json' : 'ndjson';
}

/** The text of an export, piece by piece; counts its entries. */
export async function* exportTexts(
  groups: AsyncIterable<readonly BulkEntry[]>,
  format: ExportFormat,
  count: { entries: number },
  textOf: (entry: BulkEntry) => string = JSON.stringify,
): AsyncGenerator<string> {
  const isArray = format === 'json';
  for await (const group of groups) {
    if (group.length === 0) continue;
    const rows = group.map((entry) => textOf(entry));
    // Not before there is an entry: a failure of the first request leaves nothing behind it.
    if (isArray) yield (count.entries === 0 ? '[\n' : ',\n') + rows.join(',\n');
    else yield `${rows.join('\n')}\n`;
    count.entries += group.length;
  }
  if (isArray) yield count.entries === 0 ? '[\n]\n' : '\n]\n';
}

/** Opens the file of an export. There are values in it, so that a new one is its owner's only. */
export function openExportFile(world: World, name: string, ifThere: IfThere): Promise<OutputFile> {
  return openOutputFile(world, {
    name,
    ifThere,
    isPrivate: true,
    compress: name.endsWith('.gz'),
    ofFolder: { hint: 'Name a file in it.' },
  });
}
