import { isFault, parseKeyEntry } from '../../../model/kv/bulk.ts';
import type { Reporter } from '../../../model/progress.ts';
import { type EntrySink, readEntries } from './entries.ts';
import type { BulkInput } from './input.ts';
import { refuseFaults, surveyInput } from './survey.ts';
import { readItemValues, type ValueSource, type WithValue } from './values.ts';

/**
 * Reads the values of the keys that a file lists, in the order of the file; a repeated key is read once, at its last position. Refuses a file
 * with invalid entries before any request.
 */
export async function* getBulk(
  source: ValueSource,
  input: BulkInput,
  reporter: Reporter,
): AsyncGenerator<WithValue<string>[]> {
  const stop = source.session.world.interrupted;
  const survey = await surveyInput(input, parseKeyEntry, { stop, reporter, confirmed: () => false });
  refuseFaults(survey, input.name, reporter);
  let done = 0;
  const keys = readKeys(input, stop, (key, index) => survey.keys.isLast(key, index));
  for await (const group of readItemValues(source, keys, (key) => key, stop)) {
    done += group.length;
    reporter.progress({ phase: 'reading', unit: 'keys', done, total: survey.entries, retries: 0, failed: 0 });
    yield group;
  }
}

/** Yields the desired keys in the file, chunk by chunk. */
async function* readKeys(
  input: BulkInput,
  stop: AbortSignal,
  wanted: (key: string, index: number) => boolean,
): AsyncGenerator<string[]> {
  let group: string[] = [];
  const sink: EntrySink = (entry, index) => {
    if (!isFault(entry) && wanted(entry.key, index)) group.push(entry.key);
  };
  for await (const _ of readEntries(input, parseKeyEntry, sink, { stop })) {
    yield group;
    group = [];
  }
}
