import type { Column } from './columns.ts';
import type { SortColumn } from './row-kind.ts';

/** The value that a column sorts rows by; `unsorted` where it sorts none. */
type By<T> = SortColumn<T>['by'] | 'unsorted';

/** The columns of a list behind the name, declared once: what sorts by them, and what draws them, is made from this. */
export interface DeclaredColumns<T, Heading extends string> {
  /** Sorts by these columns, and last by the name. */
  readonly sorts: readonly SortColumn<T>[];
  readonly headings: readonly Heading[];
}

/** Declares the columns of a list by their headings: `declareColumns<Row>()({ SIZE: ({ size }) => size }, nameColumn('NAME'))`. */
export function declareColumns<T>() {
  return <Heading extends string>(
    columns: Readonly<Record<Heading, By<T>>>,
    name: SortColumn<T>,
  ): DeclaredColumns<T, Heading> => {
    const entries = Object.entries<By<T>>(columns);
    const sorts = entries.flatMap(([heading, by]) => (by === 'unsorted' ? [] : [{ heading, by }]));
    return { sorts: [...sorts, name], headings: entries.map(([heading]) => heading as Heading) };
  };
}

declare const isDrawn: unique symbol;

/** Columns as `drawColumns` makes them: of exactly those that the list declares. */
export type DrawnColumns<T> = readonly Column<T>[] & { readonly [isDrawn]: true };

/** The columns of a list as drawn, in this order. Each declared one must be here; undefined hides it. */
export function drawColumns<T, Heading extends string>(
  _declared: DeclaredColumns<T, Heading>,
  drawn: Readonly<Record<Heading, DrawnColumn<T> | undefined>>,
): DrawnColumns<T> {
  const entries = Object.entries<DrawnColumn<T> | undefined>(drawn);
  const columns = entries.flatMap(([heading, column]) =>
    column === undefined ? [] : [{ heading, ...column }],
  );
  return columns as readonly Column<T>[] as DrawnColumns<T>;
}

/** A column without its heading, unless it draws another one. */
export type DrawnColumn<T> = Omit<Column<T>, 'heading'> & { readonly heading?: string };
