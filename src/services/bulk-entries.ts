import { isUtf8 } from 'node:buffer';
import type { BulkItem, EntryFault } from '../model/bulk.ts';
import { kvLimits } from '../model/kv.ts';
import { JsonElements } from '../text/json-elements.ts';
import type { BulkInput } from './bulk-input.ts';

/** Turns one JSON value of a file into what is sent for it, or says what is wrong with it. */
export type ParseEntry = (value: unknown, index: number) => BulkItem | EntryFault;

/** Takes the entries of a file one after the other; indices ascend from 0. */
export type EntrySink = (entry: BulkItem | EntryFault, index: number) => void;

/** Six bytes a character is the longest that JSON can make of a value, and some room for the rest of the entry. */
const longestEntry = kvLimits.valueBytes * 6 + 64 * 1024;

export interface ReadOptions {
  /** Entries that are passed over without being parsed. */
  skip?(index: number): boolean;
  /** Told of all content bytes, in order. */
  onContent?(chunk: Uint8Array): void;
}

/**
 * Reads a bulk file once, from its beginning, and gives each entry to the sink. Pauses by yielding how many entries
 * there were so far, after each chunk (about a megabyte) and at the end. Refuses what is neither a JSON array nor
 * NDJSON; a wrong entry is only a fault.
 */
export async function* readEntries(
  input: BulkInput,
  parse: ParseEntry,
  sink: EntrySink,
  options: ReadOptions = {},
): AsyncGenerator<number> {
  let index = 0;
  const elements = new JsonElements(input.name, longestEntry, (bytes, start, end) => {
    if (options.skip?.(index) !== true) sink(parseElement(bytes.subarray(start, end), index, parse), index);
    index++;
  });
  for await (const chunk of input.chunks()) {
    options.onContent?.(chunk);
    elements.push(chunk);
    yield index;
  }
  elements.end();
  yield index;
}

function parseElement(bytes: Buffer, index: number, parse: ParseEntry): BulkItem | EntryFault {
  const text = bytes.toString('utf8');
  // Bytes that are not UTF-8 would silently become U+FFFD; where none stands, there were none.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return { index, reason: 'it is not UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { index, reason: `it is not JSON: ${error instanceof Error ? error.message : String(error)}` };
  }
  return parse(value, index);
}

/** Faults of a file: the first twenty, and how many there are. */
export class FaultList {
  readonly first: EntryFault[] = [];
  count = 0;

  add(fault: EntryFault): void {
    this.count++;
    if (this.first.length < 20) this.first.push(fault);
  }
}

/** A fault as a sentence for people. */
export function describeFault({ index, key, reason }: EntryFault): string {
  return key === undefined ? `Entry ${index}: ${reason}.` : `Entry ${index}, key "${key}": ${reason}.`;
}
