import type { CustomHostname } from '../../src/model/hostnames/hostname.ts';
import type { ZoneMenu } from '../../src/services/zones/choice.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { MenuDialog } from '../ui/forms/dialog.ts';
import { authorities, type HostnameCommand } from './commands.ts';
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
