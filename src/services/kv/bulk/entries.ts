import { isUtf8 } from 'node:buffer';
import { type BulkItem, type EntryFault, isFault } from '../../../model/kv/bulk.ts';
import { entryPlace } from '../../../model/kv/bulk-fields.ts';
import { changedNumberFault, mayHoldChangedNumber } from '../../../model/kv/changed-number.ts';
import { kvLimits } from '../../../model/kv/kv.ts';
import { maxWrongEntries, Problem } from '../../../model/problem.ts';
import { JsonElements } from '../../../text/json-elements.ts';
import type { BulkInput } from './input.ts';

/** Converts a JSON value from a file to an item to send or, if the value is invalid, to a fault. */
export type ParseEntry = (value: unknown, index: number) => BulkItem | EntryFault;

/** Receives the entries of a file in order. `index` starts at 0. `line` starts at 1 and is set only for NDJSON. */
export type EntrySink = (entry: BulkItem | EntryFault, index: number, line?: number) => void;

/** Maximum length of an entry, in bytes: JSON takes up to six bytes per character of the value, plus space for the other fields. */
const maxEntryBytes = kvLimits.valueBytes * 6 + 64 * 1024;

export interface ReadOptions {
  /** Returns whether to skip an entry without parsing it. */
  skip?(index: number): boolean;
  /** Called with each chunk of the content, in order. */
  onContent?(chunk: Uint8Array): void;
  /** Signal that stops reading with the error `interrupted`. Use this signal only before data is first changed. */
  readonly stop?: AbortSignal;
}

/**
 * Reads a bulk file once, from its beginning, and passes each entry to the sink; an invalid entry is passed as a fault. Yields the number of
 * entries read so far, after each chunk (up to 1 MiB) and at the end. Throws if the input is neither a JSON array nor NDJSON. Also throws if
 * the input is empty, because the program that should have written it has probably failed; an empty array is valid.
 */
export async function* readEntries(
  input: BulkInput,
  parse: ParseEntry,
  sink: EntrySink,
  options: ReadOptions = {},
): AsyncGenerator<number> {
  let index = 0;
  const elements = new JsonElements(input.name, maxEntryBytes, (bytes, start, end) => {
    if (options.skip?.(index) !== true) {
      const entry = parseElement(bytes.subarray(start, end), index, parse);
      sink(entry, index, elements.line);
    }
    index++;
  });
  let length = 0;
  for await (const chunk of input.chunks()) {
    if (options.stop !== undefined) refuseInterrupted(options.stop);
    length += chunk.length;
    options.onContent?.(chunk);
    elements.push(chunk);
    yield index;
  }
  elements.end();
  if (index === 0 && !elements.isArray) throw nothingIn(input.name, length);
  yield index;
}

/** Returns the Problem for input without entries that is not an empty array. `length` is in bytes. */
function nothingIn(name: string, length: number): Problem {
  return new Problem(
    'invalid-input',
    length === 0 ? `${name} is empty.` : `${name} contains no entries, only whitespace or a byte order mark.`,
    { hint: 'Check the program that writes the input. If there are no entries, write an empty array: []' },
  );
}

/** Throws `interrupted` if Ctrl-C was pressed. Use this function only before data is first changed. */
export function refuseInterrupted(stop: AbortSignal): void {
  if (stop.aborted) throw new Problem('interrupted', 'Interrupted; nothing was changed.');
}

function parseElement(bytes: Buffer, index: number, parse: ParseEntry): BulkItem | EntryFault {
  const text = bytes.toString('utf8');
  // Invalid UTF-8 is silently decoded to U+FFFD, so text without U+FFFD must have been valid.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return { index, reason: 'it is not UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { index, reason: `invalid JSON: ${syntaxFault(error)}` };
  }
  const parsed = parse(value, index);
  return isFault(parsed) ? parsed : (changedMetadata(parsed, text, index) ?? parsed);
}

/** Returns V8's error message, with the position given as a character number in the entry, starting at 1. */
function syntaxFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(
    /in JSON at position (\d+)(?: \(line \d+ column \d+\))?$/,
    (_, position) => `at character ${Number(position) + 1} of the entry`,
  );
}

/**
 * Returns a fault for an entry whose metadata contains a number that JavaScript cannot represent exactly, so that parsing has changed the
 * number. Searches the JSON text, because only the text still contains the original number.
 */
function changedMetadata({ key, sent }: BulkItem, text: string, index: number): EntryFault | undefined {
  if (typeof sent === 'string' || !mayHoldChangedNumber(sent.metadata)) return undefined;
  const fault = changedNumberFault(text, 'metadata');
  return fault === undefined ? undefined : { index, key, reason: `metadata ${fault}` };
}

const maxFaults = 20;

/** The faults in a file: the first 20 for messages, up to `maxWrongEntries` for JSON output, and the total number. */
export class FaultList {
  readonly first: EntryFault[] = [];
  readonly all: EntryFault[] = [];
  count = 0;

  add(fault: EntryFault): void {
    this.count++;
    if (this.first.length < maxFaults) this.first.push(fault);
    if (this.all.length < maxWrongEntries) this.all.push(fault);
  }
}

/** Formats a fault as a sentence. */
export function describeFault(fault: EntryFault): string {
  const { key, reason } = fault;
  return key === undefined
    ? `${entryPlace(fault)}: ${reason}.`
    : `${entryPlace(fault)}, key "${key}": ${reason}.`;
}
