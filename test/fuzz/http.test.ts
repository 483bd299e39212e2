import fc from 'fast-check';
import { expect, test } from 'vitest';
import { IndexRanges } from '../../src/model/kv/index-ranges.ts';
import { evaluate } from '../../src/model/objects/condition.ts';
import { parseRange } from '../../src/model/objects/range.ts';
import { isProblem, Problem } from '../../src/model/problem.ts';
import { readMultipart } from '../../src/sandbox/http/multipart.ts';
import { type MultipartPart, multipart } from '../../src/v4/multipart.ts';
import { MalformedForm, readForm } from '../../src/v4/read-form.ts';
import { anyBytes, anyText, chunkSizes, chunksOf, cost, fuzz, mutated } from './fuzz.ts';

const boundary = 'edgectl-0123456789abcdef';
/** Content that looks like the boundary at the end of a part, except for the last byte. */
const content = fc.oneof(
  anyBytes,
  fc
    .array(
      fc.constantFrom(
        '\r\n',
        '--',
        `--${boundary.slice(0, -1)}`,
        '\r\n--edgectl-',
        '\r',
        '\n',
        '-',
        '\0',
        'a',
      ),
      { maxLength: 12 },
    )
    .map((pieces) => Buffer.from(pieces.join(''))),
);
const partName = fc.string({ unit: fc.constantFrom(...'abz09_-. []é\u202e;='), minLength: 1, maxLength: 20 });
const part: fc.Arbitrary<MultipartPart> = fc.record(
  {
    name: partName,
    content: fc.oneof(content, fc.string({ unit: 'grapheme' })),
    fileName: partName,
    contentType: fc.constantFrom('text/plain', 'application/json'),
  },
  { requiredKeys: ['name', 'content'] },
);
const parts = fc.uniqueArray(part, { minLength: 1, maxLength: 4, selector: ({ name }) => name });

async function* opened(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  yield* chunksOf(bytes, sizes);
}

const tooLong = () => new Problem('refused', 'too long', { status: 413 });
/** A few small chunks, then large ones, so that long bodies stay fast. */
const sizes = chunkSizes.map((given) => [...given.map((size) => size * 7), 1000]);

fuzz(
  'parses a form without changing it, regardless of its content and chunks',
  [parts, sizes],
  async (written, pieces) => {
    const { body, contentType } = multipart(written, boundary);
    const open = () => opened(Buffer.from(body), pieces);
    const read = await readForm(contentType, open, 1 << 20);
    const expected = written.map((one) => ({
      name: one.name,
      content: Buffer.from(one.content).toString('latin1'),
    }));
    expect(
      read.map((one) => ({ name: one.name, content: Buffer.from(one.content).toString('latin1') })),
    ).toEqual(expected);
    const map = await readMultipart(contentType, open, 1 << 20, tooLong);
    expect(
      [...map].map(([name, bytes]) => ({ name, content: Buffer.from(bytes).toString('latin1') })),
    ).toEqual(expected);
  },
);

const contentType = fc.oneof(
  { weight: 5, arbitrary: fc.constant(`multipart/form-data; boundary=${boundary}`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      'multipart/form-data',
      'multipart/form-data; boundary=',
      'multipart/form-data; boundary="',
      'multipart/form-data;boundary=a;boundary=b',
      'text/plain',
    ),
  },
  { weight: 1, arbitrary: anyText.map((text) => `multipart/form-data; boundary=${text}`) },
);
const anyForm = fc.oneof(
  { weight: 4, arbitrary: mutated(parts.map((written) => multipart(written, boundary).body)) },
  { weight: 1, arbitrary: anyBytes },
);

async function refusedOr(reading: Promise<unknown>): Promise<void> {
  let silence: NodeJS.Timeout | undefined;
  const hung = new Promise<never>((_, reject) => {
    silence = setTimeout(() => reject(new Error('the reader hangs')), 5000);
  });
  try {
    await Promise.race([reading, hung]);
  } catch (error) {
    if (error instanceof MalformedForm) return;
    if (!isProblem(error)) throw error;
    expect([400, 413]).toContain(error.status);
  } finally {
    clearTimeout(silence);
  }
}

fuzz(
  'any body is parsed as a form, or rejected',
  [contentType, anyForm, sizes],
  async (type, bytes, pieces) => {
    const open = () => opened(bytes, pieces);
    await refusedOr(readForm(type, open, 1 << 20));
    await refusedOr(readMultipart(type, open, 1 << 20, tooLong));
  },
);

const position = fc.oneof(fc.nat(30), fc.constantFrom(2 ** 31, 2 ** 53, 10 ** 20));
const rangeHeader = fc.oneof(
  fc
    .tuple(fc.option(position), fc.option(position))
    .map(([first, last]) => `bytes=${first ?? ''}-${last ?? ''}`),
  fc.string({ unit: fc.constantFrom(...'bytes=0123456789-, ') }),
  anyText,
);

fuzz(
  'a range returns the bytes that RFC 9110 specifies, for an object of any size',
  [rangeHeader, fc.nat(20)],
  (header, size) => {
    expect(parseRange(header, size)).toEqual(getRange(header, size));
  },
);

/** Computes the range by testing each byte. */
function getRange(header: string, size: number): ReturnType<typeof parseRange> {
  const said = /^\s*bytes\s*=\s*(?:(?<first>\d+)\s*-\s*(?<last>\d*)|-\s*(?<suffix>\d+))\s*$/i.exec(
    header,
  )?.groups;
  if (said === undefined) return undefined;
  const { first, last, suffix } = said;
  if (first !== undefined && last && BigInt(last) < BigInt(first)) return undefined;
  const wanted = (at: number): boolean =>
    suffix === undefined
      ? BigInt(at) >= BigInt(first ?? 0) && (last === '' || BigInt(at) <= BigInt(last ?? 0))
      : BigInt(at) >= BigInt(size) - BigInt(suffix);
  const bytes = Array.from({ length: size }, (_, at) => at).filter(wanted);
  const [start] = bytes;
  return start === undefined ? 'none' : { start, end: bytes.at(-1) ?? start };
}

const etag = fc.constantFrom('abc', 'abd', 'a"b', '*', '');
const tag = fc
  .tuple(etag, fc.constantFrom('', 'W/'), fc.boolean())
  .map(([value, weak, quoted]) => weak + (quoted ? `"${value}"` : value));
const tags = fc.oneof(
  fc.array(tag, { minLength: 1, maxLength: 3 }).map((list) => list.join(', ')),
  fc.constant('*'),
  anyText,
);
const second = 1_795_000_000_000;
const date = fc.oneof(
  fc.integer({ min: -2, max: 2 }).map((offset) => new Date(second + offset * 1000).toUTCString()),
  anyText,
);
const conditions = fc.record(
  { ifMatch: tags, ifNoneMatch: tags, ifModifiedSince: date, ifUnmodifiedSince: date },
  { requiredKeys: [] },
);
const stored = fc.option(
  fc.record({
    etag: fc.constantFrom('abc', 'abd'),
    uploaded: fc.integer({ min: second - 2500, max: second + 2500 }),
  }),
  { nil: undefined },
);

fuzz('evaluates conditions in the order of RFC 9110', [conditions, stored], (given, object) => {
  const holds = (header: string): boolean =>
    object !== undefined &&
    (header.trim() === '*' ||
      header
        .split(',')
        .map((one) => one.trim().replace(/^W\//, ''))
        .some((one) => one === object.etag || one === `"${object.etag}"`));
  const time = (header: string | undefined) => Date.parse(header ?? '') || undefined;
  const uploaded = object && Math.floor(object.uploaded / 1000);
  const seconds = (header: string | undefined) => {
    const parsed = time(header);
    return parsed === undefined ? undefined : Math.floor(parsed / 1000);
  };
  const expected = (): ReturnType<typeof evaluate> => {
    if (given.ifMatch !== undefined && !holds(given.ifMatch)) return 'failed';
    const unmodified = seconds(given.ifUnmodifiedSince);
    if (
      given.ifMatch === undefined &&
      unmodified !== undefined &&
      uploaded !== undefined &&
      uploaded > unmodified
    )
      return 'failed';
    if (given.ifNoneMatch !== undefined) return holds(given.ifNoneMatch) ? 'unchanged' : 'go on';
    const modified = seconds(given.ifModifiedSince);
    return modified !== undefined && uploaded !== undefined && uploaded <= modified ? 'unchanged' : 'go on';
  };
  expect(evaluate(given, object)).toBe(expected());
});

const indexRange = fc
  .tuple(fc.nat(40), fc.integer({ min: -3, max: 12 }))
  .map(([from, length]) => [from, from + length] as const);

fuzz(
  'ranges of indices equal the set of their indices',
  [fc.array(indexRange, { maxLength: 12 })],
  (ranges) => {
    const naive = new Set(
      ranges.flatMap(([from, to]) => Array.from({ length: Math.max(0, to - from) }, (_, at) => from + at)),
    );
    const saved = new IndexRanges(ranges);
    expect(saved.count).toBe(naive.size);
    const indices = Array.from({ length: 61 }, (_, at) => at - 1);
    expect(indices.filter((index) => saved.has(index))).toEqual(indices.filter((index) => naive.has(index)));
    const list = saved.toArray();
    expect(list.every(([from, to], at) => from < to && (list[at - 1]?.[1] ?? -1) < from)).toBe(true);
  },
);

test('parses repetitive headers in linear time', () => {
  for (const unit of ['"', ',', ' ', 'W/', 'bytes=', '1', '-', '" ,', '\t']) {
    const header = unit.repeat(16_000);
    const reading = () => {
      for (const range of [
        header,
        `bytes=${header}`,
        `bytes=1${header}`,
        `bytes=-${header}x`,
        `${header}x`,
      ]) {
        parseRange(range, 10);
      }
      evaluate({ ifMatch: header, ifNoneMatch: header, ifModifiedSince: header }, { etag: 'x', uploaded: 0 });
    };
    expect(cost(reading), JSON.stringify(unit)).toBeLessThan(500);
  }
});
