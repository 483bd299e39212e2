import type { KeyRange } from './kv/table.ts';

/**
 * Returns the range of keys that start with `prefix` and come after `after`, in the order of UTF-8 bytes, which is also the order of code
 * points. The range has only one lower bound: SQLite starts its search at one lower bound, and would check a second lower bound row by row.
 */
export function keyRange(prefix: string | undefined, after: string | undefined): KeyRange {
  const start = prefix?.toWellFormed() ?? '';
  const before = start === '' ? undefined : afterPrefix(start);
  if (after !== undefined && Buffer.compare(Buffer.from(after), Buffer.from(start)) >= 0)
    return { after, before };
  return { from: start, before };
}

const lastCodePoint = 0x10ffff;
const lastBeforeSurrogates = 0xd7ff;
const firstAfterSurrogates = 0xe000;

/** Returns the smallest string greater than every string that starts with `prefix`; undefined if no string is greater. */
export function afterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === lastCodePoint) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  const next = last === lastBeforeSurrogates ? firstAfterSurrogates : last + 1;
  return String.fromCodePoint(...points, next);
}
