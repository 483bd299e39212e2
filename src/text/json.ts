import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';
import { escapeJson } from './escape.ts';

/** Formats a value as JSON that is safe for a terminal. The value is unchanged. Use an `indent` of 2 for output that people read. */
export function jsonText(value: unknown, indent = 0): string {
  return escapeJson(JSON.stringify(value, null, indent));
}

/** Number of list items that one part contains. */
const atOnce = 64;

/**
 * Yields, in parts, a JSON object that contains a list, while the list arrives. The parts form the same text as `jsonText` with an
 * indentation of 2. `tail` is called at the end of the list, and returns the properties that follow the list.
 */
export async function* jsonListParts(
  head: Readonly<Record<string, unknown>>,
  name: string,
  list: Iterable<unknown> | AsyncIterable<unknown>,
  tail: () => Readonly<Record<string, unknown>>,
): AsyncGenerator<string> {
  let part = jsonText({ ...head, [name]: [] }, 2).slice(0, -'[]\n}'.length);
  let count = 0;
  for await (const member of list) {
    const text = jsonText(member, 2).replaceAll('\n', '\n    ');
    part += `${count === 0 ? '[' : ','}\n    ${text}`;
    count += 1;
    if (count % atOnce !== 0) continue;
    yield part;
    part = '';
  }
  const after = jsonText({ [name]: 0, ...tail() }, 2).slice(jsonText({ [name]: 0 }, 2).length - '\n}'.length);
  yield `${part}${count === 0 ? '[]' : '\n  ]'}${after}\n`;
}

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);
const blank = new Set([0x09, 0x0a, 0x0d, 0x20]);

/**
 * Formats JSON bytes with line breaks and two spaces of indentation. Returns undefined if the bytes are not JSON, or if the result would be
 * longer than `limit` bytes (with deep nesting, the size grows quadratically). Changes only white space. Parsing the JSON and printing it
 * again would drop digits from long numbers, and properties with duplicate names.
 */
export function prettyJson(bytes: Uint8Array, limit = 64 * 1024 * 1024): Uint8Array | undefined {
  if (!isJson(bytes)) return undefined;
  const out = new Output(bytes.length * 2 + 64);
  let depth = 0;
  for (let at = nextVisible(bytes, 0); at < bytes.length; at = nextVisible(bytes, at)) {
    const byte = bytes[at] ?? 0;
    const end = byte === quote ? stringEnd(bytes, at) : at + 1;
    if (closing.has(byte)) {
      depth--;
      if (!opening.has(out.last)) out.line(depth);
    }
    if (opening.has(out.last) && !closing.has(byte)) out.line(depth);
    out.add(bytes, at, end);
    if (opening.has(byte)) depth++;
    if (byte === comma) out.line(depth);
    if (byte === colon) out.fill(1);
    if (out.length > limit) return undefined;
    at = end;
  }
  return out.bytes();
}

function isJson(bytes: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
    return true;
  } catch {
    return false;
  }
}

/** Returns the offset after the closing quote of the string that begins at `start`. */
function stringEnd(bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === backslash) at++;
    else if (bytes[at] === quote) return at + 1;
  }
  return bytes.length;
}

function nextVisible(bytes: Uint8Array, start: number): number {
  let at = start;
  while (blank.has(bytes[at] ?? 0)) at++;
  return at;
}

/** A byte buffer that grows as data is appended. */
class Output {
  #buffer: Uint8Array;
  length = 0;

  constructor(capacity: number) {
    this.#buffer = new Uint8Array(capacity);
  }

  get last(): number {
    return this.#buffer[this.length - 1] ?? 0;
  }

  add(source: Uint8Array, start: number, end: number): void {
    this.#reserve(end - start);
    this.#buffer.set(source.subarray(start, end), this.length);
    this.length += end - start;
  }

  fill(spaces: number): void {
    this.#reserve(spaces);
    this.#buffer.fill(0x20, this.length, this.length + spaces);
    this.length += spaces;
  }

  line(depth: number): void {
    this.#reserve(1);
    this.#buffer[this.length++] = 0x0a;
    this.fill(depth * 2);
  }

  bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.length);
  }

  #reserve(more: number): void {
    if (this.length + more <= this.#buffer.length) return;
    const larger = new Uint8Array((this.length + more) * 2);
    larger.set(this.#buffer.subarray(0, this.length));
    this.#buffer = larger;
  }
}

/**
 * A table that contains 1 for each byte that introduces a value or a name. The opening bracket of an empty list or object is therefore also
 * counted.
 */
const marks = new Uint8Array(256);
for (const byte of Buffer.from(',[{:')) marks[byte] = 1;

/**
 * Returns whether JSON has more than this number of values and names. The time that `JSON.parse` takes depends on the number of values and
 * names, not on their size: a minute for 100 MiB of `[],`, but a tenth of a second for long strings. The input is not parsed, and counting
 * stops at the limit.
 */
export function hasMoreValues(bytes: Uint8Array, max: number): boolean {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  let count = 0;
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at] as number;
    if (byte === quote) at = closingQuote(text, at);
    else if (marks[byte] === 1 && ++count > max) return true;
  }
  return false;
}

/** Returns the offset of the closing quote of the string that begins at `start`, or the end of the input. */
function closingQuote(text: Buffer, start: number): number {
  for (let at = start + 1; at < text.length; at += 1) {
    if (text[at] === quote) return at;
    if (text[at] === backslash) at += 1;
  }
  return text.length;
}

/**
 * Explains where and why a string is not JSON: `it is not JSON: comma expected at line 2, column 5`. Call this function only for strings
 * that `JSON.parse` rejects.
 */
export function jsonFault(text: string): string {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false });
  const [first] = errors;
  if (first === undefined) return 'it is not JSON';
  const before = text.slice(0, first.offset);
  const line = before.split('\n').length;
  const column = first.offset - before.lastIndexOf('\n');
  return `it is not JSON: ${describeReason(first)} at line ${line}, column ${column}`;
}

/** Formats "CommaExpected" as "comma expected". */
function describeReason({ error }: ParseError): string {
  return printParseErrorCode(error)
    .replace(/(?!^)[A-Z]/g, (letter) => ` ${letter}`)
    .toLowerCase();
}
