import type { Region, ScreenSize } from '../../kit/surface.ts';

/** Minimum width, in columns, of a screen for borders around a pane, and for a third region next to a list and its preview. */
export const minColumnsFor = { borders: 100, details: 160 } as const;

/** Minimum number of screen rows for borders or rules. A screen with fewer rows has one region without rules. */
export const minRowsForRules = 16;

/** The smallest screen on which panes are drawn. */
export const minScreen = { columns: 40, rows: 10 } as const;

/** Number of rows of the header. */
export const headerRows = 2;

/** Columns of the borders and their padding, both sides together. */
export const borderColumns = 4;

/** Returns the number of rows between header and footer on a screen of `rows` rows, without borders or rules. */
export function bodyHeight(rows: number): number {
  return Math.max(1, rows - 3 - (rows >= minRowsForRules ? 2 : 0));
}

/** Returns the whole screen as one region, with borders if the screen has room. */
export function wholeRegion(screen: ScreenSize): Region {
  const { columns } = screen;
  return noBordersReason(screen) === undefined
    ? framedRegion(0, columns)
    : { left: 0, width: columns, columns, isFramed: false };
}

/** Returns a region with borders. `width` includes the borders. */
export function framedRegion(left: number, width: number): Region {
  return { left, width, columns: width - borderColumns, isFramed: true };
}

/** Returns why a screen shows no previews next to lists, as a sentence; undefined if the screen has room for previews. */
export function noBordersReason({ columns, rows, isSpoken = false }: ScreenSize): string | undefined {
  if (isSpoken) return 'For a screen reader, the console shows no previews.';
  if (columns < minColumnsFor.borders)
    return `A list with previews needs ${minColumnsFor.borders} columns; this screen has ${columns}.`;
  if (rows < minRowsForRules)
    return `A list with previews needs ${minRowsForRules} rows; this screen has ${rows}.`;
  return undefined;
}

/**
 * Returns a list's share of the width after the divider is dragged to a column, limited so that the list and its preview both stay visible.
 */
export function draggedShare(column: number, columns: number): number {
  return Math.min(0.8, Math.max(0.2, column / columns));
}
