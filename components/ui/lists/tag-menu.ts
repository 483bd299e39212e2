import { groupDigits } from '../../../src/text/size.ts';
import type { MenuDialog } from '../forms/dialog.ts';
import type { ListCommand } from './list-state.ts';
import type { PagedList } from './paged-list.ts';
import { eachRow } from './rows.ts';

/** The groups and the order of a list's tags. The user can choose one tag from each group. */
export interface TagOrder {
  /** Returns the group of a tag as one word for the menu. */
  getGroup(tag: string): string;
  /** Returns the label of a tag in its group (default: the tag). */
  getLabel?(tag: string): string;
  getRank(tag: string): number;
}

/**
 * Returns a menu of the tags of the loaded rows. Each item shows the number of rows that have its tag and the chosen tags of other groups.
 */
export function tagMenu<T>(
  list: PagedList<T>,
  { getGroup, getRank, getLabel }: TagOrder,
): MenuDialog<ListCommand> {
  const { only, rows, complete } = list;
  const counts = tagCounts(list, getGroup);
  const getCount = (tag: string) => counts.get(tag) ?? 0;
  const tags = [...new Set([...counts.keys(), ...only])].sort(
    (one, other) => getRank(one) - getRank(other) || getCount(other) - getCount(one),
  );
  const describeTag = (name: string, count: number) => ({
    label: name,
    hint: groupDigits(count),
    isPresent: only.includes(name),
  });
  const hasGroups = new Set(tags.map(getGroup)).size > 1;
  const items = tags.map((tag) => ({
    ...describeTag(tag, getCount(tag)),
    ...(hasGroups && { group: getGroup(tag), label: getLabel?.(tag) ?? tag }),
    command: { does: 'show-only', only: toggleTag(only, tag, getGroup) } as const,
  }));
  const loaded = complete ? '' : `, of ${groupDigits(rows.length)} loaded so far`;
  return {
    kind: 'menu',
    title: `Show only${loaded}`,
    ...(only.length > 0 && {
      lines: ['You can choose one filter in each group. To remove a filter, choose it again.'],
    }),
    items: [{ ...describeTag('all', rows.length), command: { does: 'show-only', only: [] } }, ...items],
    initial: only.length === 0 ? 0 : 1 + tags.indexOf(only.at(-1) ?? ''),
  };
}

/** Removes a tag that was already chosen; otherwise adds the tag, replacing any tag of the same group. */
function toggleTag(only: readonly string[], tag: string, getGroup: TagOrder['getGroup']): readonly string[] {
  const otherGroups = only.filter((one) => getGroup(one) !== getGroup(tag));
  return only.includes(tag) ? otherGroups : [...otherGroups, tag];
}

/** Returns for each tag the number of rows that have the tag and all chosen tags of other groups. */
function tagCounts<T>(
  { rows, only, kind }: PagedList<T>,
  getGroup: TagOrder['getGroup'],
): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of eachRow(rows)) {
    const tags = kind.getTags?.(row) ?? [];
    for (const tag of tags) {
      const otherGroups = only.filter((one) => getGroup(one) !== getGroup(tag));
      if (otherGroups.every((one) => tags.includes(one))) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
  }
  return counts;
}
