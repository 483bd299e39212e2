import { markText } from '../../../src/text/mark.ts';
import type { Redact } from '../../../src/text/redact.ts';
import type { Range } from '../../../src/text/search/pattern.ts';
import { measureCharacter, pad } from '../../../src/text/width.ts';
import type { Role } from '../../kit/theme.ts';
import { highlightMatches } from '../lines/found-parts.ts';
import type { Part } from '../lines/Line.tsx';
import { sortArrow } from './list-words.ts';
import type { Sort } from './sort.ts';

/** A column after the name. Its cells can be untrusted data: the table escapes and shortens them. */
export interface Column<T> {
  /** The column's name, if it differs from the heading. */
  readonly id?: string;
  readonly heading: string;
  /** Width, in columns of the screen; the minimum width if `maxWidth` is set. */
  readonly width: number;
  /** Maximum width. If the screen has room, the column grows up to the width of its widest cell. */
  readonly maxWidth?: number;
  /** Width up to which the longest cell has priority over a preview. */
  readonly beforePreview?: number;
  readonly align?: 'left' | 'right';
  /** The column with the lowest importance is omitted first on a narrow screen. */
  readonly importance: number;
  /** Whether the column is shown only if a preview also fits, because the preview contains the same facts. */
  readonly isExtra?: boolean;
  /** Whether the column is hidden if no row has a cell for it. */
  readonly hidesEmpty?: boolean;
  cell(row: T): string;
  role?(row: T): Role;
  /** Returns the heading for a final width, for a column whose heading is a scale. */
  headingIn?(width: number): string;
  /** Returns the cell for a final width, in several styles (default: its text in one style). */
  parts?(row: T, width: number): readonly Part[];
  /**
   * Returns the milliseconds after which the cell's text can change although the row does not change; undefined if the text never changes.
   */
  lasts?(row: T): number | undefined;
}

/** The first column. It contains the names of the rows, which are untrusted data. */
export interface NameColumn<T> {
  readonly heading: string;
  cell(row: T): string;
  role?(row: T): Role;
  /** Whether the column gets the room that no other column needs, so that the last column is at the right edge. */
  readonly stretches?: boolean;
  /** Minimum width for short names (default: 24). */
  readonly least?: number;
}

/** Width of the gap between two columns of a table. */
export const gap = 2;

/** Returns the heading line, with an arrow at the sort column. */
export function headingText<T>(
  name: NameColumn<T>,
  { columns, nameWidth }: FittedColumns<T>,
  sort: Sort | undefined,
): string {
  const arrowAt = ({ heading }: { readonly heading: string }) =>
    heading === sort?.heading ? sortArrow(sort) : '';
  const first = pad(`${name.heading}${arrowAt(name)}`, nameWidth);
  const rest = columns.map((column) => {
    const { width, align } = column;
    const heading = column.headingIn?.(width) ?? column.heading;
    const arrow = arrowAt(column);
    // The arrow uses the gap between columns, because a heading can be as wide as its column.
    if (align === 'right') return pad(`${arrow}${heading}`, width + gap, 'right');
    const before = ' '.repeat(gap);
    if (heading.length + arrow.length > width)
      return pad(`${before.slice(arrow.length)}${arrow}${heading}`, width + gap);
    return pad(`${before}${heading}${arrow}`, width + gap);
  });
  return [first, ...rest].join('').trimEnd();
}

/** The name of a row, already redacted, and the ranges in it that match the filter. */
export interface NamedRow {
  readonly text: string;
  readonly ranges: readonly Range[];
  readonly role: Role;
}

/** Returns the parts of a row in the styles of its cells. */
export function rowParts<T>(
  name: NamedRow,
  { columns, nameWidth: width }: FittedColumns<T>,
  row: T,
  redact: Redact,
): Part[] {
  const names = highlightMatches(name.text, name.ranges, width, name.role);
  if (columns.length === 0) return names;
  const used = names.reduce((sum, { text }) => sum + measureCharacter(text), 0);
  const cells = columns.flatMap((column): readonly Part[] => {
    if (column.parts !== undefined)
      return padToWidth([{ text: ' '.repeat(gap) }, ...column.parts(row, column.width)], gap + column.width);
    const text = ' '.repeat(gap) + pad(markText(redact(column.cell(row))), column.width, column.align);
    return [column.role === undefined ? { text } : { text, role: column.role(row) }];
  });
  return [...names, { text: ' '.repeat(Math.max(0, width - used)) }, ...cells];
}

/** The columns of a table with their final widths, and the width of the name. */
export interface FittedColumns<T> {
  readonly columns: readonly Column<T>[];
  readonly nameWidth: number;
}

/** Pads a row with spaces to the full width. */
export function padToWidth(parts: readonly Part[], room: number): Part[] {
  const used = parts.reduce((sum, { text }) => sum + measureCharacter(text), 0);
  return [...parts, { text: ' '.repeat(Math.max(0, room - used)) }];
}
