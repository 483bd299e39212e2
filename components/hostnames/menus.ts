import type { CustomHostname } from '../../src/model/hostnames/hostname.ts';
import type { ZoneMenu } from '../../src/services/zones/choice.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { MenuDialog } from '../forms/dialog.ts';
import type { ListCommand } from '../lists/list-state.ts';
import { authorities, type HostnameCommand } from './commands.ts';
import { listedStatuses } from './status-filter.ts';
import type { ZoneCommand } from './zone-state.ts';

/** Chooses a hostname's certificate authority; the present one is marked. */
export function authorityMenu(record: CustomHostname): MenuDialog<HostnameCommand> {
  const present = authorities.findIndex(({ value }) => value === record.ssl?.certificate_authority);
  return {
    kind: 'menu',
    title: `Certificate authority of ${escapeText(record.hostname)}`,
    items: authorities.map(({ label, value }) => ({
      label,
      command: { does: 'authority', record, authority: value },
    })),
    initial: Math.max(0, present),
    asks: true,
  };
}

/** Chooses the status that hostnames are listed in, or that of their certificates; the present one is marked, an empty text is any. */
export function statusMenu(present: string): MenuDialog<ListCommand> {
  return {
    kind: 'menu',
    title: 'List hostnames in',
    items: listedStatuses.map((status) => ({
      label: status || 'any status',
      command: { does: 'list', status },
    })),
    initial: Math.max(0, listedStatuses.indexOf(present)),
  };
}

/** Chooses the zone whose hostnames are listed. */
export function zoneMenu({ zones, more }: ZoneMenu): MenuDialog<ZoneCommand> {
  return {
    kind: 'menu',
    title: more
      ? `Zone: the first ${zones.length}; the profile or zone_id in the configuration names any other`
      : 'Zone',
    items: zones.map((zone) => ({ label: escapeText(zone.name), command: { does: 'take', zone } })),
    initial: 0,
  };
}
