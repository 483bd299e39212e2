import type { AuditEntry } from '../../src/model/guard/audit.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { ListOutcome } from '../ui/lists/list-state.ts';
import type { PagedList } from '../ui/lists/paged-list.ts';
import { tagMenu } from '../ui/lists/tag-menu.ts';
import { auditTags } from './audit-list.ts';

/** The input of the actions: the list of records, the selected record, and the parts of the pane. */
interface Here {
  readonly list: PagedList<AuditEntry>;
  readonly entry: AuditEntry | undefined;
  readonly parts: PaneParts;
}

/** The actions of the audit log. */
export const auditActions: ReadonlyArray<PaneAction<Here, ListOutcome | undefined>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'details',
    about: 'Show all facts about the request',
    unless: noSelection,
    run: ({ entry }) => entry && { opens: { pane: 'audit-record', entry } },
  },
  {
    does: 'status',
    press: ['s'],
    label: 'filter by outcome',
    about: 'Filter by outcome, program or effect, with counts',
    run: ({ list }) => ({ dialog: tagMenu(list, auditTags) }),
  },
  ...filterShortcuts,
  {
    does: 'copy',
    press: ['y'],
    label: 'copy',
    about: 'Copy the record as JSON',
    unless: noSelection,
    run: ({ entry, parts }) =>
      entry && { notice: parts.copy(Buffer.from(JSON.stringify(entry)), 'the record') },
  },
  { does: 'refresh', press: ['r'], label: 'reload', about: 'Reload the list and keep the selection' },
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filter, then go back to where you were',
  },
  ...moveShortcuts,
];

/** The actions of the pane of one audit record. */
export const auditRecordActions: ReadonlyArray<Shortcut<string>> = [
  {
    does: 'copy',
    press: ['y'],
    label: 'copy',
    about: 'Copy the value of the selected line',
    unless: noSelection,
  },
  { does: 'back', press: ['esc', 'left', 'h'], label: 'back', about: 'Go back to where you were' },
  ...moveShortcuts,
];
