import type { Matcher } from '../../../src/text/search/pattern.ts';
import { type Cursor, firstVisibleRow } from '../../kit/keys/cursor.ts';
import { useConsole } from '../../kit/use-console.ts';
import { foldText } from '../lines/fold.ts';
import { matchRanges } from '../lines/found-parts.ts';
import { Line, type Part } from '../lines/Line.tsx';
import {
  type Column,
  fittingColumns,
  headingText,
  type NameColumn,
  padToWidth,
  rowParts,
} from './columns.ts';
import { SpokenRow } from './SpokenRow.tsx';
import type { Sort } from './sort.ts';

interface TableProps<T> {
  readonly name: NameColumn<T>;
  readonly columns: readonly Column<T>[];
  readonly length: number;
  rowAt(index: number): T | undefined;
  readonly cursor: Cursor;
  /** Whether a row is marked; undefined if no row is, and then there is no column of marks. */
  isMarked?: ((row: T) => boolean) | undefined;
  /** Whether a row is new or changed; undefined if no row is. */
  isFresh?: ((row: T) => boolean) | undefined;
  /** The filter whose matches are highlighted in names. */
  readonly found?: Matcher | undefined;
  /** The heading of the column by which the rows are sorted. */
  readonly sort?: Sort | undefined;
  /** Rows of the screen, including the heading. */
  readonly height: number;
  /** The text shown if there are no rows, folded to the screen. */
  readonly empty: string;
  /** Whether another pane has the focus: then the selected row is only highlighted. */
  readonly isAside?: boolean;
}

/** Returns the number of rows that fit below the heading. */
export function tableRows(height: number): number {
  return Math.max(1, height - 1);
}

/** ASCII, because terminals draw round marks in different widths, which would shift the rest of the line. */
const mark = { marked: '* ', unmarked: '  ' };

/** Draws a table: only the rows on the screen, each as one Text; the selected row is a bar. */
export function Table<T>(props: TableProps<T>) {
  const { columns: width, redact, screen } = useConsole();
  const { length, cursor, height, empty, name, isMarked, sort, isAside = false } = props;
  const count = tableRows(height);
  const top = firstVisibleRow(cursor, length, count);
  const marks = isMarked === undefined ? 0 : mark.unmarked.length;
  const chosen = screen.isSpoken === true ? props.rowAt(cursor.index) : undefined;
  if (chosen !== undefined) {
    const where = { position: cursor.index + 1, length };
    return <SpokenRow {...props} {...where} row={chosen} isMarked={isMarked?.(chosen) ?? false} />;
  }
  const columns = fittingColumns(props.columns, width - marks);
  const surface = { columns: width - marks, redact };
  const rows = Array.from({ length: Math.min(count, length - top) }, (_, line) => props.rowAt(top + line));
  const names = rows.map((row) => (row === undefined ? '' : redact(name.cell(row))));
  const found = matchRanges(names, props.found);
  const lines = rows.map((row, line) => {
    const isSelected = top + line === cursor.index;
    const isFresh = row !== undefined && props.isFresh?.(row) === true;
    const named = { text: names[line] ?? '', ranges: found[line] ?? [], isFresh };
    const parts =
      row === undefined ? [] : [...markParts(props, row), ...rowParts(named, columns, row, surface)];
    return (
      <Line
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node while rows move through it
        key={line}
        parts={isAside ? asideParts(parts, isSelected) : isSelected ? padToWidth(parts, width) : parts}
        selected={isSelected && !isAside}
      />
    );
  });
  const heading = ' '.repeat(marks) + headingText(name, columns, width - marks, sort);
  return (
    <>
      {height > 1 && <Line parts={[{ text: heading, role: 'dim' }]} />}
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

function markParts<T>({ isMarked }: TableProps<T>, row: T): Part[] {
  if (isMarked === undefined) return [];
  return isMarked(row) ? [{ text: mark.marked, role: 'badge' }] : [{ text: mark.unmarked }];
}

function asideParts(parts: readonly Part[], isSelected: boolean): Part[] {
  return parts.map(({ text }) => ({ text, role: isSelected ? 'title' : 'dim' }));
}
