import type { PagedList } from '../ui/lists/paged-list.ts';
import { eachRow } from '../ui/lists/rows.ts';

/** Names that a command line takes: more would be no line to read. */
const most = 100;

/** The first names of a list's rows, for a command line. */
export function namesIn<T>({ rows }: PagedList<T>, nameOf: (row: T) => string): readonly string[] {
  const names: string[] = [];
  for (const row of eachRow(rows)) {
    if (names.length === most) break;
    names.push(nameOf(row));
  }
  return names;
}
