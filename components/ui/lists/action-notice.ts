import { groupDigits } from '../../../src/text/size.ts';
import type { ListAction } from './list-action.ts';
import type { PagedList } from './paged-list.ts';
import { formatFolderCount, selectedFolder } from './tree-places.ts';

/**
 * Returns the notice about an action on a list, from the states before and after it; undefined if the effect is visible without a notice.
 */
export function actionNotice<T>(
  action: ListAction,
  before: PagedList<T>,
  list: PagedList<T>,
): string | undefined {
  if (action === 'mark') return folderNotice(before, list);
  if (action === 'tree') return treeNotice(list);
  const isSort = action === 'sort' || action === 'reverse';
  if (isSort && list.tree !== undefined) return 'A tree is always sorted by name. Press T to show the list.';
  const { complete, whole, stopped } = list;
  if (complete || whole || stopped) return undefined;
  if (action === 'last') return `The last loaded line. ${moreHint}`;
  return action === 'mark-shown' ? `Marked all loaded rows. ${moreHint}` : undefined;
}

const moreHint = 'More on the server: press m for a page, L for all.';

function folderNotice<T>(before: PagedList<T>, list: PagedList<T>): string | undefined {
  const folder = selectedFolder(before);
  if (folder === undefined) return undefined;
  const change = list.marks.names.size - before.marks.names.size;
  const name = folder.prefix;
  if (change < 0)
    return `Cleared ${change === -1 ? '1 mark' : `${groupDigits(-change)} marks`} below ${name}.`;
  const rest = formatFolderCount(before, folder).endsWith('+') ? ` ${moreHint}` : '';
  const count = folder.to - folder.from;
  const rows = count === 1 ? 'the only loaded row' : `all ${groupDigits(count)} loaded rows`;
  return `Marked ${rows} below ${name}.${rest}`;
}

function treeNotice<T>({ tree, rows }: PagedList<T>): string | undefined {
  if (tree === undefined || rows.length === 0) return undefined;
  return `Tree by ${tree.separator}: press S for another separator, or T for the list.`;
}
