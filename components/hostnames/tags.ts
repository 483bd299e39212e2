import { attentionOf } from '../../src/model/hostnames/attention.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import { escapeText } from '../../src/text/escape.ts';
import { groupDigits } from '../../src/text/size.ts';
import type { MenuDialog } from '../forms/dialog.ts';
import type { ListCommand } from '../lists/list-state.ts';
import type { PagedList } from '../lists/paged-list.ts';
import { eachRow } from '../lists/rows.ts';

const needsAction = 'needs action';
const inService = 'in service';

/** Before a status that is the certificate's, and before one of the hostname's own. */
const prefixes = { certificate: 'certificate ', status: 'status ' };

/** Kinds of faults, the gravest first: states as Home tells them. */
const kinds = ['moved', 'deleted', 'expired', 'CAA', 'held', 'blocked', 'timed out', 'pending'];

/** The words that a list of hostnames can be narrowed to: its kind of fault, its certificate's status and its own. */
export function tagsOf(row: HostnameRow): readonly string[] {
  const { record } = row;
  const attention = attentionOf(row, 0);
  const isActed = attention !== undefined && attention.who !== 'nobody';
  return [
    ...(isActed ? [needsAction] : []),
    attention?.state ?? inService,
    `${prefixes.certificate}${record.ssl?.status ?? 'none'}`,
    `${prefixes.status}${record.status ?? 'none'}`,
  ];
}

type Group = 'kind' | 'certificate' | 'status';

function groupOf(tag: string): Group {
  if (tag.startsWith(prefixes.certificate)) return 'certificate';
  return tag.startsWith(prefixes.status) ? 'status' : 'kind';
}

/** Offers the kinds of faults and the statuses that there are, with how many each would show beside the others that are chosen. */
export function tagMenu(list: PagedList<HostnameRow>): MenuDialog<ListCommand> {
  const { only, rows, complete } = list;
  const counts = tagCounts(list);
  const tags = [...new Set([...counts.keys(), ...only])].sort(
    (one, other) => rankOf(one) - rankOf(other) || (counts.get(other) ?? 0) - (counts.get(one) ?? 0),
  );
  const width = Math.max(...tags.map(({ length }) => length), 0);
  const marks = only.length === 0 ? ['', ''] : ['* ', '  '];
  const items = tags.map((tag) => ({
    label: `${marks[only.includes(tag) ? 0 : 1]}${escapeText(tag, { ascii: true }).padEnd(width)}  ${groupDigits(counts.get(tag) ?? 0).padStart(6)}`,
    command: { does: 'show-only', only: turned(only, tag) } as const,
  }));
  const loaded = complete ? '' : `, of ${groupDigits(rows.length)} loaded so far`;
  return {
    kind: 'menu',
    title: `Show only${loaded}`,
    ...(only.length > 0 && { lines: ['A second choice narrows further; one with a star is taken away.'] }),
    items: [{ label: `${marks[1]}all`, command: { does: 'show-only', only: [] } }, ...items],
    initial: only.length === 0 ? 0 : 1 + tags.indexOf(only.at(-1) ?? ''),
  };
}

/** The chosen tags with this one in the place of another of its group, or without it where it was. */
function turned(only: readonly string[], tag: string): readonly string[] {
  const others = only.filter((one) => groupOf(one) !== groupOf(tag));
  return only.includes(tag) ? others : [...others, tag];
}

/** How many rows have each tag, and all of those that are chosen of other groups. */
function tagCounts({ rows, only }: PagedList<HostnameRow>): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const row of eachRow(rows)) {
    const tags = tagsOf(row);
    for (const tag of tags) {
      const others = only.filter((one) => groupOf(one) !== groupOf(tag));
      if (others.every((one) => tags.includes(one))) counts.set(tag, (counts.get(tag) ?? 0) + 1);
    }
  }
  return counts;
}

function rankOf(tag: string): number {
  if (tag === needsAction) return 0;
  if (tag === inService) return 1 + kinds.length;
  const at = kinds.indexOf(tag);
  if (at !== -1) return 1 + at;
  return kinds.length + (groupOf(tag) === 'certificate' ? 2 : 3);
}
