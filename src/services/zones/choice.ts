import { isProblem, Problem } from '../../model/problem.ts';
import type { Zone } from '../../model/zones/zone.ts';
import { gatherFact } from '../diagnosis/fact.ts';
import { readPlatformInfo } from '../session/platform-info.ts';
import type { Session } from '../session/session.ts';
import { listZones, readZone } from './zones.ts';

/** Zones that the credentials can access. `more` means that the list is incomplete. */
export interface ZoneMenu {
  readonly zones: readonly Zone[];
  readonly more: boolean;
}

/** Maximum number of zones in a menu. */
const offeredZones = 200;

/**
 * Returns the id of the zone to act on: the zone from the flag, environment, file or profile; or else the sandbox's own zone; or else the
 * only zone that the credentials can access. Returns a menu if there are several zones. Throws if the credentials cannot access any zone.
 */
export async function chooseZone(session: Session): Promise<{ readonly zoneId: string } | ZoneMenu> {
  const givenId = await session.zoneId();
  if (givenId !== undefined) return { zoneId: givenId };
  const { zoneId, accountId: own } = await readPlatformInfo(session);
  const account = own === undefined ? undefined : await chosenAccount(session);
  if (zoneId !== undefined && account === own) return { zoneId };
  const menu = await readZoneMenu(session, account);
  const [first] = menu.zones;
  if (first !== undefined) return menu.zones.length === 1 ? { zoneId: first.id } : menu;
  throw new Problem('usage', 'The credentials cannot access any zone.', {
    hint: 'Custom hostnames belong to a zone: check that the token has "Zone: Read".',
  });
}

/** Returns the id of the account to act on; undefined if no account is selected and the credentials cannot access exactly one account. */
function chosenAccount(session: Session): Promise<string | undefined> {
  return session.accountId().catch((error: unknown) => {
    if (isProblem(error) && error.code === 'account-not-chosen') return undefined;
    throw error;
  });
}

/**
 * Chooses a zone as `chooseZone` does, but returns the zone with its attributes. If the attributes cannot be read, uses the id as the
 * zone's name.
 */
export async function findChosenZone(session: Session): Promise<{ readonly zone: Zone } | ZoneMenu> {
  const choice = await chooseZone(session);
  if ('zones' in choice) return choice;
  const { zoneId: id } = choice;
  const zone = await gatherFact(() => readZone(session, id));
  return { zone: 'known' in zone ? zone.known : { id, name: id } };
}

/** Returns the first zones that the credentials can access, in one account if `account` is given. */
export async function readZoneMenu(session: Session, account?: string): Promise<ZoneMenu> {
  const zones: Zone[] = [];
  const filter = account === undefined ? {} : { 'account.id': account };
  for await (const page of listZones(session, filter)) {
    zones.push(...page);
    if (zones.length > offeredZones) break;
  }
  return { zones: zones.slice(0, offeredZones), more: zones.length > offeredZones };
}
