import { type HelpPage, pageLength } from './help-layout.ts';

/** The state of the help: the search, the selected entry, and the first line on the screen. */
export interface HelpState {
  readonly search: string;
  /** The entry selected by the user; undefined if the best match of the search is selected. */
  readonly entry: number | undefined;
  readonly top: number;
}

export const helpStart: HelpState = { search: '', entry: undefined, top: 0 };

/** A movement of the selection in the help. */
export type HelpMove = 'up' | 'down' | 'page-up' | 'page-down' | 'next-group' | 'previous-group';

/** The column of an entry, and the range of its lines; the end is exclusive. */
interface PlacedEntry {
  readonly column: number;
  readonly from: number;
  readonly to: number;
}

/** Returns the position of an entry; undefined if the page does not contain the entry. */
function placeEntry({ columns }: HelpPage, entry: number): PlacedEntry | undefined {
  for (const [column, lines] of columns.entries()) {
    const from = lines.findIndex((line) => line.entry === entry);
    if (from !== -1) return { column, from, to: lines.findLastIndex((line) => line.entry === entry) + 1 };
  }
  return undefined;
}

/** Returns the index of the selected entry after a move. `height` is the number of lines on the screen. */
export function moveInHelp(page: HelpPage, entry: number, move: HelpMove, height: number): number {
  const last = page.entries.length - 1;
  const clamp = (index: number) => Math.max(0, Math.min(index, last));
  switch (move) {
    case 'up':
      return clamp(entry - 1);
    case 'down':
      return clamp(entry + 1);
    case 'next-group':
      return page.groupStarts.find((start) => start > entry) ?? clamp(page.groupStarts[0] ?? 0);
    case 'previous-group':
      return page.groupStarts.findLast((start) => start < entry) ?? clamp(page.groupStarts.at(-1) ?? 0);
    case 'page-up':
      return clamp(Math.min(entryNear(page, entry, 1 - height), entry - 1));
    case 'page-down':
      return clamp(Math.max(entryNear(page, entry, height - 1), entry + 1));
  }
}

/**
 * Returns the entry that is `lines` lines below `entry` in the same column (above `entry` if `lines` is negative), or the last entry in
 * that direction.
 */
function entryNear(page: HelpPage, entry: number, lines: number): number {
  const placed = placeEntry(page, entry);
  if (placed === undefined) return entry;
  const column = page.columns[placed.column] ?? [];
  const target = placed.from + lines;
  const found =
    lines < 0
      ? column.find((line, index) => line.entry !== undefined && index >= target)
      : column.findLast((line, index) => line.entry !== undefined && index <= target);
  return found?.entry ?? entry;
}

/**
 * Returns the index of the first line to draw. Keeps the selected entry visible: the first entry of a group together with its heading, and
 * the last entry of a column together with the lines below.
 */
export function firstHelpLine(page: HelpPage, entry: number, top: number, height: number): number {
  const highest = Math.max(0, pageLength(page) - height);
  const placed = placeEntry(page, entry);
  if (placed === undefined) return Math.min(top, highest);
  const lines = page.columns[placed.column] ?? [];
  const isFirst = lines[placed.from - 1]?.entry === undefined;
  const from = isFirst ? Math.max(0, placed.from - 1) : placed.from;
  const isLast = lines.slice(placed.to).every(({ entry: other }) => other === undefined);
  const to = isLast ? Math.min(lines.length, from + height) : placed.to;
  return Math.max(0, Math.min(from, Math.max(to - height, Math.min(top, highest))));
}
