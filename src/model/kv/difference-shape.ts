import { anyOf, count, list, nullable, object, oneOf, only, text, time } from '../shape.ts';

const hunkSide = (which: string) =>
  object({ from: count(`First line of the ${which} side, from 1`), count: count('Lines') });
/** A line of a difference: on both sides, only on the left, or only on the right. */
export const differenceLine = object({
  sign: oneOf([' ', '-', '+'], 'In both, only left, only right'),
  text: text('The line'),
});

/** A range in which two strings differ, with the lines around it. */
export const hunk = object({
  left: hunkSide('left'),
  right: hunkSide('right'),
  lines: list(differenceLine, 'Lines with those around them'),
});

/** A part of two keys that differs. JSON is compared by what it says, text line by line, anything else byte by byte. */
export const keyDifference = anyOf([
  object({
    field: oneOf(['value', 'metadata'], 'What differs'),
    as: oneOf(['json', 'text'], 'How it was compared'),
    hunks: list(hunk, 'Stretches that differ'),
  }),
  object({
    field: only('value', 'What differs'),
    as: only('bytes', 'How it was compared'),
    sizes: list(count('Bytes'), 'Of the left and of the right side'),
    from: count('First byte that differs, from 0'),
  }),
  object({
    field: only('expiration', 'What differs'),
    left: nullable(time('Of the left side; null for never')),
    right: nullable(time('Of the right side; null for never')),
  }),
]);

/** A key that is not the same in two namespaces. */
export const namespaceDifference = anyOf([
  object({
    key: text('The key'),
    change: oneOf(['added', 'removed'], 'Only on the right, only on the left'),
  }),
  object({
    key: text('The key'),
    change: only('changed', 'On both sides, and not the same'),
    fields: list(oneOf(['value', 'metadata', 'expiration'], 'A part of it'), 'What differs'),
  }),
]);
