import { columnsOf, fitText } from '../../src/text/width.ts';

const between = ' · ';

/** What is told of a pane, as one text: how many there are comes last. Empty parts are left out. */
export function joinCounts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(between);
}

/** Such a text in so many columns: the parts before the last one go, from the end, before that is cut. */
export function fitCounts(counts: string, columns: number): string {
  const parts = counts.split(between);
  const last = parts.pop() ?? '';
  for (let kept = parts.length; kept > 0; kept--) {
    const shown = [...parts.slice(0, kept), last].join(between);
    if (columnsOf(shown) <= columns) return shown;
  }
  return fitText(last, columns);
}
