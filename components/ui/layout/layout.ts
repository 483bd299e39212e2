import type { OpenPane } from '../../kit/open-pane.ts';
import type { Region, ScreenSize } from '../../kit/surface.ts';

/** The regions of a screen: the present list, the preview of its selected item, and the parent list. */
export interface Layout {
  readonly main: Region;
  readonly preview?: Region;
  readonly parent?: Region;
}

/** Minimum columns for a preview, and for the parent list as well. */
export const minColumnsFor = { preview: 100, parent: 160 } as const;

/** Minimum rows for borders. Below this, there is one region without rules. */
export const minRowsForRules = 16;

/** The smallest screen on which panes are drawn. */
export const minScreen = { columns: 40, rows: 10 } as const;

/** Rows of the header. */
export const headerRows = 2;

/** Returns the rows between header and footer on a screen of this height. */
export function bodyHeight(rows: number): number {
  return Math.max(1, rows - 3 - (rows >= minRowsForRules ? 2 : 0));
}

/** Returns the regions of a screen of this size, for a pane with or without a preview and a parent list. */
export function computeLayout(
  screen: ScreenSize,
  has: { readonly preview: boolean; readonly parent: boolean },
  share = mainShare,
): Layout {
  const { columns } = screen;
  if (noPreviewReason(screen) !== undefined) {
    return { main: { left: 0, width: columns, columns, isFramed: false, isParent: false } };
  }
  const parent =
    has.parent && columns >= minColumnsFor.parent
      ? { ...framedRegion(0, parentWidth(columns)), isParent: true }
      : undefined;
  const left = parent?.width ?? 0;
  const width = has.preview ? Math.ceil((columns - left) * share) : columns - left;
  return {
    main: framedRegion(left, width),
    ...(has.preview && { preview: framedRegion(left + width, columns - left - width) }),
    ...(parent && { parent }),
  };
}

/** Returns why a screen has no preview; undefined if it has room. */
export function noPreviewReason({ columns, rows, isSpoken = false }: ScreenSize): string | undefined {
  if (isSpoken) return 'A screen reader gets no preview: it reads one pane at a time.';
  if (columns < minColumnsFor.preview)
    return `A preview needs ${minColumnsFor.preview} columns; this screen has ${columns}.`;
  if (rows < minRowsForRules) return `A preview needs ${minRowsForRules} rows; this screen has ${rows}.`;
  return undefined;
}

/** The list's default share of the width that it divides with the preview. The user can drag the line between them. */
export const mainShare = 0.5;

/** Returns the share of the list for a divider in a column, limited so that both stay visible. */
export function shareForColumn(column: number, { main, preview }: Layout): number {
  const width = main.width + (preview?.width ?? 0);
  return Math.min(0.8, Math.max(0.2, (column - main.left) / width));
}

function parentWidth(columns: number): number {
  return Math.min(44, Math.floor(columns * 0.18));
}

/** Columns of a border and its padding, on both sides. */
const borderColumns = 4;

function framedRegion(left: number, width: number): Region {
  return { left, width, columns: width - borderColumns, isFramed: true, isParent: false };
}

const panesWithPreview: ReadonlySet<OpenPane['pane']> = new Set<OpenPane['pane']>([
  'undo',
  'namespaces',
  'keys',
  'differences',
  'buckets',
  'objects',
  'hostnames',
  'diagnoses',
  'forecast',
  'records',
  'plan',
  'workers',
  'tasks',
]);

/** Whether the rows of a pane have previews. */
export function hasPreview({ pane }: OpenPane): boolean {
  return panesWithPreview.has(pane);
}

/** Returns the index of the parent list in the stack; -1 if there is none. */
export function parentDepth(openPanes: readonly OpenPane[]): number {
  return openPanes.slice(0, -1).findLastIndex(hasPreview);
}
