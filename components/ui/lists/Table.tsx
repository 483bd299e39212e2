import { markText } from '../../../src/text/mark.ts';
import type { Matcher } from '../../../src/text/search/pattern.ts';
import { fitText, measureCharacter, pad } from '../../../src/text/width.ts';
import type { Cursor } from '../../kit/keys/cursor.ts';
import type { Role } from '../../kit/theme.ts';
import { useConsole } from '../../kit/use-console.ts';
import type { RowWrite } from '../forms/writes.ts';
import { moreArrows } from '../lines/counts.ts';
import { foldText } from '../lines/fold.ts';
import { matchRanges } from '../lines/found-parts.ts';
import { Line, type Part } from '../lines/Line.tsx';
import { TextLines } from '../lines/TextLines.tsx';
import {
  type Column,
  type FittedColumns,
  headingText,
  type NameColumn,
  padToWidth,
  rowParts,
} from './columns.ts';
import { fitColumns } from './list-layout.ts';
import { SpokenRow } from './SpokenRow.tsx';
import { noNeeds } from './seen-widths.ts';
import type { Sort } from './sort.ts';
import { visibleLines } from './table-lines.ts';

interface TableProps<T> {
  readonly name: NameColumn<T>;
  readonly columns: readonly Column<T>[];
  /** The columns with their final widths (default: as many as fit next to the name). */
  readonly fitted?: FittedColumns<T> | undefined;
  readonly length: number;
  rowAt(index: number): T | undefined;
  readonly cursor: Cursor;
  /** Returns the group of the row at an index. Omitted if the rows are not grouped. */
  readonly groupAt?: ((index: number) => string) | undefined;
  /** Returns whether a row is marked. If omitted, no row is marked, and the table has no column of marks. */
  isMarked?: ((row: T) => boolean) | undefined;
  /** Returns whether a row is new or changed. If omitted, no row counts as new or changed. */
  isFresh?: ((row: T) => boolean) | undefined;
  /** Returns the running or unsettled write of a row. If omitted, no row has a write. */
  findWrite?: ((row: T) => RowWrite | undefined) | undefined;
  /** The filter whose matches are highlighted in names. */
  readonly found?: Matcher | undefined;
  /** The column by which the rows are sorted, and the direction. */
  readonly sort?: Sort | undefined;
  /** Number of rows of the table, including the heading. */
  readonly height: number;
  /** The numbers of rows above and below the screen, shown at the end of the heading if no horizontal line can show them. */
  readonly edge?: string | undefined;
  /** The text for a table without rows, folded to its width. */
  readonly empty: string;
  /** Whether the heading is omitted, because the list has neither rows nor a filter. */
  readonly isEmpty?: boolean;
}

/** Returns the number of rows that fit below the heading. */
export function tableRows(height: number): number {
  return Math.max(1, height - 1);
}

/** The marks are ASCII, because terminals draw round marks in different widths, and a wide mark would shift the rest of the line. */
const mark = { marked: '* ', unmarked: '  ' };

/** Draws the visible rows of a table, each as one `Text` element. The selected row is a bar. */
export function Table<T>(props: TableProps<T>) {
  const { columns: width, redact, screen } = useConsole();
  const { length, cursor, height, empty, isEmpty = false, name, isMarked, sort } = props;
  const count = tableRows(height);
  const marks = isMarked === undefined ? 0 : mark.unmarked.length;
  const chosen = screen.isSpoken === true ? props.rowAt(cursor.index) : undefined;
  if (chosen !== undefined) {
    const where = { position: cursor.index + 1, length };
    return <SpokenRow {...props} {...where} row={chosen} isMarked={isMarked?.(chosen) ?? false} />;
  }
  const fitted = withoutMarks(
    props.fitted ?? fitColumns(width, { name, columns: props.columns, needs: noNeeds }),
    marks,
  );
  const drawn = visibleLines(props, count);
  const rows = drawn.map((line) => ('index' in line ? props.rowAt(line.index) : undefined));
  const names = rows.map((row) => (row === undefined ? '' : redact(name.cell(row))));
  const found = matchRanges(names, props.found);
  const lines = drawn.map((where, line) => {
    const row = rows[line];
    const isSelected = 'index' in where && where.index === cursor.index;
    const named = { text: names[line] ?? '', ranges: found[line] ?? [], role: nameRole(props, row) };
    const write = row === undefined ? undefined : props.findWrite?.(row);
    const cells = (of: T) =>
      write === undefined
        ? rowParts(named, fitted, of, redact)
        : writtenParts(named.text, write, width - marks);
    const heading = 'heading' in where ? [{ text: where.heading, role: 'title' } as const] : [];
    const parts = row === undefined ? heading : [...markParts(props, row), ...cells(row)];
    return (
      <Line
        // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node while rows move through it
        key={line}
        parts={isSelected ? padToWidth(parts, width) : parts}
        selected={isSelected}
      />
    );
  });
  const heading = withEdge(' '.repeat(marks) + headingText(name, fitted, sort), props.edge, width);
  return (
    <>
      {height > 1 && !isEmpty && <Line parts={[{ text: heading, role: 'dim' }]} />}
      {length > 0 ? (
        lines
      ) : (
        <TextLines lines={foldText(empty, width).slice(0, count)} usual={isEmpty ? 'plain' : 'dim'} />
      )}
    </>
  );
}

/** Returns the heading with text at its end. If the text does not fit, only its arrows are shown. */
function withEdge(heading: string, edge = '', width: number): string {
  if (edge === '') return heading;
  const words = heading.length + edge.length < width ? edge : moreArrows(edge);
  return `${pad(fitText(heading, width - words.length - 1), width - words.length)}${words}`;
}

/** Returns the style of a row's name: `fresh` for a new or changed row. */
function nameRole<T>({ name, isFresh }: TableProps<T>, row: T | undefined): Role {
  if (row === undefined) return 'plain';
  return isFresh?.(row) === true ? 'fresh' : (name.role?.(row) ?? 'plain');
}

/** Reduces the width of the name by the column of marks. */
function withoutMarks<T>(fitted: FittedColumns<T>, marks: number): FittedColumns<T> {
  return marks === 0 ? fitted : { ...fitted, nameWidth: Math.max(1, fitted.nameWidth - marks) };
}

/** Returns the parts of a row with a write: its name, which is already redacted, and the write instead of its other cells. */
function writtenParts(name: string, { words, hasFailed }: RowWrite, columns: number): Part[] {
  const room = Math.max(1, columns - measureCharacter(words) - 2);
  const shown = markText(name);
  return [
    { text: pad(fitText(shown, room), room), role: hasFailed ? 'plain' : 'dim' },
    { text: `  ${words}`, role: hasFailed ? 'fault' : 'badge' },
  ];
}

function markParts<T>({ isMarked }: TableProps<T>, row: T): Part[] {
  if (isMarked === undefined) return [];
  return isMarked(row) ? [{ text: mark.marked, role: 'badge' }] : [{ text: mark.unmarked }];
}
