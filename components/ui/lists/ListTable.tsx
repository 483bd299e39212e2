import { rowWrites } from '../forms/writes.ts';
import type { Column, FittedColumns, NameColumn } from './columns.ts';
import type { ListController } from './list-controller.ts';
import { createMarkTest } from './marks.ts';
import { type PagedList, shownLength, shownRow } from './paged-list.ts';
import { isDefaultSort } from './sort.ts';
import { Table } from './Table.tsx';
import { treeColumns, treeRow } from './tree-rows.ts';

interface ListTableProps<T> {
  readonly list: ListController<T>;
  readonly columns: readonly Column<T>[];
  readonly fitted: FittedColumns<T>;
  readonly name: NameColumn<T>;
  readonly height: number;
  readonly edge: string;
  readonly empty: string;
  /** Whether the list has no rows and no filter, and therefore needs no heading. */
  readonly isEmpty: boolean;
  readonly group?: ((row: T) => string) | undefined;
}

/** Draws the rows of a list, or the lines of its tree. */
export function ListTable<T>({ list: controller, columns, fitted, name, group, ...how }: ListTableProps<T>) {
  const { list, fresh } = controller.state;
  const written = rowWrites(controller.state);
  const findWrite = (row: T) => written.get(list.kind.getId(row));
  const isMarked = createMarkTest(list);
  const common = {
    length: shownLength(list),
    cursor: list.cursor,
    found: list.pick?.query.matcher,
    sort: list.sort,
    groupAt: groupFinder(list, group),
    ...how,
  };
  const isFresh = (row: T) => fresh.has(list.kind.getId(row));
  if (list.tree === undefined) {
    const rowAt = (index: number) => shownRow(list, index);
    const marks = {
      isMarked,
      isFresh: fresh.size === 0 ? undefined : isFresh,
      findWrite: written.size === 0 ? undefined : findWrite,
    };
    return <Table {...common} columns={columns} fitted={fitted} name={name} rowAt={rowAt} {...marks} />;
  }
  return (
    <Table
      {...common}
      columns={treeColumns(columns)}
      fitted={{ ...fitted, columns: treeColumns(fitted.columns) }}
      name={{ heading: name.heading, cell: ({ text }) => text }}
      rowAt={(index) => treeRow(list, index)}
      isMarked={isMarked && ((line) => line.isMarked)}
      isFresh={fresh.size === 0 ? undefined : ({ row }) => row !== undefined && isFresh(row)}
      findWrite={
        written.size === 0 ? undefined : ({ row }) => (row === undefined ? undefined : findWrite(row))
      }
    />
  );
}

/**
 * Returns a function that finds the group of a row by its index; undefined if the list is not grouped, or a tree or sort order mixes the
 * groups.
 */
export function groupFinder<T>(
  list: PagedList<T>,
  group: ((row: T) => string) | undefined,
): ((index: number) => string) | undefined {
  if (group === undefined || list.tree !== undefined || !isDefaultSort(list.kind, list.sort))
    return undefined;
  return (index) => {
    const row = shownRow(list, index);
    return row === undefined ? '' : group(row);
  };
}
