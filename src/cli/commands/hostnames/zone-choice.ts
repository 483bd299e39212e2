import { Problem } from '../../../model/problem.ts';
import type { Session } from '../../../services/session/session.ts';
import { chooseZone, type ZoneMenu } from '../../../services/zones/choice.ts';
import { findZone } from '../../../services/zones/zones.ts';
import type { Context } from '../../parsing/command.ts';

/** A session and the selected zone. */
export interface OpenZone {
  readonly session: Session;
  readonly zoneId: string;
}

/**
 * Opens the session and finds the zone. If no zone is selected and the credentials can access several zones, throws an error that lists the
 * zones.
 */
export async function openZone(
  context: Context,
  flags: { readonly zone: string | undefined },
): Promise<OpenZone> {
  const session = await context.session();
  if (flags.zone !== undefined) return { session, zoneId: await namedZone(session, flags.zone) };
  const choice = await chooseZone(session);
  if ('zones' in choice) throw several(choice);
  return { session, zoneId: choice.zoneId };
}

async function namedZone(session: Session, name: string): Promise<string> {
  if (session.choice.zoneId !== undefined) {
    throw new Problem('usage', '--zone and --zone-id cannot be used together.');
  }
  const zone = await findZone(session, name);
  if (zone !== undefined) return zone.id;
  throw new Problem('not-found', `The credentials cannot access a zone named "${name}".`, {
    hint: 'Check the name, and that the token has "Zone: Read" for the zone. --zone-id accepts an id without a lookup.',
  });
}

/** Maximum number of zones listed in the error for a missing zone choice. */
const listedZones = 20;

function several({ zones, more }: ZoneMenu): Problem {
  const lines = zones.slice(0, listedZones).map(({ id, name }) => `  ${id}  ${name}`);
  const rest = more || zones.length > listedZones ? ['  …'] : [];
  const count = more ? `more than ${zones.length}` : zones.length;
  return new Problem(
    'usage',
    `The credentials can access ${count} zones:\n${[...lines, ...rest].join('\n')}`,
    {
      hint: 'Choose one with --zone NAME, --zone-id, EDGECTL_ZONE_ID, or zone_id in the configuration or the profile.',
    },
  );
}
