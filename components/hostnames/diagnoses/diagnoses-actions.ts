import type { Zone } from '../../../src/model/zones/zone.ts';
import { hostnamesDiagnose } from '../../../src/services/equivalents/hostnames.ts';
import type { FoundFault } from '../../../src/services/tasks/hostname-reading.ts';
import type { PaneAction } from '../../kit/keys/action.ts';
import { moveShortcuts, noSelection } from '../../kit/keys/conditions.ts';
import { filterShortcuts } from '../../kit/keys/finding.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import type { ListResult } from '../../ui/lists/list-state.ts';
import type { PagedList } from '../../ui/lists/paged-list.ts';
import { eachRow } from '../../ui/lists/rows.ts';
import { backToHostnames, copyName, showOnly } from '../hostname-rows.ts';
import { faultTags } from './diagnoses-list.ts';

/** The input of the actions: the list of findings, the selected hostname, and the parts of the pane. */
interface Here {
  readonly list: PagedList<FoundFault>;
  readonly hostname: string | undefined;
  readonly zone: Zone;
  readonly parts: PaneParts;
}

/** The actions on a task's findings about marked hostnames. */
export const diagnosesActions: ReadonlyArray<PaneAction<Here, ListResult>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'diagnosis',
    about: 'Diagnose the hostname again, with evidence and fixes',
    unless: noSelection,
    run: ({ hostname, zone }) =>
      hostname === undefined ? undefined : { opens: { pane: 'diagnosis', zone, hostname, fix: false } },
  },
  showOnly<FoundFault>('severity', faultTags),
  ...filterShortcuts,
  copyName,
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload the results',
    equivalents: ({ list, zone }) =>
      hostnamesDiagnose(
        zone.id,
        [...eachRow(list.rows)].map(({ hostname }) => hostname),
      ),
  },
  backToHostnames,
  ...moveShortcuts,
];
