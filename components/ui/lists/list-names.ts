import type { ListNames } from '../forms/use-list-names.ts';
import type { ListSource } from './list-source.ts';
import type { PagedList } from './paged-list.ts';
import { compareBytes } from './row-kind.ts';
import { eachRow, lowerBound } from './rows.ts';

/** Maximum number of names to return. */
const maxNames = 1000;

/** Returns access to the names of a list whose rows are ordered by name. */
export function listNames<T>(
  list: () => PagedList<T>,
  { kind, pages }: Pick<ListSource<T>, 'kind' | 'pages'>,
): ListNames {
  return {
    isWhole: () => list().complete && list().prefix === '',
    loaded(beginning) {
      const { rows } = list();
      const first = lowerBound(rows, (row) => compareBytes(kind.getId(row), beginning) < 0);
      const found: string[] = [];
      for (const row of eachRow(rows, first)) {
        const name = kind.getId(row);
        if (!name.startsWith(beginning) || found.length === maxNames) break;
        found.push(name);
      }
      return found;
    },
    async read(beginning, signal) {
      const found = pages(beginning, signal, { reportTotal: () => undefined });
      for await (const page of found) return page.map((row) => kind.getId(row));
      return [];
    },
  };
}
