import { isUtf8 } from 'node:buffer';
import { type BulkItem, type EntryFault, isFault } from '../../../model/kv/bulk.ts';
import { entryPlace } from '../../../model/kv/bulk-fields.ts';
import { changedNumberFault, mayHoldChangedNumber } from '../../../model/kv/changed-number.ts';
import { kvLimits } from '../../../model/kv/kv.ts';
import { maxWrong, Problem } from '../../../model/problem.ts';
import { JsonElements } from '../../../text/json-elements.ts';
import type { BulkInput } from './input.ts';

/** Turns one JSON value of a file into what is sent for it, or says what is wrong with it. */
export type ParseEntry = (value: unknown, index: number) => BulkItem | EntryFault;

/** Takes the entries of a file one after the other; indices ascend from 0. `line` is that of NDJSON, from 1. */
export type EntrySink = (entry: BulkItem | EntryFault, index: number, line?: number) => void;

/** Six bytes a character is the longest that JSON can make of a value, and some room for the rest of the entry. */
const longestEntry = kvLimits.valueBytes * 6 + 64 * 1024;

export interface ReadOptions {
  /** Entries that are passed over without being parsed. */
  skip?(index: number): boolean;
  /** Told of all content bytes, in order. */
  onContent?(chunk: Uint8Array): void;
  /** Ends the reading, which has changed nothing yet, with `interrupted`. */
  readonly stop?: AbortSignal;
}

/**
 * Reads a bulk file once, from its beginning, and gives each entry to the sink. Pauses by yielding how many entries
 * there were so far, after each chunk (about a megabyte) and at the end. Refuses what is neither a JSON array nor
 * NDJSON, and what holds nothing: whatever should have written it has most likely failed, and an empty array says
 * that there are no entries. A wrong entry is only a fault.
 */
export async function* readEntries(
  input: BulkInput,
  parse: ParseEntry,
  sink: EntrySink,
  options: ReadOptions = {},
): AsyncGenerator<number> {
  let index = 0;
  const elements = new JsonElements(input.name, longestEntry, (bytes, start, end) => {
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

/** The Problem of an input without entries that is no empty array either; `length` is its bytes. */
function nothingIn(name: string, length: number): Problem {
  return new Problem(
    'invalid-input',
    length === 0 ? `${name} is empty.` : `${name} holds no entry: only white space, or a byte order mark.`,
    { hint: 'Has what writes it failed? Where there are no entries, it holds an empty array: [].' },
  );
}

/** Refuses with `interrupted` once Ctrl-C was pressed. For work that has changed nothing yet. */
export function refuseInterrupted(stop: AbortSignal): void {
  if (stop.aborted) throw new Problem('interrupted', 'Interrupted; nothing was changed.');
}

function parseElement(bytes: Buffer, index: number, parse: ParseEntry): BulkItem | EntryFault {
  const text = bytes.toString('utf8');
  // Bytes that are not UTF-8 would silently become U+FFFD; where none stands, there were none.
  if (text.includes('\ufffd') && !isUtf8(bytes)) return { index, reason: 'it is not UTF-8' };
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return { index, reason: `it is not JSON: ${syntaxFault(error)}` };
  }
  const parsed = parse(value, index);
  return isFault(parsed) ? parsed : (changedMetadata(parsed, text, index) ?? parsed);
}

/** The message of V8, with its position counted in characters from the beginning of the entry. */
function syntaxFault(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(
    /in JSON at position (\d+)(?: \(line \d+ column \d+\))?$/,
    (_, position) => `at its character ${Number(position) + 1}`,
  );
}

/** Parsing has changed a number too large for JavaScript; only the text still has it. Looked at when there may be one. */
function changedMetadata({ key, sent }: BulkItem, text: string, index: number): EntryFault | undefined {
  if (typeof sent === 'string' || !mayHoldChangedNumber(sent.metadata)) return undefined;
  const fault = changedNumberFault(text, 'metadata');
  return fault === undefined ? undefined : { index, key, reason: `metadata ${fault}` };
}

const kept = 20;

/** Faults of a file: the first twenty for people, many more for programs, and how many there are. */
export class FaultList {
  readonly first: EntryFault[] = [];
  readonly all: EntryFault[] = [];
  count = 0;

  add(fault: EntryFault): void {
    this.count++;
    if (this.first.length < kept) this.first.push(fault);
    if (this.all.length < maxWrong) this.all.push(fault);
  }
}

/** A fault as a sentence for people. */
export function describeFault(fault: EntryFault): string {
  const { key, reason } = fault;
  return key === undefined
    ? `${entryPlace(fault)}: ${reason}.`
    : `${entryPlace(fault)}, key "${key}": ${reason}.`;
}
