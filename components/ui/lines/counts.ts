import { columnsOf, fitText } from '../../../src/text/width.ts';

const between = ' · ';

/** Columns below which the beginning of a text tells nothing, and columns of a count without its words. */
const least = 8;

/** What says that not all is shown, or that presses are for more than one row. */
const narrowing = /^(?:filter: |only |prefix |contains |[\d,]+ marked)/;

/**
 * What is told of a pane, in at most so many columns. Its parts stand in the order of their weight, the number of rows last:
 * the first are cut, and go, before the others. Beside what narrows a list the number of rows is cut to its digits instead.
 */
export function fitCounts(counts: string, columns: number): string {
  if (columnsOf(counts) <= columns) return counts;
  const parts = counts.split(between);
  const last = parts.pop() ?? '';
  const before = parts.at(-1) ?? '';
  const gives = narrowing.test(before) && columns >= 2 * least + between.length;
  let shown = fitText(last, gives ? Math.max(least, columns - columnsOf(before) - between.length) : columns);
  for (const part of parts.reverse()) {
    const room = columns - columnsOf(shown) - between.length;
    if (columnsOf(part) > room) return room < least ? shown : `${fitText(part, room)}${between}${shown}`;
    shown = `${part}${between}${shown}`;
  }
  return shown;
}
