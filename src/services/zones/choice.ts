import { Problem } from '../../model/problem.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { factOf } from '../diagnosis/fact.ts';
import { readPlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { listZones, readZone } from './zones.ts';

/** Zones that the credentials reach; `more` says that there are others. */
export interface ZoneMenu {
  readonly zones: readonly Zone[];
  readonly more: boolean;
}

/** Zones that a menu offers. */
const offeredZones = 200;

/**
 * Id of the zone to act on: what flag, environment, file or profile say; else the sandbox's own; else the only one that the
 * credentials reach. Of several those among which one is to be chosen: nothing is guessed. Refuses where there are none.
 */
export async function chooseZone(session: Session): Promise<{ readonly zoneId: string } | ZoneMenu> {
  const zoneId = (await session.zoneId()) ?? (await readPlatformInfo(session)).zoneId;
  if (zoneId !== undefined) return { zoneId };
  const menu = await readZoneMenu(session);
  const [first] = menu.zones;
  if (first !== undefined) return menu.zones.length === 1 ? { zoneId: first.id } : menu;
  throw new Problem('usage', 'The credentials reach no zone.', {
    hint: 'Custom hostnames belong to a zone: check that the token has "Zone: Read".',
  });
}

/** As `chooseZone`, and the zone's facts; one whose facts cannot be read is named by its id. */
export async function findChosenZone(session: Session): Promise<{ readonly zone: Zone } | ZoneMenu> {
  const choice = await chooseZone(session);
  if ('zones' in choice) return choice;
  const { zoneId: id } = choice;
  const zone = await factOf(() => readZone(session, id));
  return { zone: 'known' in zone ? zone.known : { id, name: id } };
}

/** The first zones that the credentials reach. */
export async function readZoneMenu(session: Session): Promise<ZoneMenu> {
  const zones: Zone[] = [];
  for await (const page of listZones(session)) {
    zones.push(...page);
    if (zones.length > offeredZones) break;
  }
  return { zones: zones.slice(0, offeredZones), more: zones.length > offeredZones };
}
