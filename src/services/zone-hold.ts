import { parseZoneHold } from '../model/hostname-parse.ts';
import type { ZoneHold } from '../model/zone.ts';
import { callResult } from '../v4/client.ts';
import { changing, reading } from './hostname-calls.ts';
import type { Session } from './session.ts';

function path(zoneId: string): string[] {
  return ['zones', zoneId, 'hold'];
}

/** The hold of a zone. */
export async function readHold(session: Session, zoneId: string): Promise<ZoneHold> {
  return (await callResult(session.send, reading(path(zoneId)), parseZoneHold)).result;
}

/** Holds a zone: nobody else can add it. With subdomains, custom hostnames below it cannot be verified either. */
export async function setHold(
  session: Session,
  zoneId: string,
  includeSubdomains: boolean,
): Promise<ZoneHold> {
  const current = await readHold(session, zoneId);
  const call = current.hold
    ? changing('PATCH', path(zoneId), { include_subdomains: includeSubdomains })
    : {
        ...changing('POST', path(zoneId), undefined, { include_subdomains: includeSubdomains }),
        repeatable: true,
      };
  return (await callResult(session.send, call, parseZoneHold)).result;
}

export interface HoldRelease {
  /** Releases the hold over subdomains only; the zone itself stays held. */
  readonly subdomainsOnly: boolean;
  /** Milliseconds since the epoch at which the hold comes back; left out, it does not. */
  readonly until?: number | undefined;
}

/** Releases a hold, wholly or in part. */
export async function releaseHold(
  session: Session,
  zoneId: string,
  { subdomainsOnly, until }: HoldRelease,
): Promise<ZoneHold> {
  const after = until === undefined ? undefined : new Date(until).toISOString();
  const call = subdomainsOnly
    ? changing('PATCH', path(zoneId), { include_subdomains: false })
    : changing('DELETE', path(zoneId), undefined, { hold_after: after });
  return (await callResult(session.send, call, parseZoneHold)).result;
}
