import { markText } from '../../../src/text/mark.ts';
import { groupDigits } from '../../../src/text/size.ts';
import { useConsole } from '../../kit/use-console.ts';
import { Line } from '../lines/Line.tsx';
import type { Column, NameColumn } from './columns.ts';

interface SpokenRowProps<T> {
  readonly name: NameColumn<T>;
  readonly columns: readonly Column<T>[];
  readonly row: T;
  /** The row's number, starting at 1, and the total. */
  readonly position: number;
  readonly length: number;
  readonly isMarked: boolean;
}

/** Draws the selected row of a table for a screen reader: its position, its name, and its cells with their headings. */
export function SpokenRow<T>({ name, columns, row, position, length, isMarked }: SpokenRowProps<T>) {
  const { redact } = useConsole();
  const cells = columns
    .map((column) => ({ heading: column.heading.toLowerCase(), text: redact(column.cell(row)).trim() }))
    .filter(({ text }) => text !== '')
    .map(({ heading, text }) => `, ${heading} ${text}`);
  const where = `${groupDigits(position)} of ${groupDigits(length)}: `;
  const text = `${where}${isMarked ? 'marked, ' : ''}${redact(name.cell(row))}${cells.join('')}`;
  return <Line parts={[{ text: markText(text) }]} selected />;
}
