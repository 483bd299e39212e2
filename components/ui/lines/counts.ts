import { columnsOf, fitText } from '../../../src/text/width.ts';

const between = ' · ';

/** Minimum useful columns of a shortened string, and of a count without its label. */
const least = 8;

/** Facts that must stay visible: that not all rows are shown, or that actions apply to several rows. */
const narrowing = /^(?:filter: |only |prefix |contains |[\d,]+ marked)/;

/**
 * Fits the facts about a pane into a number of columns. The parts are in ascending order of importance, the number of rows last:
 * the first are shortened and omitted before the others. Next to a filter, the number of rows loses its label instead.
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
