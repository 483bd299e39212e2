import type { Region, ScreenSize } from '../../kit/surface.ts';
import { borderColumns, framedRegion, minColumnsFor, wholeRegion } from '../layout/layout.ts';
import { type Column, type FittedColumns, gap, type NameColumn } from './columns.ts';
import type { Needs } from './seen-widths.ts';

/** The regions of a list, of its preview and of the details, and the columns of the list. */
export interface ListLayout<T> extends FittedColumns<T> {
  readonly main: Region;
  readonly preview?: Region | undefined;
  readonly details?: Region | undefined;
}

/** The columns and regions of a list on a screen with room for all of them. */
export interface ListContent<T> {
  readonly name: NameColumn<T>;
  readonly columns: readonly Column<T>[];
  /** The widths that the rows of the list need. */
  readonly needs: Needs;
  readonly hasPreview: boolean;
  readonly hasDetails: boolean;
  /** The list's share of the width, if the user has dragged the divider. */
  readonly share?: number | undefined;
}

/**
 * Minimum width, in columns, of the name, the preview and the details. The columns of the preview and of the details include their borders.
 */
const minimum = { name: 24, preview: 40, details: 40 } as const;

/**
 * Minimum width, in columns, of a preview next to a list with columns that get room before the preview (`beforePreview`). Such a preview
 * grows to the comfortable minimum before names get more than their minimum.
 */
const minBesideWhole = 36;

/** The comfortable minimum width, in columns, of such a preview: most values fit next to their labels. */
const comfortableBesideWhole = 38;

/** Width, in columns, that is added to the minimum of a preview (`leastPreview`) and of the details before extra columns are shown. */
const moreFor = { preview: 20, details: 16 } as const;

/** Width, in columns, up to which a preview grows before the list's columns grow. */
const comfortablePreview = 52;

/** Maximum width, in columns, of the details; the preview gets the rest. */
const roomyDetails = 64;

/** A column or region that needs room. The order of the claims does not depend on the screen's width. */
type Claim<T> =
  | { readonly column: Column<T>; readonly cost: number }
  | { readonly part: 'preview' | 'roomier' | 'details' | 'name' | 'extra'; readonly cost: number };

/** The granted claims, and the remaining columns of the screen. */
interface Granted<T> {
  readonly columns: ReadonlySet<Column<T>>;
  readonly parts: ReadonlySet<string>;
  readonly left: number;
}

/**
 * Divides the width of a screen: the list gets the room that its columns need, and the preview gets the rest. Claims are granted in a fixed
 * order until a claim does not fit, so that a wider screen never shows fewer columns and never loses its preview.
 */
export function divideList<T>(screen: ScreenSize, content: ListContent<T>): ListLayout<T> {
  const layout = divideWidth(screen, content);
  if (content.name.stretches !== true) return layout;
  const used = layout.columns.reduce((sum, { width }) => sum + gap + width, layout.nameWidth);
  return { ...layout, nameWidth: layout.nameWidth + Math.max(0, layout.main.columns - used) };
}

function divideWidth<T>(screen: ScreenSize, content: ListContent<T>): ListLayout<T> {
  const whole = wholeRegion(screen);
  const { share } = content;
  if (!whole.isFramed) return { main: whole, ...fitBare(whole.columns, screen, content) };
  if (content.hasPreview && share !== undefined) return divideByShare(screen, content, share);
  return content.hasPreview ? divideClaims(screen, wholeColumns(content)) : divideClaims(screen, content);
}

/** Returns the content with the widths that columns with `beforePreview` get before the preview. */
function wholeColumns<T>(content: ListContent<T>): ListContent<T> {
  const columns = content.columns.map((column) => {
    const { beforePreview = 0, width } = column;
    return { ...column, width: Math.max(width, Math.min(beforePreview, grownWidth(column, content.needs))) };
  });
  return { ...content, columns };
}

/** Returns the minimum width, in columns, of a preview next to a list. */
function leastPreview<T>({ columns }: Pick<ListContent<T>, 'columns'>): number {
  return columns.some(({ beforePreview }) => beforePreview !== undefined) ? minBesideWhole : minimum.preview;
}

function divideClaims<T>(screen: ScreenSize, content: ListContent<T>): ListLayout<T> {
  const whole = wholeRegion(screen);
  const { columns } = screen;
  const cap = Math.floor(columns * 0.4) - leastName(content);
  const forName = Math.max(0, Math.min(content.needs.name.usual - leastName(content), cap));
  const granted = grant(claims(content, forName), columns - borderColumns - leastName(content), columns);
  const hasPreview = granted.parts.has('preview');
  const least = leastPreview(content);
  const roomier = Math.max(least, comfortableBesideWhole);
  const basis = granted.parts.has('roomier') ? roomier : least;
  const grown = growColumns(content, granted, {
    first: hasPreview ? roomier - basis : 0,
    usual: hasPreview ? forName : nameNeed(content),
    max: hasPreview ? Math.min(cap, nameNeed(content)) : nameNeed(content),
    reserved: hasPreview && !granted.parts.has('extra') ? comfortablePreview - roomier : 0,
  });
  if (!hasPreview) return { main: whole, ...grown.fitted };
  const { preview, details } = divideRest(granted.parts, grown.left, {
    least: basis,
    roomy: leastPreview(content) + moreFor.preview,
  });
  const list = columns - preview - details;
  return {
    main: framedRegion(0, list),
    preview: framedRegion(list, preview),
    ...(details > 0 && { details: framedRegion(list + preview, details) }),
    ...grown.fitted,
  };
}

/** Returns the columns that fit next to the name in a table of `room` columns. */
export function fitColumns<T>(
  room: number,
  content: Pick<ListContent<T>, 'name' | 'columns' | 'needs'>,
): FittedColumns<T> {
  return fitBare(room, undefined, { ...content, hasPreview: false, hasDetails: false });
}

/**
 * Fits the columns of a list without borders. A screen that is too narrow for borders shows only the columns that would fit with borders on
 * the narrowest screen that has borders.
 */
function fitBare<T>(room: number, screen: ScreenSize | undefined, content: ListContent<T>): FittedColumns<T> {
  const below = minColumnsFor.borders;
  const isNarrow = screen !== undefined && screen.columns < below;
  const counted = isNarrow ? Math.min(room, below - borderColumns) : room;
  const { columns, left } = grant(claims(content, 0), counted - leastName(content), 0);
  const rest = { columns, parts: new Set<string>(), left: left + room - counted };
  const usual = Math.max(0, content.needs.name.usual - leastName(content));
  const grown = growColumns(content, rest, { first: 0, usual, max: nameNeed(content), reserved: 0 });
  const { columns: shown, nameWidth } = grown.fitted;
  return widenColumns(shown, nameWidth + grown.left, content);
}

/** Widens the columns by the room that the name does not need, most important columns first. */
function widenColumns<T>(
  shown: readonly Column<T>[],
  nameWidth: number,
  { name, needs }: Pick<ListContent<T>, 'name' | 'needs'>,
): FittedColumns<T> {
  let spare = Math.max(0, nameWidth - Math.max(needs.name.max, name.heading.length + 1));
  const widths = new Map<Column<T>, number>();
  for (const column of shown.toSorted((one, other) => other.importance - one.importance)) {
    const more = Math.min(spare, Math.max(0, grownWidth(column, needs) - column.width));
    spare -= more;
    nameWidth -= more;
    widths.set(column, column.width + more);
  }
  const columns = shown.map((column) => ({ ...column, width: widths.get(column) ?? column.width }));
  // Unneeded room goes to the end of the row, so that the columns stay next to the names.
  const isKnown = needs.name.max > 0 && columns.length > 0;
  return {
    columns,
    nameWidth: isKnown ? Math.min(nameWidth, Math.max(leastName({ name }), needs.name.max)) : nameWidth,
  };
}

/** Divides the width at the divider that the user has dragged. */
function divideByShare<T>(screen: ScreenSize, content: ListContent<T>, share: number): ListLayout<T> {
  const list = Math.round(screen.columns * share);
  const rest = screen.columns - list;
  const hasDetails =
    content.hasDetails &&
    screen.columns >= minColumnsFor.details &&
    rest >= minimum.preview + minimum.details;
  const details = hasDetails ? Math.floor(rest * 0.45) : 0;
  return {
    main: framedRegion(0, list),
    preview: framedRegion(list, rest - details),
    ...(hasDetails && { details: framedRegion(list + rest - details, details) }),
    ...fitColumns(list - borderColumns, content),
  };
}

/** Returns the number of columns of the screen that the longest name needs beyond the minimum. */
function nameNeed<T>({ name, needs }: Pick<ListContent<T>, 'name' | 'needs'>): number {
  return Math.max(0, needs.name.max - leastName({ name }));
}

/** Returns the minimum width of the name column. */
function leastName<T>({ name }: Pick<ListContent<T>, 'name'>): number {
  return name.least ?? minimum.name;
}

/** Returns the claims for room beyond the minimum width of the name, most important first. */
function claims<T>(content: ListContent<T>, forName: number): readonly Claim<T>[] {
  const { columns, needs, hasPreview, hasDetails } = content;
  const ranked = columns.toSorted((one, other) => other.importance - one.importance);
  const isLast = ({ isExtra = false }: Column<T>) => hasPreview && isExtra;
  const forPreview = leastPreview(content);
  return [
    ...ranked
      .filter((column) => !isLast(column))
      .map((column) => ({ column, cost: leastWidth(column, needs) + gap })),
    ...(hasPreview ? [{ part: 'preview', cost: forPreview } as const] : []),
    ...(hasPreview
      ? [{ part: 'roomier', cost: Math.max(0, comfortableBesideWhole - forPreview) } as const]
      : []),
    ...(hasPreview && hasDetails ? [{ part: 'details', cost: minimum.details } as const] : []),
    ...(hasPreview ? [{ part: 'name', cost: Math.max(0, forName) } as const] : []),
    ...(hasPreview && (hasDetails || ranked.some(isLast))
      ? [
          {
            part: 'extra',
            cost:
              moreFor.preview -
              Math.max(0, comfortableBesideWhole - forPreview) +
              (hasDetails ? moreFor.details : 0),
          } as const,
        ]
      : []),
    ...ranked.filter(isLast).map((column) => ({ column, cost: grownWidth(column, needs) + gap })),
  ];
}

/** Grants claims in order until a claim does not fit. If `screenColumns` is 0, grants only columns, no regions. */
function grant<T>(wanted: readonly Claim<T>[], room: number, screenColumns: number): Granted<T> {
  const columns = new Set<Column<T>>();
  const parts = new Set<string>();
  let left = room;
  for (const claim of wanted) {
    const isTooEarly =
      'part' in claim &&
      (screenColumns === 0 || (claim.part === 'details' && screenColumns < minColumnsFor.details));
    if (isTooEarly || claim.cost > left) break;
    left -= claim.cost;
    if ('column' in claim) columns.add(claim.column);
    else parts.add(claim.part);
  }
  return { columns, parts, left };
}

/** Returns the minimum width of a column. A column with `maxWidth` is not wider than its content and heading require. */
function leastWidth<T>({ heading, width, maxWidth }: Column<T>, needs: Needs): number {
  if (maxWidth === undefined) return width;
  return Math.min(width, Math.max(heading.length, needs.columns.get(heading) ?? 0));
}

/** Returns the width that a column needs for its longest cell. */
function grownWidth<T>(column: Column<T>, needs: Needs): number {
  const { heading, width, maxWidth = width } = column;
  return Math.min(maxWidth, Math.max(leastWidth(column, needs), needs.columns.get(heading) ?? 0));
}

/**
 * Columns of the screen by which the name column can grow beyond its minimum, for names of usual length (`usual`) and for the longest name
 * (`max`), and columns for the preview: before the name column grows (`first`), and after it has its usual width (`reserved`).
 */
interface Growth {
  readonly first: number;
  readonly usual: number;
  readonly max: number;
  readonly reserved: number;
}

/** Distributes the remaining room: first to a narrow preview, then to names of usual length, then to the columns, then to long names. */
function growColumns<T>(
  { name, columns, needs }: ListContent<T>,
  granted: Granted<T>,
  { first, usual, max, reserved }: Growth,
): { readonly fitted: FittedColumns<T>; readonly left: number } {
  const isClaimed = granted.parts.has('name');
  const forFirst = Math.min(first, granted.left);
  const afterFirst = granted.left - forFirst;
  const forUsual = isClaimed ? usual : Math.min(afterFirst, usual);
  const unclaimed = afterFirst - (isClaimed ? 0 : forUsual);
  const forPreview = Math.min(reserved, unclaimed);
  let left = unclaimed - forPreview;
  const shown = columns.filter((column) => granted.columns.has(column));
  const widths = new Map<Column<T>, number>();
  for (const column of shown.toSorted((one, other) => other.importance - one.importance)) {
    const least = leastWidth(column, needs);
    const grown = grownWidth(column, needs) - least;
    // The whole width of an extra column was granted together with its claim.
    const claimed = granted.parts.has('extra') && column.isExtra === true ? grown : 0;
    const more = claimed + Math.min(left, grown - claimed);
    left -= more - claimed;
    widths.set(column, least + more);
  }
  const forMax = Math.min(left, Math.max(0, max - forUsual));
  const fitted = shown.map((column) => ({ ...column, width: widths.get(column) ?? column.width }));
  return {
    fitted: { columns: fitted, nameWidth: leastName({ name }) + forUsual + forMax },
    left: left - forMax + forPreview + forFirst,
  };
}

/** Returns the widths of the preview and the details, with the remaining width divided between them. */
function divideRest(
  parts: ReadonlySet<string>,
  rest: number,
  { least, roomy }: { readonly least: number; readonly roomy: number },
) {
  const isRoomy = parts.has('extra');
  const forPreview = isRoomy ? roomy : least;
  if (!parts.has('details')) return { preview: forPreview + rest, details: 0 };
  const forDetails = minimum.details + (isRoomy ? moreFor.details : 0);
  const added = Math.max(0, Math.min(roomyDetails - forDetails, Math.ceil(rest / 2)));
  return { preview: forPreview + rest - added, details: forDetails + added };
}
