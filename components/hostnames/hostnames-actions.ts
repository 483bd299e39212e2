import {
  fallbackOriginSet,
  hostnameExport,
  hostnameForecast,
  hostnameGet,
  hostnameList,
  hostnamePlan,
  zoneHoldGet,
} from '../../src/services/equivalents/hostnames.ts';
import type { NewHostname } from '../../src/services/hostnames/body.ts';
import type { HostnameRow } from '../../src/services/hostnames/rows.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { saving } from '../kit/keys/busy.ts';
import { cannotWrite, moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import { markShortcuts, withCount } from '../kit/keys/marks.ts';
import { requireService } from '../kit/require-service.ts';
import type { Work } from '../ui/forms/dialog.ts';
import type { ListResult } from '../ui/lists/list-state.ts';
import type { PagedList } from '../ui/lists/paged-list.ts';
import { tagMenu } from '../ui/lists/tag-menu.ts';
import { actionsOnHostnames, diagnosingActions, type OnHostnames } from './actions-on-hostnames.ts';
import { newHostnameForm } from './form.ts';
import { toChange } from './hostname-change.ts';
import { askToExport, askToReconcile } from './hostname-files.ts';
import { copyName } from './hostname-rows.ts';
import { hostnameTags } from './tags.ts';
import type { ZoneController } from './zone-controller.ts';
import { readingSettings } from './zone-settings.ts';

/** The input of the actions: the list of hostnames, its selected row, and the facts about the whole zone. */
interface Here extends OnHostnames {
  readonly list: PagedList<HostnameRow>;
  readonly row: HostnameRow | undefined;
  readonly hostname: string | undefined;
  readonly zones: Pick<ZoneController, 'state' | 'offer' | 'read'>;
}

/** The actions in the list of hostnames. */
export const hostnamesActions: ReadonlyArray<PaneAction<Here, ListResult>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'detail',
    about: 'Show the hostname, its certificate and what the customer must set',
    unless: noSelection,
    run: ({ row, zone, zones: { state } }) =>
      row && { opens: { pane: 'hostname', zone, row, ahead: state.overview?.ahead ?? 0 } },
    equivalents: ({ record, zone, marked }) =>
      record && marked.length === 0 ? [hostnameGet(zone.id, record)] : [],
  },
  ...diagnosingActions(true),
  {
    does: 'create',
    press: ['n'],
    label: 'new',
    about: 'Create a custom hostname',
    unless: cannotWrite,
    run: (here) => ({ dialog: newHostnameForm((wanted) => creating(wanted, here)) }),
  },
  ...filterShortcuts,
  ...actionsOnHostnames(true),
  {
    does: 'ask',
    press: ['p'],
    label: 'search',
    about: 'Search the server for hostnames that contain a string',
  },
  {
    does: 'status',
    press: ['s'],
    label: 'filter by state',
    about: 'Filter by fault, certificate status or hostname status, with counts',
    run: ({ list }) => ({ dialog: tagMenu(list, hostnameTags) }),
  },
  {
    does: 'timeline',
    press: ['V'],
    label: 'renewals',
    about: 'Show when each certificate is renewed, whether the renewal will succeed, and who must act',
    run: ({ zone }) => ({ opens: { pane: 'forecast', zone } }),
    equivalents: ({ zone }) => [hostnameForecast(zone.id)],
  },
  {
    does: 'records',
    press: ['Q'],
    label: 'DNS records',
    about: "Show the zone's own DNS records; add, change or delete them",
    run: ({ zone }) => ({ opens: { pane: 'records', zone } }),
  },
  {
    does: 'export',
    press: ['w'],
    label: 'export',
    labelIn: withCount('export'),
    about: 'Export all hostnames, or only the marked ones, to a file: CSV, NDJSON, JSON or Terraform imports',
    run: askToExport,
    equivalents: ({ zone }) => [hostnameExport(zone.id)],
  },
  {
    does: 'import',
    press: ['i'],
    label: 'reconcile',
    about: 'Reconcile the hostnames with a file; shows the plan first',
    unless: cannotWrite,
    run: askToReconcile,
    equivalents: ({ zone }) => [hostnamePlan(zone.id)],
  },
  {
    does: 'zone-settings',
    press: ['H'],
    label: 'origin, hold',
    about: 'Set or remove the fallback origin of the zone; hold the zone, or release the hold',
    unless: cannotWrite,
    run: ({ zone, parts }) => readingSettings(zone, parts),
    equivalents: ({ zone }) => [fallbackOriginSet(zone.id), zoneHoldGet(zone.id)],
  },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload the list and keep the selection',
    equivalents: ({ zone }) => [hostnameList(zone.id)],
  },
  copyName,
  ...markShortcuts,
  {
    does: 'zone',
    press: ['z'],
    label: 'zone',
    about: 'Choose another zone',
    quiet: true,
    run({ zones }) {
      zones.offer();
      return undefined;
    },
  },
  {
    does: 'back',
    press: ['esc'],
    label: 'back',
    about: 'Clear the filters, the search, then the marks',
    quiet: true,
  },
  ...moveShortcuts,
];

/**
 * Returns the work that creates a hostname. Rereads the zone after a failure, because a rejected creation also counts towards the limit.
 */
function creating(wanted: NewHostname, { zone, zones, parts }: Here): Work {
  return {
    busy: saving,
    async run(signal) {
      const created = requireService(parts, 'hostnames').create(zone.id, wanted, signal);
      const row = await created.catch((error: unknown) => {
        zones.read();
        throw error;
      });
      const notice = `Created ${row.record.hostname}.`;
      return { change: toChange(zone, row), notice, unfilter: true };
    },
  };
}
