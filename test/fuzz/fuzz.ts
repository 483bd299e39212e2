import fc from 'fast-check';
import { test } from 'vitest';
import { anyCharacter } from '../support/any-character.ts';

/**
 * Number of cases per property, set in vitest.config.ts and vitest.soak.config.ts. `FUZZ_CASES=20 npx vitest run test/fuzz` overrides it.
 */
const cases = Number(process.env['FUZZ_CASES'] ?? 100);

/**
 * Seed of the cases, which are the same in every run (`FUZZ_SEED` sets another seed). A failure prints the seed that reproduces the
 * failure.
 */
const seed = Number(process.env['FUZZ_SEED'] ?? 9);

type Arbitraries<Values> = { readonly [At in keyof Values]: fc.Arbitrary<Values[At]> };

/**
 * Declares a test that a property holds for many generated values. A failing case is reduced as far as possible. Beyond the first cases
 * (default: a thousand), an expensive property runs only a share of the cases.
 */
export function fuzz<Values extends [unknown, ...unknown[]]>(
  name: string,
  arbitraries: Arbitraries<Values>,
  holds: (...values: Values) => unknown,
  share = 1,
  first = 1000,
): void {
  const numRuns = Math.max(Math.min(cases, first), Math.round(cases * share));
  test(name, async () => {
    const property = fc.asyncProperty<Values>(...arbitraries, async (...values) => {
      await holds(...values);
    });
    await fc.assert(property, { numRuns, seed });
  });
}

/** The share for a property that runs a whole command or uses a server, so that each case takes half a millisecond or more. */
export const tenth = 0.1;

/** Returns the processor time of an operation in milliseconds. Processor time reveals a hang, even on a busy machine. */
export function cost(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** Names of properties that every object inherits. */
export const prototypeNames = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'prototype',
] as const;

/**
 * Units of hostile strings: escape sequences, characters that are hidden, combine, end a line or reverse the direction, and plain
 * characters between them.
 */
const hostileUnit = fc.constantFrom(
  '\u001b[31m',
  '\u001b]0;x\u0007',
  '\u009b2J',
  '\u202e',
  '\u2066',
  '\u200b',
  '\ufeff',
  '\u0301',
  '\u1100',
  '\u1161',
  '\u200d',
  '\u2028',
  '\r',
  '\n',
  '\t',
  '\\',
  '"',
  "'",
  '%2e',
  '\ud800',
  '\udc00',
  'é',
  '😀',
  'a',
  '0',
  '-',
  '=',
  ' ',
);

/** Strings of any kind: all of Unicode, sequences hostile to a terminal, names of prototypes; sometimes long. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: anyCharacter }) },
  { weight: 4, arbitrary: fc.string({ unit: hostileUnit }) },
  { weight: 2, arbitrary: fc.string() },
  { weight: 2, arbitrary: fc.constantFrom(...prototypeNames) },
  { weight: 1, arbitrary: fc.tuple(hostileUnit, fc.nat(300)).map(([unit, count]) => unit.repeat(count)) },
);

/** First, second and third bytes of characters: some characters are complete, most are not. */
const torn = fc
  .array(
    fc.constantFrom(0x41, 0x5c, 0xc3, 0xa9, 0xe2, 0x80, 0xae, 0xed, 0xa0, 0xf0, 0x9f, 0x98, 0xef, 0xbb, 0xbf),
  )
  .map((bytes) => Buffer.from(bytes));

/** Bytes of any kind, often of text. */
export const anyBytes: fc.Arbitrary<Buffer> = fc.oneof(
  fc.uint8Array({ maxLength: 100 }).map((bytes) => Buffer.from(bytes)),
  torn,
  anyText.map((text) => Buffer.from(text)),
);

/** One change to some bytes: a range is overwritten, repeated, removed or cut off. */
interface Mutation {
  readonly kind: 'overwrite' | 'insert' | 'repeat' | 'remove' | 'cut';
  /** Position, from 0 to 1. */
  readonly at: number;
  readonly length: number;
  readonly bytes: Uint8Array;
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  kind: fc.constantFrom('overwrite', 'insert', 'repeat', 'remove', 'cut'),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  length: fc.integer({ min: 1, max: 12 }),
  bytes: fc.oneof(
    fc.uint8Array({ minLength: 1, maxLength: 4 }),
    fc.constantFrom(...'[]{}",:\\#=\'\n\r-\0').map((text) => Buffer.from(text)),
  ),
});

/** Generates valid bytes with a few changes. */
export function mutated(right: fc.Arbitrary<Uint8Array>): fc.Arbitrary<Buffer> {
  return fc
    .tuple(right, fc.array(mutation, { maxLength: 4 }))
    .map(([bytes, mutations]) => mutations.reduce(mutate, Buffer.from(bytes)));
}

function mutate(bytes: Buffer, { kind, at: share, length, bytes: other }: Mutation): Buffer {
  const at = Math.floor(share * bytes.length);
  const before = bytes.subarray(0, at);
  const stretch = bytes.subarray(at, at + length);
  switch (kind) {
    case 'overwrite':
      return Buffer.concat([before, other, bytes.subarray(at + other.length)]);
    case 'insert':
      return Buffer.concat([before, other, bytes.subarray(at)]);
    case 'repeat':
      return Buffer.concat([before, stretch, bytes.subarray(at)]);
    case 'remove':
      return Buffer.concat([before, bytes.subarray(at + length)]);
    case 'cut':
      return before;
  }
}
/** Sizes of chunks into which bytes are split; the last size is repeated. */
export const chunkSizes: fc.Arbitrary<readonly number[]> = fc.array(fc.integer({ min: 1, max: 40 }), {
  minLength: 1,
  maxLength: 8,
});

/** Splits bytes into chunks of the given sizes. */
export function* chunksOf(bytes: Buffer, sizes: readonly number[]): Generator<Buffer> {
  let at = 0;
  for (let piece = 0; at < bytes.length; piece += 1) {
    const size = sizes[Math.min(piece, sizes.length - 1)] ?? 1;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}
