import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type BulkItem,
  type EntryFault,
  isFault,
  parseKeyEntry,
  parsePutEntry,
} from '../../src/model/kv/bulk.ts';
import { isProblem } from '../../src/model/problem.ts';
import { readEntries } from '../../src/services/kv/bulk/entries.ts';
import type { BulkInput } from '../../src/services/kv/bulk/input.ts';
import { JsonElements } from '../../src/text/json-elements.ts';
import { anyText, chunkSizes, chunksOf, fuzz, mutated, prototypeNames } from './fuzz.ts';

/** The splitter's result for an input: the elements with their lines, and how parsing ended. */
interface Cut {
  readonly elements: readonly { readonly text: string; readonly line: number | undefined }[];
  readonly fault: string | undefined;
}

const longest = 1 << 20;

function cut(bytes: Buffer, sizes: readonly number[] = [longest], limit = longest): Cut {
  const elements: { text: string; line: number | undefined }[] = [];
  const splitter = new JsonElements('input', limit, (all, start, end) => {
    elements.push({ text: all.toString('utf8', start, end), line: splitter.line });
  });
  try {
    for (const chunk of chunksOf(bytes, sizes)) splitter.push(chunk);
    splitter.end();
  } catch (error) {
    if (!isProblem(error)) throw error;
    return { elements, fault: error.message };
  }
  return { elements, fault: undefined };
}

function parsed(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}

const name = fc.oneof(fc.constantFrom('key', 'value', 'metadata', 'base64', ...prototypeNames), fc.string());
const entry = fc.oneof(
  fc.jsonValue({ maxDepth: 1 }),
  fc.dictionary(name, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 5 }),
  fc.record(
    {
      key: anyText,
      value: anyText,
      metadata: fc.oneof(fc.constant(null), fc.dictionary(name, fc.jsonValue({ maxDepth: 1 }))),
      expiration: fc.oneof(fc.integer(), fc.double()),
      expiration_ttl: fc.oneof(fc.integer(), fc.string()),
      base64: fc.oneof(fc.boolean(), fc.string()),
    },
    { requiredKeys: [] },
  ),
);
const entries = fc.array(entry, { maxLength: 4 });
const blank = fc.constantFrom('', ' ', '\n', '\r\n', '\t', ' \n\n ');
const mark = fc.constantFrom('', '\ufeff');
const arrayText = fc
  .tuple(mark, blank, entries, fc.constantFrom(0, 2), blank)
  .map(
    ([first, before, values, indent, after]) => first + before + JSON.stringify(values, null, indent) + after,
  );
const linesText = fc
  .tuple(mark, blank, entries, fc.constantFrom('\n', '\r\n', '\n\n \t\n'), blank)
  .map(([first, before, values, feed, after]) => {
    const lines = values.filter((value) => !Array.isArray(value)).map((value) => JSON.stringify(value));
    return first + before + lines.join(feed) + after;
  });
const right = fc.oneof(arrayText, linesText).map((text) => Buffer.from(text));
const anyFile = fc.oneof(
  { weight: 6, arbitrary: mutated(right) },
  { weight: 1, arbitrary: anyText.map((text) => Buffer.from(text)) },
  { weight: 1, arbitrary: fc.uint8Array().map((bytes) => Buffer.from(bytes)) },
);

fuzz('splits an array into the elements that JSON.parse finds', [arrayText, chunkSizes], (text, sizes) => {
  const { elements, fault } = cut(Buffer.from(text), sizes);
  expect(fault).toBeUndefined();
  expect(elements.map((one) => JSON.parse(one.text))).toEqual(JSON.parse(text.replace(/^\ufeff/, '')));
});

fuzz('splits lines at their ends, with their numbers', [linesText, chunkSizes], (text, sizes) => {
  const lines = text.replace(/^\ufeff/, '').split('\n');
  const expected = lines.flatMap((line, at) =>
    /^[ \t\r]*$/.test(line) ? [] : [{ line: at + 1, value: parsed(line) }],
  );
  const { elements, fault } = cut(Buffer.from(text), sizes);
  expect(fault).toBeUndefined();
  expect(elements.map((one) => ({ line: one.line, value: parsed(one.text) }))).toEqual(expected);
});

fuzz(
  'finds the same elements and the same error in a broken file, regardless of its chunks',
  [anyFile, chunkSizes, fc.constantFrom(longest, 30)],
  (bytes, sizes, limit) => {
    const whole = cut(bytes, [longest], limit);
    const pieces = cut(bytes, sizes, limit);
    expect(pieces.elements).toEqual(whole.elements);
    // The splitter may report that an element is too long before it has read another error in the element.
    const tooLong = /is longer than the maximum of/.test(pieces.fault ?? '');
    if (tooLong) expect(whole.fault).toBeDefined();
    else expect(pieces.fault).toBe(whole.fault);
  },
);

fuzz('never accepts a broken array', [anyFile], (bytes) => {
  const text = bytes.toString('utf8').replace(/^\ufeff/, '');
  if (!/^[ \t\r\n]*\[/.test(text)) return;
  const { elements, fault } = cut(bytes);
  const isRight = fault === undefined && elements.every((one) => parsed(one.text) !== undefined);
  expect(isRight).toBe(parsed(text) !== undefined);
});

function createInput(bytes: Buffer, sizes: readonly number[]): BulkInput {
  return {
    name: 'entries.json',
    path: undefined,
    bytes: bytes.length,
    async *chunks() {
      yield* chunksOf(bytes, sizes);
    },
    position: () => 0,
    async close() {},
  };
}

fuzz(
  'each entry of any file can be sent or is an error with its position, and other files are rejected',
  [anyFile, chunkSizes, fc.boolean(), fc.boolean()],
  async (bytes, sizes, anyKey, keysOnly) => {
    const found: (BulkItem | EntryFault)[] = [];
    const rules = { now: 0, anyKey };
    try {
      const parse = (value: unknown, index: number) =>
        keysOnly ? parseKeyEntry(value, index) : parsePutEntry(value, index, rules);
      const reading = readEntries(createInput(bytes, sizes), parse, (one) => found.push(one));
      for await (const _ of reading);
    } catch (error) {
      if (!isProblem(error)) throw error;
      expect(error.code).toBe('invalid-input');
    }
    found.forEach((one, index) => {
      if (isFault(one)) expect(one).toMatchObject({ index, reason: expect.any(String) });
      else expect(JSON.parse(JSON.stringify(one.sent))).toEqual(one.sent);
    });
  },
);

test('needs no more memory for a long file than for its longest element', () => {
  const chunk = Buffer.from(
    `${JSON.stringify({ key: 'k'.repeat(100), value: 'v'.repeat(900) })},`.repeat(64),
  );
  let count = 0;
  const splitter = new JsonElements('input', longest, () => {
    count += 1;
  });
  splitter.push(Buffer.from('['));
  const before = process.memoryUsage().arrayBuffers;
  for (let pushed = 0; pushed < 1000; pushed += 1) splitter.push(chunk);
  expect(count).toBe(64_000);
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(8 * chunk.length);
});
