import { kvDiff, kvKeyList } from '../../src/services/equivalents/kv.ts';
import type { Difference } from '../../src/services/kv/transfer/diff.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { ListOutcome } from '../ui/lists/list-state.ts';
import type { PagedList } from '../ui/lists/paged-list.ts';
import { tagMenu } from '../ui/lists/tag-menu.ts';
import { differenceTags, type OpenDifferences } from './difference-list.ts';

/** The input of the actions: the list of differences, the selected key, and the parts of the pane. */
interface Here {
  readonly opened: OpenDifferences;
  readonly list: PagedList<Difference>;
  readonly key: string | undefined;
  readonly parts: PaneParts;
}

type DifferenceOutcome = ListOutcome;

/** Actions of the list of keys that differ between two namespaces. */
export const differenceActions: ReadonlyArray<PaneAction<Here, DifferenceOutcome | undefined>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'compare',
    about: 'Show the key on both sides',
    unless: noSelection,
    run: ({ opened: { namespace, other }, key }) =>
      key === undefined ? undefined : { opens: { pane: 'comparison', namespace, key, other } },
  },
  {
    does: 'status',
    press: ['s'],
    label: 'filter by side',
    about: 'Filter by side or kind of difference, with counts',
    run: ({ list }) => ({ dialog: tagMenu(list, differenceTags) }),
  },
  ...filterShortcuts,
  {
    does: 'copy',
    press: ['y'],
    label: 'copy name',
    about: 'Copy the name of the key',
    unless: noSelection,
    run: ({ key, parts }) =>
      key === undefined ? undefined : { notice: parts.copy(Buffer.from(key), 'the name') },
  },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Compare both namespaces again',
    equivalents: ({ opened: { namespace, other } }) => [
      kvDiff(namespace.id, { namespaceId: other.namespace.id, target: other.target }),
    ],
  },
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filters, then go back to the namespaces',
    equivalents: ({ opened: { namespace } }) => [kvKeyList(namespace.id)],
  },
  ...moveShortcuts,
];
