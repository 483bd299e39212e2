import { escapeText } from '../../../src/text/escape.ts';
import { groupDigits } from '../../../src/text/size.ts';
import type { ListAction } from './list-action.ts';
import type { PagedList } from './paged-list.ts';
import { countWords, selectedFolder } from './tree-places.ts';

/**
 * Returns the notice after an action on a list, from the states before and after it; undefined if the effect is visible. Escaped.
 */
export function actionWords<T>(
  action: ListAction,
  before: PagedList<T>,
  list: PagedList<T>,
): string | undefined {
  if (action === 'mark') return folderWords(before, list);
  if (action === 'tree') return treeWords(list);
  const isSort = action === 'sort' || action === 'reverse';
  if (isSort && list.tree !== undefined) return 'A tree is in the order of names: T shows the list again.';
  const { complete, whole, stopped } = list;
  if (complete || whole || stopped) return undefined;
  if (action === 'last') return `The last line that is loaded. ${moreWords}`;
  return action === 'mark-shown' ? `Marked what is loaded. ${moreWords}` : undefined;
}

const moreWords = 'More is on the server: m loads a page, L all.';

function folderWords<T>(before: PagedList<T>, list: PagedList<T>): string | undefined {
  const folder = selectedFolder(before);
  if (folder === undefined) return undefined;
  const change = list.marks.names.size - before.marks.names.size;
  const name = escapeText(folder.prefix);
  if (change < 0) return `Took the marks of ${groupDigits(-change)} below ${name} away.`;
  const rest = countWords(before, folder).endsWith('+') ? ` ${moreWords}` : '';
  return `Marked all ${groupDigits(folder.to - folder.from)} that are loaded below ${name}.${rest}`;
}

function treeWords<T>({ tree, rows }: PagedList<T>): string | undefined {
  if (tree === undefined || rows.length === 0) return undefined;
  return `A tree by ${tree.separator} - S takes another separator, T shows the list again.`;
}
