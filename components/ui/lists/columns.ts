import type { Range } from '../../../src/text/search/pattern.ts';
import { columnsOf, pad } from '../../../src/text/width.ts';
import type { Surface } from '../../kit/surface.ts';
import type { Role } from '../../kit/theme.ts';
import { foundParts } from '../lines/found-parts.ts';
import type { Part } from '../lines/Line.tsx';
import { sortArrow } from './list-words.ts';
import type { Sort } from './sort.ts';

/** One column behind the name. Its cells are ours, or escaped; the table cuts them. */
export interface Column<T> {
  readonly heading: string;
  readonly width: number;
  readonly align?: 'left' | 'right';
  /** Where there is not room for all, the column with the lowest goes first. */
  readonly importance: number;
  cell(row: T): string;
  role?(row: T): Role;
  /** Milliseconds after which its cell can read otherwise though nothing was read; undefined where it never does. */
  lasts?(row: T): number | undefined;
}

/** The first column, with the name of a row: outside data. It takes the remaining room. */
export interface NameColumn<T> {
  readonly heading: string;
  cell(row: T): string;
}

/** Columns of the screen that the name keeps, before other columns go. */
const leastName = 24;

const gap = 2;

/** The columns that fit next to the name, in their order. */
export function fittingColumns<T>(columns: readonly Column<T>[], room: number): readonly Column<T>[] {
  const fits = (some: readonly Column<T>[]) => nameWidth(some, room) >= leastName;
  let kept = columns;
  while (kept.length > 0 && !fits(kept)) {
    const least = Math.min(...kept.map(({ importance }) => importance));
    kept = kept.filter(({ importance }) => importance !== least);
  }
  return kept;
}

/** Columns of the screen that are left for the name. */
export function nameWidth<T>(columns: readonly Column<T>[], room: number): number {
  return columns.reduce((left, { width }) => left - width - gap, room);
}

/** The line above the rows, with an arrow at the column that they are sorted by. */
export function headingText<T>(
  name: NameColumn<T>,
  columns: readonly Column<T>[],
  room: number,
  sort: Sort | undefined,
): string {
  const arrowOf = ({ heading }: { readonly heading: string }) =>
    heading === sort?.heading ? sortArrow(sort) : '';
  const first = pad(`${name.heading}${arrowOf(name)}`, nameWidth(columns, room));
  const others = columns.map((column) => {
    const { heading, width, align } = column;
    const arrow = arrowOf(column);
    // The arrow is in the gap: a heading can be as wide as its column.
    if (align === 'right') return pad(`${arrow}${heading}`, width + gap, 'right');
    const before = ' '.repeat(gap);
    if (heading.length + arrow.length > width)
      return pad(`${before.slice(arrow.length)}${arrow}${heading}`, width + gap);
    return pad(`${before}${heading}${arrow}`, width + gap);
  });
  return [first, ...others].join('').trimEnd();
}

/** The text of the name of a row, redacted, and where something was found in it. */
export interface NamedRow {
  readonly text: string;
  readonly ranges: readonly Range[];
  /** Whether it stands out for a moment. */
  readonly isFresh: boolean;
}

/** A row in the styles of its cells. */
export function rowParts<T>(
  name: NamedRow,
  columns: readonly Column<T>[],
  row: T,
  { columns: room, redact }: Surface,
): Part[] {
  const width = nameWidth(columns, room);
  const names = foundParts(name.text, name.ranges, width, name.isFresh ? 'fresh' : 'plain');
  if (columns.length === 0) return names;
  const used = names.reduce((sum, { text }) => sum + columnsOf(text), 0);
  const cells = columns.map((column): Part => {
    const text = ' '.repeat(gap) + pad(redact(column.cell(row)), column.width, column.align);
    return column.role === undefined ? { text } : { text, role: column.role(row) };
  });
  return [...names, { text: ' '.repeat(Math.max(0, width - used)) }, ...cells];
}

/** A row as wide as the room. */
export function barParts(parts: readonly Part[], room: number): Part[] {
  const used = parts.reduce((sum, { text }) => sum + columnsOf(text), 0);
  return [...parts, { text: ' '.repeat(Math.max(0, room - used)) }];
}
