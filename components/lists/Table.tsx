import type { Matcher, Range } from '../../src/text/pattern.ts';
import { pad } from '../../src/text/width.ts';
import type { Surface } from '../console/surface.ts';
import type { Role } from '../console/theme.ts';
import { useConsole } from '../console/use-console.ts';
import { foldText } from '../viewer/fold.ts';
import { foundParts, rangesIn } from '../widgets/found-parts.ts';
import { Line, type Part } from '../widgets/Line.tsx';
import { type Cursor, topOf } from './cursor.ts';
import { sortArrow } from './list-words.ts';
import type { Sort } from './sort.ts';

/** One column before the last. Its cells are ours, or escaped; the table cuts them. */
export interface Column<T> {
  readonly heading: string;
  readonly width: number;
  readonly align?: 'left' | 'right';
  cell(row: T): string;
  role?(row: T): Role;
}

interface TableProps<T> {
  readonly columns: readonly Column<T>[];
  /** The last column: text from outside, so that no doubt about its width moves another. */
  readonly last: { readonly heading: string; cell(row: T): string };
  readonly length: number;
  rowAt(index: number): T | undefined;
  readonly cursor: Cursor;
  /** Tells the rows that are marked; left out while none is, and then there is no column of marks. */
  isMarked?: ((row: T) => boolean) | undefined;
  /** What the filter is looking for: it is marked where it is drawn. */
  readonly found?: Matcher | undefined;
  readonly sort?: Sort | undefined;
  /** Rows of the screen, the heading among them. */
  readonly height: number;
  /** The text shown when there are no rows, folded to the screen. */
  readonly empty: string;
}

/** Rows that the table can show below its heading. */
export function tableRows(height: number): number {
  return Math.max(1, height - 1);
}

/** A table that draws only the rows on the screen, one unpadded Text each; only the selected row is filled. */
export function Table<T>(props: TableProps<T>) {
  const { columns: width, redact } = useConsole();
  const { length, cursor, height, empty } = props;
  const count = tableRows(height);
  const top = topOf(cursor, length, count);
  const rows = Array.from({ length: Math.min(count, length - top) }, (_, line) => props.rowAt(top + line));
  const texts = rows.map((row) => (row === undefined ? '' : redact(props.last.cell(row))));
  const found = rangesIn(texts, props.found);
  const lines = rows.map((row, line) => {
    const last = { text: texts[line] ?? '', ranges: found[line] ?? [] };
    const selected = top + line === cursor.index;
    return (
      <Line
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node while rows move through it
        key={line}
        parts={row === undefined ? [] : rowParts(props, row, last, { columns: width, redact }, selected)}
        selected={selected}
      />
    );
  });
  return (
    <>
      {height > 1 && <Line parts={[{ text: heading(props), role: 'dim' }]} />}
      {length === 0 ? emptyLines(empty, width, count) : lines}
    </>
  );
}

function emptyLines(empty: string, width: number, count: number) {
  return foldText(empty, width)
    .slice(0, count)
    .map((text, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: lines of one text
      <Line key={index} parts={[{ text, role: 'dim' }]} />
    ));
}

/** In ASCII on every terminal: others have different widths for round marks, and would move what stands behind. */
const mark = { marked: '* ', unmarked: '  ' };

function heading<T>({ columns, last, isMarked, sort }: TableProps<T>): string {
  const arrow = sort === undefined ? '' : sortArrow(sort);
  const headings = columns.map(({ heading, width, align }) =>
    // The arrow stands in the gap: a heading can be as wide as its column.
    heading === sort?.heading
      ? `${pad(`${heading}${arrow}`, width + 1, align)} `
      : `${pad(heading, width, align)}  `,
  );
  const name = last.heading === sort?.heading ? `${last.heading}${arrow}` : last.heading;
  return `${isMarked === undefined ? '' : mark.unmarked}${headings.join('')}${name}`;
}

function markParts<T>({ isMarked }: TableProps<T>, row: T): Part[] {
  if (isMarked === undefined) return [];
  return isMarked(row) ? [{ text: mark.marked, role: 'badge' }] : [{ text: mark.unmarked }];
}

/** The text of the last column, and what was found in it. */
interface LastCell {
  readonly text: string;
  readonly ranges: readonly Range[];
}

function rowParts<T>(
  props: TableProps<T>,
  row: T,
  last: LastCell,
  { columns, redact }: Surface,
  selected: boolean,
): Part[] {
  const cells = props.columns.map((column): Part => {
    const text = `${pad(redact(column.cell(row)), column.width, column.align)}  `;
    return column.role === undefined ? { text } : { text, role: column.role(row) };
  });
  const fixed = [...markParts(props, row), ...cells];
  const used = fixed.reduce((sum, part) => sum + part.text.length, 0);
  const room = Math.max(1, columns - used);
  const rest = foundParts(last.text, last.ranges, room);
  if (!selected) return [...fixed, ...rest];
  const text = rest.map((part) => part.text).join('');
  const filled = pad(text, room).slice(text.length);
  return [...fixed, ...rest, { text: filled }];
}
