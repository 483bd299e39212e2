import { isPlatformChange } from '../../../src/model/tasks/task.ts';
import type { Zone } from '../../../src/model/zones/zone.ts';
import type { Foreseen } from '../../../src/services/console/fleet.ts';
import { requireService } from '../../kit/require-service.ts';
import type { PaneParts } from '../../kit/use-console.ts';
import type { SavedRows } from '../../ui/lists/list-source.ts';

/**
 * Returns the cache for the forecast of a zone. The cache keeps the rows after their pane closes, because a forecast takes about twenty
 * queries per hostname. The cache drops the rows when the user or a task changes the zone.
 */
export function saveRenewals(zone: Zone, parts: PaneParts) {
  const { foreseen } = requireService(parts, 'fleet');
  const forget = () => {
    foreseen.get(zone.id)?.end();
    foreseen.delete(zone.id);
  };
  return {
    rows(): SavedRows<Foreseen> | undefined {
      const cached = foreseen.get(zone.id);
      if (cached !== undefined && isChangedByTask(zone, parts, cached.at)) forget();
      return foreseen.get(zone.id);
    },
    keep({ rows, at }: SavedRows<Foreseen>): void {
      forget();
      const end = parts.changes.listen((change) => {
        if ('zoneId' in change && change.zoneId === zone.id) forget();
      });
      foreseen.set(zone.id, { rows, at, end });
    },
  };
}

/** Returns whether a task that acts on the zone and changes the platform ended after `since` (in milliseconds), or is still active. */
function isChangedByTask(zone: Zone, { tasks }: PaneParts, since: number): boolean {
  return tasks.list.tasks.some(
    ({ work, ended = Number.POSITIVE_INFINITY }) =>
      'zone' in work && work.zone.id === zone.id && isPlatformChange(work) && ended > since,
  );
}
