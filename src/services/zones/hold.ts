import * as v from 'valibot';
import { parseZoneHold } from '../../model/hostnames/parse.ts';
import type { ZoneHold } from '../../model/zones/zone.ts';
import { callResult } from '../../v4/client.ts';
import { changing, reading } from '../hostnames/calls.ts';
import { unconfirmedProblem } from '../session/agreement.ts';
import type { Session } from '../session/session.ts';

function path(zoneId: string): string[] {
  return ['zones', zoneId, 'hold'];
}

/** Reads the hold on a zone. */
export async function readHold(session: Session, zoneId: string): Promise<ZoneHold> {
  return (await callResult(session.send, reading(path(zoneId)), parseZoneHold)).result;
}

/**
 * Sets a hold on a zone, so that other accounts cannot add the zone. If the hold includes subdomains, custom hostnames below the zone cannot
 * be verified either.
 */
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
  const { result } = await callResult(session.send, call, writtenHold(includeSubdomains));
  if (!result.hold) throw unconfirmedProblem('Setting the zone hold', 'no hold');
  if (result.includeSubdomains !== includeSubdomains)
    throw unconfirmedProblem('Setting the zone hold', otherSubdomains(result));
  return result;
}

const writtenShape = v.object({ include_subdomains: v.optional(v.unknown()) });

/** Returns a parser for the response to a change. If the response does not contain the setting for subdomains, uses the requested value. */
function writtenHold(subdomains: boolean): (value: unknown) => ZoneHold {
  return (value) => {
    const hold = parseZoneHold(value);
    const { include_subdomains: subdomainsAnswered } = v.parse(writtenShape, value);
    return subdomainsAnswered === null || subdomainsAnswered === undefined
      ? { ...hold, includeSubdomains: subdomains }
      : hold;
  };
}

function otherSubdomains({ includeSubdomains }: ZoneHold): string {
  return `a hold that ${includeSubdomains ? 'includes' : 'does not include'} subdomains`;
}

export interface HoldRelease {
  /** Whether to release only the subdomains. The hold on the zone itself remains. */
  readonly subdomainsOnly: boolean;
  /** Time at which the hold is set again, in milliseconds since the epoch (default: never). */
  readonly until?: number | undefined;
}

/** Releases the hold on a zone, or only on its subdomains. */
export async function releaseHold(
  session: Session,
  zoneId: string,
  { subdomainsOnly, until }: HoldRelease,
): Promise<ZoneHold> {
  const after = until === undefined ? undefined : new Date(until).toISOString();
  const call = subdomainsOnly
    ? changing('PATCH', path(zoneId), { include_subdomains: false })
    : changing('DELETE', path(zoneId), undefined, { hold_after: after });
  const { result } = await callResult(session.send, call, writtenHold(false));
  if (subdomainsOnly && result.includeSubdomains)
    throw unconfirmedProblem('Releasing the hold on subdomains', otherSubdomains(result));
  if (!subdomainsOnly && result.hold) throw unconfirmedProblem('Releasing the zone hold', 'a hold');
  return result;
}
