import type { Session } from '../../../services/session/session.ts';
import { chooseZone } from '../../../services/zones/zones.ts';
import type { Context, Flags } from '../../parsing/command.ts';

/** Which zone, beside the global --zone-id. */
export const zoneFlags = {
  zone: { kind: 'text', placeholder: 'NAME', about: 'Zone to act on, by its name' },
} as const satisfies Flags;

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
