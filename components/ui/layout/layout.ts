import type { Region, ScreenSize } from '../../kit/surface.ts';

/** Minimum columns for borders around a pane, and for a third region next to a list and its preview. */
export const minColumnsFor = { borders: 100, details: 160 } as const;

/** Minimum rows for borders. A screen with fewer rows has one region without rules. */
export const minRowsForRules = 16;

/** The smallest screen on which panes are drawn. */
export const minScreen = { columns: 40, rows: 10 } as const;

/** Rows of the header. */
export const headerRows = 2;

/** Columns of a border and its padding, on both sides. */
export const borderColumns = 4;

/** Returns the rows between header and footer on a screen of this height. */
export function bodyHeight(rows: number): number {
  return Math.max(1, rows - 3 - (rows >= minRowsForRules ? 2 : 0));
}

/** Returns the whole width of a screen as one region, with borders if there is room. */
export function wholeRegion(screen: ScreenSize): Region {
  const { columns } = screen;
  return noBordersReason(screen) === undefined
    ? framedRegion(0, columns)
    : { left: 0, width: columns, columns, isFramed: false };
}

/** Returns a region with borders. */
export function framedRegion(left: number, width: number): Region {
  return { left, width, columns: width - borderColumns, isFramed: true };
}

/** Returns why a screen has only one region; undefined if the screen has room for several regions. */
export function noBordersReason({ columns, rows, isSpoken = false }: ScreenSize): string | undefined {
  if (isSpoken) return 'There are no previews for a screen reader, which reads one pane at a time.';
  if (columns < minColumnsFor.borders)
    return `Next to a list, they need ${minColumnsFor.borders} columns; this screen has ${columns}.`;
  if (rows < minRowsForRules)
    return `Next to a list, they need ${minRowsForRules} rows; this screen has ${rows}.`;
  return undefined;
}

/** Returns a list's share of the width after its border is dragged to a column. The share is limited: the list and its preview both stay
 * visible. */
export function draggedShare(column: number, columns: number): number {
  return Math.min(0.8, Math.max(0.2, column / columns));
}
