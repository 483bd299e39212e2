import { type Cursor, firstVisibleRow } from '../../kit/keys/cursor.ts';

/** A line of a table: a row by its index, the heading of a group, or a blank line, which has an empty heading. */
export type TableLine = { readonly index: number } | { readonly heading: string };

interface Lined {
  readonly length: number;
  readonly cursor: Cursor;
  /** Returns the group of the row at an index. Omitted for a list without groups; only short lists have groups. */
  readonly groupAt?: ((index: number) => string) | undefined;
}

const blank: TableLine = { heading: '' };

/** Returns the visible lines of a table: the rows, and a heading with a count before each group. */
export function visibleLines({ length, cursor, groupAt }: Lined, height: number): readonly TableLine[] {
  if (groupAt === undefined) {
    const top = firstVisibleRow(cursor, length, height);
    return Array.from({ length: Math.min(height, length - top) }, (_, line) => ({ index: top + line }));
  }
  const groups: { readonly name: string; readonly first: number; count: number }[] = [];
  for (let index = 0; index < length; index++) {
    const name = groupAt(index);
    const last = groups.at(-1);
    if (last?.name === name) last.count++;
    else groups.push({ name, first: index, count: 1 });
  }
  const isRoomy = length + 2 * groups.length - 1 <= height;
  const lines = groups.flatMap(({ name, first, count }, group): TableLine[] => [
    ...(isRoomy && group > 0 ? [blank] : []),
    { heading: `${name} ${count}` },
    ...Array.from({ length: count }, (_, row) => ({ index: first + row })),
  ]);
  const findLine = (row: number) => lines.findIndex((line) => 'index' in line && line.index === row);
  const index = Math.max(0, findLine(cursor.index));
  const top = firstVisibleRow({ index, top: Math.max(0, findLine(cursor.top)) }, lines.length, height);
  // Also shows the heading above the first visible row, if the selected row stays on the screen.
  const before = lines[top - 1];
  const isHeadless = before !== undefined && 'heading' in before && index < top - 1 + height;
  const start = isHeadless ? top - 1 : top;
  return lines.slice(start, start + height);
}
