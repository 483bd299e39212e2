import type { Session } from '../../../services/session/session.ts';
import { chooseZone } from '../../../services/zones/zones.ts';
import type { Context } from '../../parsing/command.ts';

/** A session and the zone it acts on. */
export interface OpenZone {
  readonly session: Session;
  readonly zoneId: string;
}

/** Opens the session and finds the zone. Refuses when none is chosen and there are several. */
export async function openZone(
  context: Context,
  flags: { readonly zone: string | undefined },
): Promise<OpenZone> {
  const session = await context.session();
  return { session, zoneId: await chooseZone(session, flags.zone) };
}
