import type { IssuanceWindow } from '../../src/model/hostnames/issuance.ts';
import type { Zone } from '../../src/model/zones/zone.ts';
import type { ZoneOverview } from '../../src/services/hostnames/overview.ts';
import type { ZoneMenu } from '../../src/services/zones/choice.ts';
import type { MenuDialog } from '../ui/forms/dialog.ts';
import { type DialogEvent, type DialogState, reduceDialog } from '../ui/forms/dialog-state.ts';

/** A command that finds or chooses the zone, before hostnames can be listed. */
type ZoneCommand = () => void;

/** The zone whose hostnames are listed, and the facts about the whole zone. */
export interface ZoneState extends DialogState<ZoneCommand> {
  /** The zone; undefined until it is known or selected. */
  readonly zone?: Zone | undefined;
  readonly overview?: ZoneOverview | undefined;
  readonly issuance?: IssuanceWindow | undefined;
  /** Number of times that the gauge has changed because time has passed. */
  readonly ticks: number;
}

export type ZoneEvent =
  | { readonly type: 'taken'; readonly zone: Zone }
  | { readonly type: 'overview'; readonly overview: ZoneOverview }
  | { readonly type: 'issuance'; readonly issuance: IssuanceWindow }
  | { readonly type: 'ticked' }
  | DialogEvent<ZoneCommand>;

export const noZone: ZoneState = { ticks: 0 };

/** Returns the state after an event. */
export function reduceZone(state: ZoneState, event: ZoneEvent): ZoneState {
  switch (event.type) {
    case 'taken':
      return { ...noZone, zone: event.zone };
    case 'overview':
      return { ...state, overview: event.overview };
    case 'issuance':
      return { ...state, issuance: event.issuance };
    case 'ticked':
      return { ...state, ticks: state.ticks + 1 };
    default:
      return reduceDialog(state, event);
  }
}

/** Returns a menu of zones. Choosing a zone calls `take`. */
export function zoneMenu({ zones, more }: ZoneMenu, take: (zone: Zone) => void): MenuDialog<ZoneCommand> {
  return {
    kind: 'menu',
    title: more
      ? `Zone (only the first ${zones.length}; for another zone, set zone_id in the configuration or the profile)`
      : 'Zone',
    items: zones.map((zone) => ({ label: zone.name, command: () => take(zone) })),
    initial: 0,
  };
}
