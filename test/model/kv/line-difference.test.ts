import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Hunk, lineDifference } from '../../../src/model/kv/line-difference.ts';

/** Applies the hunks to the left text; the result must be the right text. */
function applied(left: readonly string[], hunks: readonly Hunk[]): string[] {
  const right: string[] = [];
  let at = 0;
  for (const { left: side, lines } of hunks) {
    right.push(...left.slice(at, side.from - 1));
    expect(left.slice(side.from - 1, side.from - 1 + side.count)).toEqual(
      lines.filter(({ sign }) => sign !== '+').map(({ text }) => text),
    );
    right.push(...lines.filter(({ sign }) => sign !== '-').map(({ text }) => text));
    at = side.from - 1 + side.count;
  }
  return [...right, ...left.slice(at)];
}

test('shows added and removed lines with three lines of context', () => {
  const left = Array.from({ length: 20 }, (_, index) => `line ${index}`);
  const right = [...left.slice(0, 5), 'new', ...left.slice(5, 15), ...left.slice(16)];
  const hunks = lineDifference(left, right);
  expect(
    hunks.map(({ left: one, right: other, lines }) => [one, other, lines.map(({ sign }) => sign).join('')]),
  ).toEqual([
    [{ from: 3, count: 6 }, { from: 3, count: 7 }, '   +   '],
    [{ from: 13, count: 7 }, { from: 14, count: 6 }, '   -   '],
  ]);
  expect(lineDifference(left, left)).toEqual([]);
});

test('transforms the left text into the right text with the fewest changes', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 40 });
  fc.assert(
    fc.property(text, text, (left, right) => {
      const hunks = lineDifference(left, right);
      expect(applied(left, hunks)).toEqual(right);
      const changes = hunks.flatMap(({ lines }) => lines).filter(({ sign }) => sign !== ' ').length;
      expect(changes).toBeLessThanOrEqual(left.length + right.length - 2 * common(left, right));
    }),
  );
});

/** Returns the length of the longest common subsequence. */
function common(left: readonly string[], right: readonly string[]): number {
  const lengths = Array.from({ length: left.length + 1 }, () => new Array<number>(right.length + 1).fill(0));
  left.forEach((one, row) => {
    right.forEach((other, column) => {
      const above = lengths[row]?.[column + 1] ?? 0;
      const before = lengths[row + 1]?.[column] ?? 0;
      const next = one === other ? (lengths[row]?.[column] ?? 0) + 1 : Math.max(above, before);
      lengths[row + 1]?.splice(column + 1, 1, next);
    });
  });
  return lengths.at(-1)?.at(-1) ?? 0;
}

test('replaces the complete text if long values have no lines in common', () => {
  const left = Array.from({ length: 15_000 }, (_, index) => `left ${index}`);
  const right = Array.from({ length: 15_000 }, (_, index) => `right ${index}`);
  const [hunk] = lineDifference(['same', ...left], ['same', ...right]);
  expect(hunk?.left).toEqual({ from: 1, count: 15_001 });
});
