import type { BulkEntry, KeyEntry } from '../model/kv.ts';
import type { Watch } from '../model/progress.ts';
import { readValuesOf, type TextValue, type ValueSource } from './bulk-values.ts';
import { keysOf } from './transfer-plan.ts';

export interface ExportOptions {
  readonly prefix?: string | undefined;
  readonly watch: Watch;
}

/**
 * Every key of a namespace with its value, metadata and expiry, as entries that `kv bulk put` takes back; in the order
 * of their UTF-8 bytes, streamed. A key that goes away meanwhile is left out.
 */
export async function* exportEntries(
  source: ValueSource,
  { prefix, watch }: ExportOptions,
): AsyncGenerator<BulkEntry[]> {
  const signal = source.session.world.interrupted;
  let done = 0;
  for await (const group of readValuesOf(source, keysOf(source, prefix), ({ name }) => name, signal)) {
    done += group.length;
    watch.progress({ phase: 'exporting', unit: 'keys', done, retries: 0, failed: 0 });
    yield group.flatMap(({ item, value }) => (value === undefined ? [] : [entryOf(item, value)]));
  }
}

/** A key of a listing and its value, as a bulk entry. */
export function entryOf({ name, expiration, metadata }: KeyEntry, value: TextValue): BulkEntry {
  return {
    key: name,
    ...value,
    ...(metadata === undefined || metadata === null ? {} : { metadata }),
    ...(expiration === undefined ? {} : { expiration }),
  };
}
