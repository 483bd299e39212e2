import type { Zone } from '../../../src/model/zones/zone.ts';
import type { Foreseen } from '../../../src/services/console/fleet.ts';
import { hostnameForecast } from '../../../src/services/equivalents/hostnames.ts';
import type { PaneAction } from '../../kit/keys/action.ts';
import { reading } from '../../kit/keys/busy.ts';
import { moveShortcuts, noSelection } from '../../kit/keys/conditions.ts';
import { filterShortcuts } from '../../kit/keys/finding.ts';
import { requireService } from '../../kit/require-service.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import type { Work } from '../../ui/forms/dialog.ts';
import type { ListResult } from '../../ui/lists/list-state.ts';
import type { PagedList } from '../../ui/lists/paged-list.ts';
import { backToHostnames, copyName, showOnly } from '../hostname-rows.ts';
import { forecastTags } from './forecast-list.ts';

/** The input of the actions: the list of renewals, the selected renewal, its hostname, and the parts of the pane. */
interface Here {
  readonly list: PagedList<Foreseen>;
  readonly foreseen: Foreseen | undefined;
  readonly hostname: string | undefined;
  readonly zone: Zone;
  readonly parts: PaneParts;
}

/** The actions on the renewals of a zone. */
export const forecastActions: ReadonlyArray<PaneAction<Here, ListResult>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'detail',
    about: 'Show the hostname',
    unless: noSelection,
    run: showing,
  },
  showOnly<Foreseen>('result', forecastTags),
  ...filterShortcuts,
  copyName,
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Recompute the forecast',
    equivalents: ({ zone }) => [hostnameForecast(zone.id)],
  },
  backToHostnames,
  ...moveShortcuts,
];

function showing({ foreseen, zone, parts }: Here): Work | undefined {
  const id = foreseen?.forecast.id;
  if (foreseen === undefined || id === undefined) return undefined;
  const ahead = foreseen.now - parts.world.now();
  return {
    busy: reading,
    async run(signal) {
      const row = await requireService(parts, 'hostnames').read(zone.id, id, signal);
      return { opens: { pane: 'hostname', zone, row, ahead } };
    },
  };
}
