import type { Column } from './columns.ts';
import { createMarkTest, isFolderMarked } from './marks.ts';
import { type PagedList, shownRow } from './paged-list.ts';
import { folderAt, formatTreeLine } from './tree-places.ts';

/** A line of a tree, for a table. */
export interface TreeRow<T> {
  /** The row; undefined for a folder. */
  readonly row: T | undefined;
  readonly text: string;
  readonly isMarked: boolean;
}

/** Returns the line at an index of a tree. */
export function treeRow<T>(list: PagedList<T>, index: number): TreeRow<T> {
  const row = shownRow(list, index);
  const folder = row === undefined ? folderAt(list, index) : undefined;
  const isMarked =
    folder === undefined
      ? row !== undefined && (createMarkTest(list)?.(row) ?? false)
      : isFolderMarked(list, folder);
  return { row, text: formatTreeLine(list, index), isMarked };
}

/** Returns the columns of a list for its tree, in which the cells of folders are empty. */
export function treeColumns<T>(columns: readonly Column<T>[]): readonly Column<TreeRow<T>>[] {
  return columns.map(({ cell, role, parts, lasts, ...column }) => ({
    ...column,
    cell: ({ row }: TreeRow<T>) => (row === undefined ? '' : cell(row)),
    role: ({ row }: TreeRow<T>) => (row === undefined ? 'plain' : (role?.(row) ?? 'plain')),
    lasts: ({ row }: TreeRow<T>) => (row === undefined ? undefined : lasts?.(row)),
    ...(parts && {
      parts: ({ row }: TreeRow<T>, width: number) => (row === undefined ? [] : parts(row, width)),
    }),
  }));
}
