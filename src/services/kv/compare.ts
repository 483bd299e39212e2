import { isDeepStrictEqual } from 'node:util';
import type { keyComparisonFields, keyDifference } from '../../model/kv/difference-shape.ts';
import { isoSeconds } from '../../model/kv/kv.ts';
import { type DifferenceLine, type Hunk, lineDifference } from '../../model/kv/line-difference.ts';
import type { FieldValues, ValueOf } from '../../model/shape.ts';
import { guessKind } from '../../text/kind.ts';
import { groupDigits } from '../../text/size.ts';
import type { Session } from '../session/session.ts';
import { readKey, type WholeKey } from './key-change.ts';

/** A key, with its session and namespace. */
export interface KeyAddress {
  readonly session: Session;
  readonly namespaceId: string;
  readonly key: string;
}

export type KeyDifference = ValueOf<typeof keyDifference>;

/** The result of comparing two keys. */
export type KeyComparison = FieldValues<typeof keyComparisonFields>;

/** Reads two keys and compares their values, metadata and expiry. Either key may be missing. */
export async function compareKeys(
  left: KeyAddress,
  right: KeyAddress,
  signal?: AbortSignal,
): Promise<KeyComparison> {
  const read = ({ session, namespaceId, key }: KeyAddress) => readKey(session, namespaceId, key, signal);
  const [one, other] = await Promise.all([read(left), read(right)]);
  return compareValues(one, other);
}

/** Compares two keys that have already been read; undefined means a missing key. */
export function compareValues(left: WholeKey | undefined, right: WholeKey | undefined): KeyComparison {
  return {
    left: left === undefined ? 'absent' : 'there',
    right: right === undefined ? 'absent' : 'there',
    differences: [
      ...valueDifference(left?.value, right?.value),
      ...metadataDifference(left, right),
      ...expiryDifference(left, right),
    ],
  };
}

function valueDifference(left: Uint8Array | undefined, right: Uint8Array | undefined): KeyDifference[] {
  if (left !== undefined && right !== undefined && Buffer.compare(left, right) === 0) return [];
  const sides = [left, right].map((bytes) => bytes ?? new Uint8Array());
  const [one = new Uint8Array(), other = new Uint8Array()] = sides;
  const there = [left, right].filter((bytes) => bytes !== undefined);
  if (there.some((bytes) => guessKind(bytes, true).kind === 'binary')) {
    let from = 0;
    while (from < Math.min(one.length, other.length) && one[from] === other[from]) from++;
    return [{ field: 'value', as: 'bytes', sizes: [one.length, other.length], from }];
  }
  const json = there.map(parseJson);
  if (json.every((value) => value !== undefined)) {
    const [first, second] = [left && parseJson(left), right && parseJson(right)];
    if (first && second && isDeepStrictEqual(first.value, second.value)) return [];
    return toHunks('value', 'json', first?.lines ?? [], second?.lines ?? []);
  }
  return toHunks('value', 'text', splitLines(left), splitLines(right));
}

function splitLines(bytes: Uint8Array | undefined): string[] {
  return bytes === undefined ? [] : Buffer.from(bytes).toString('utf8').split('\n');
}

/** Pattern of numbers that JavaScript may not represent exactly. Values with such numbers are compared as text, not as JSON. */
const longNumber = /[-+\d.eE]{16,}/;

function parseJson(bytes: Uint8Array): { readonly value: unknown; readonly lines: string[] } | undefined {
  const text = Buffer.from(bytes).toString('utf8');
  if (longNumber.test(text.replace(/"(?:[^"\\]|\\.)*"/g, ''))) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return { value, lines: sortedLines(value) };
  } catch {
    return undefined;
  }
}

function sortedLines(value: unknown): string[] {
  return JSON.stringify(sorted(value), null, 2).split('\n');
}

/** Returns a copy of a JSON value with the names in each object sorted. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const names = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(names.map(([name, one]) => [name, sorted(one)]));
}

function metadataDifference(left: WholeKey | undefined, right: WholeKey | undefined): KeyDifference[] {
  const [one, other] = [left, right].map((key) => key?.entry.metadata ?? null);
  if (isDeepStrictEqual(one, other)) return [];
  const lines = (metadata: unknown) => (metadata === null ? [] : sortedLines(metadata));
  return toHunks('metadata', 'json', lines(one), lines(other));
}

function expiryDifference(left: WholeKey | undefined, right: WholeKey | undefined): KeyDifference[] {
  const [one, other] = [left, right].map((key) => key?.entry.expiration);
  if (one === other) return [];
  const iso = (at: number | undefined) => (at === undefined ? null : isoSeconds(at));
  return [{ field: 'expiration', left: iso(one), right: iso(other) }];
}

function toHunks(
  field: 'value' | 'metadata',
  as: 'json' | 'text',
  left: readonly string[],
  right: readonly string[],
): KeyDifference[] {
  const hunks = lineDifference(left, right);
  return hunks.length === 0 ? [] : [{ field, as, hunks }];
}

/** An unescaped line of a comparison. The sign `@` marks the heading of a hunk. */
export type ComparisonLine = DifferenceLine | { readonly sign: '@'; readonly text: string };

/** Formats a comparison as the lines of a unified diff. */
export function comparisonLines({ left, right, differences }: KeyComparison): ComparisonLine[] {
  if (left === 'absent' && right === 'absent')
    return [{ sign: '@', text: 'the key is missing on both sides' }];
  const missing = `the key is missing on the ${left === 'absent' ? 'first' : 'second'} side`;
  const head: ComparisonLine[] = left === right ? [] : [{ sign: '@', text: missing }];
  return [...head, ...differences.flatMap(linesOfDifference)];
}

function linesOfDifference(difference: KeyDifference): ComparisonLine[] {
  if (difference.field === 'expiration') {
    const { left, right } = difference;
    return [
      { sign: '@', text: 'expires' },
      { sign: '-', text: left ?? 'never' },
      { sign: '+', text: right ?? 'never' },
    ];
  }
  if (difference.as === 'bytes') {
    const [one, other] = difference.sizes.map((size) => `${groupDigits(size)} bytes`);
    return [
      { sign: '@', text: `value, binary, first difference at byte ${groupDigits(difference.from)}` },
      { sign: '-', text: one ?? '' },
      { sign: '+', text: other ?? '' },
    ];
  }
  const { field, as } = difference;
  const how = as === 'json' ? `${field}, JSON with sorted names` : field;
  return difference.hunks.flatMap(({ left, right, lines }): ComparisonLine[] => [
    { sign: '@', text: `${how}, lines ${formatRange(left)} and ${formatRange(right)}` },
    ...lines,
  ]);
}

function formatRange({ from, count }: Hunk['left']): string {
  if (count === 0) return 'none';
  return count === 1 ? `${from}` : `${from}-${from + count - 1}`;
}
