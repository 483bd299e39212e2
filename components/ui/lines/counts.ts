import { groupDigits } from '../../../src/text/size.ts';
import { fitText, measureCharacter } from '../../../src/text/width.ts';

const separator = ' · ';

/** Minimum width, in columns, in which a shortened string, or a count without its label, is useful. */
const minColumns = 8;

/** Matches facts that must stay visible: that the list shows only some rows, or that actions apply to several rows. */
const narrowingPattern = /^(?:filter: |only |prefix |contains |[\d,]+ marked)/;

/** Returns whether at least one of the facts must stay visible. */
export function isNarrowed(counts: string): boolean {
  return counts.split(separator).some((fact) => narrowingPattern.test(fact));
}

/** Returns the most important of the facts. */
export function lastCount(counts: string): string {
  return counts.split(separator).at(-1) ?? '';
}

/**
 * Fits the facts about a pane into a number of columns. The facts are in ascending order of importance, with the number of rows last; the
 * first facts are shortened or omitted first. To keep a filter visible, the number of rows loses its label instead.
 */
export function fitCounts(counts: string, columns: number): string {
  if (measureCharacter(counts) <= columns) return counts;
  const parts = counts.split(separator);
  const last = parts.pop() ?? '';
  const before = parts.at(-1) ?? '';
  const shortensLast = narrowingPattern.test(before) && columns >= 2 * minColumns + separator.length;
  let shown = fitText(
    last,
    shortensLast ? Math.max(minColumns, columns - measureCharacter(before) - separator.length) : columns,
  );
  for (const part of parts.reverse()) {
    const room = columns - measureCharacter(shown) - separator.length;
    if (measureCharacter(part) > room)
      return room < minColumns ? shown : `${fitText(part, room)}${separator}${shown}`;
    shown = `${part}${separator}${shown}`;
  }
  return shown;
}

/**
 * Formats the amount of content above and below the screen: `↑ 3 ↓ 12 more`. For `unknown`, shows only the arrow. Returns an empty string
 * if all content is on the screen.
 */
export function formatMore(above: number | 'unknown', below: number | 'unknown'): string {
  const format = (arrow: string, count: number | 'unknown') =>
    count === 0 ? [] : [count === 'unknown' ? arrow : `${arrow} ${groupDigits(count)}`];
  const words = [...format('↑', above), ...format('↓', below)];
  return words.length === 0 ? '' : `${words.join(' ')} more`;
}

/** Returns only the arrows of a string from `formatMore`. */
export function moreArrows(words: string): string {
  return words.replace(/[^↑↓]/g, '');
}
