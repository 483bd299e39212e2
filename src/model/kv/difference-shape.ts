import { anyOf, count, list, nullable, object, oneOf, only, text, time } from '../shape.ts';

const hunkSide = (which: string) =>
  object({ from: count(`First line on the ${which} side, counted from 1`), count: count('Number of lines') });
/** A line of a diff that is on both sides, only on the left, or only on the right. */
export const differenceLine = object({
  sign: oneOf([' ', '-', '+'], 'Space: the line is on both sides; -: only on the left; +: only on the right'),
  text: text('Content of the line'),
});

/** A range of differing lines, with unchanged lines around it. */
export const hunk = object({
  left: hunkSide('left'),
  right: hunkSide('right'),
  lines: list(differenceLine, 'Lines that differ and the lines around them'),
});

/** One difference between two keys. JSON is compared by content, text by line, and all other data by byte. */
export const keyDifference = anyOf([
  object({
    field: oneOf(['value', 'metadata'], 'What differs'),
    as: oneOf(['json', 'text'], 'Method of comparison'),
    hunks: list(hunk, 'Ranges of lines that differ'),
  }),
  object({
    field: only('value', 'What differs'),
    as: only('bytes', 'Method of comparison'),
    sizes: list(count('Size in bytes'), 'Sizes of the left and of the right value'),
    from: count('First byte that differs, counted from 0'),
  }),
  object({
    field: only('expiration', 'What differs'),
    left: nullable(time('When the left key expires; null for never')),
    right: nullable(time('When the right key expires; null for never')),
  }),
]);

const presence = (side: string) => oneOf(['there', 'absent'], `Whether the key exists on the ${side} side`);

/** The result of comparing two keys. Either key, or both, may be missing. */
export const keyComparisonFields = {
  left: presence('left'),
  right: presence('right'),
  differences: list(keyDifference, 'Parts that differ'),
};

/** A key that differs between two namespaces. */
export const namespaceDifference = anyOf([
  object({
    key: text('The key'),
    change: oneOf(['added', 'removed'], 'added: only on the right; removed: only on the left'),
  }),
  object({
    key: text('The key'),
    change: only('changed', 'Exists on both sides, with differences'),
    fields: list(oneOf(['value', 'metadata', 'expiration'], 'A part of the key'), 'What differs'),
  }),
]);
