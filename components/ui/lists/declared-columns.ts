import type { Column } from './columns.ts';
import type { SortColumn } from './row-kind.ts';

/** The value that a column sorts by; `unsorted` for a column without sorting. */
type SortBy<T> = SortColumn<T>['by'] | 'unsorted';

/** The declared columns of a list after the name, for sorting and drawing. */
export interface DeclaredColumns<T, Heading extends string> {
  /** The columns that the user can sort by, with the name last. */
  readonly sorts: readonly SortColumn<T>[];
  readonly headings: readonly Heading[];
}

/**
 * Declares the columns of a list by their headings: `declareColumns<Row>()({ SIZE: ({ size }) => size }, { heading: 'NAME', by: ({ name })
 * => name })`.
 */
export function declareColumns<T>() {
  return <Heading extends string>(
    columns: Readonly<Record<Heading, SortBy<T>>>,
    name: SortColumn<T>,
  ): DeclaredColumns<T, Heading> => {
    const entries = Object.entries<SortBy<T>>(columns);
    const sorts = entries.flatMap(([heading, by]) => (by === 'unsorted' ? [] : [{ heading, by }]));
    return { sorts: [...sorts, name], headings: entries.map(([heading]) => heading as Heading) };
  };
}

declare const isDrawn: unique symbol;

/** Columns created by `drawColumns`: all declared columns of a list, except hidden ones. */
export type DrawnColumns<T> = readonly Column<T>[] & { readonly [isDrawn]: true };

/** Returns the columns of a list in the order of `drawn`, which must contain every declared column; undefined hides a column. */
export function drawColumns<T, Heading extends string>(
  _declared: DeclaredColumns<T, Heading>,
  drawn: Readonly<Record<Heading, DrawnColumn<T> | undefined>>,
): DrawnColumns<T> {
  const entries = Object.entries<DrawnColumn<T> | undefined>(drawn);
  const columns = entries.flatMap(([heading, column]) =>
    column === undefined ? [] : [{ id: heading, heading, ...column }],
  );
  return columns as readonly Column<T>[] as DrawnColumns<T>;
}

/** A column, with an optional heading to replace the declared heading. */
export type DrawnColumn<T> = Omit<Column<T>, 'heading'> & { readonly heading?: string };
