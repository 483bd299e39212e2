import { type EscapeOptions, escapeText } from './escape.ts';
import { fitText, measureCharacter, pad } from './width.ts';

/** A column: its heading and the alignment of its cells. */
export interface TextColumn {
  readonly heading: string;
  readonly align?: 'left' | 'right';
}

export interface TableOptions extends EscapeOptions {
  /** Width in terminal columns. The last cell of a row is cut to this width. If omitted, nothing is cut. */
  readonly width?: number | undefined;
}

const gap = '  ';

/** Formats rows of untrusted data as aligned lines, headings first. Each cell is escaped; lines have no trailing spaces. */
export function tableLines(
  columns: readonly TextColumn[],
  rows: readonly (readonly string[])[],
  options: TableOptions = {},
): string[] {
  const cells = [
    columns.map((column) => column.heading),
    ...rows.map((row) => columns.map((_, index) => escapeText(row[index] ?? '', options))),
  ];
  const widths = columns.map((_, index) =>
    cells.reduce((widest, row) => Math.max(widest, measureCharacter(row[index] ?? '')), 0),
  );
  return cells.map((row) => {
    const line = row.map((cell, index) => pad(cell, widths[index] ?? 0, columns[index]?.align)).join(gap);
    const trimmed = line.replace(/ +$/, '');
    return options.width === undefined ? trimmed : fitText(trimmed, options.width);
  });
}
