import { check, type DoctorCheck } from '../../model/doctor/check.ts';
import type { Session } from '../session/session.ts';
import { chooseZone } from '../zones/choice.ts';
import { type Acting, describeOrigin } from './acting.ts';
import { failedCheck } from './failed.ts';

/** The ids of the account and the zone that commands use, and the checks that report them. */
export interface Place {
  readonly checks: readonly DoctorCheck[];
  readonly account: string | undefined;
  readonly zone: string | undefined;
}

/** Finds the account and the zone that commands use, and their sources. Queries the platform for an id that is not specified. */
export async function findPlace(session: Session, acting: Acting): Promise<Place> {
  const [account, zone] = await Promise.all([findAccount(session, acting), findZone(session, acting)]);
  return { checks: [account.check, zone.check], account: account.id, zone: zone.id };
}

interface Found {
  readonly id?: string;
  readonly check: DoctorCheck;
}

async function findAccount(session: Session, { credentials, project }: Acting): Promise<Found> {
  try {
    const id = await session.accountId();
    const origin = credentials?.accountId === id ? credentials.accountOrigin : undefined;
    const from = origin === undefined ? undefined : await describeOrigin('account', origin, project);
    return { id, check: idCheck('account', id, from ?? ownPlaceCheck(session, 'account')) };
  } catch (error) {
    return { check: failedCheck('account', error) };
  }
}

async function findZone(session: Session, { credentials, project }: Acting): Promise<Found> {
  try {
    const choice = await chooseZone(session);
    if ('zones' in choice) {
      const { zones, more } = choice;
      const count = `${zones.length}${more ? ' or more' : ''}`;
      return {
        check: check.ok('zone', `None chosen; the credentials can access ${count}`, {
          reached: zones.length,
        }),
      };
    }
    const { zoneId: id } = choice;
    const origin = credentials?.zoneId === id ? credentials.zoneOrigin : undefined;
    const from = origin === undefined ? undefined : await describeOrigin('zone', origin, project);
    return { id, check: idCheck('zone', id, from ?? ownPlaceCheck(session, 'zone')) };
  } catch (error) {
    const { message, hint, remedy } = failedCheck('zone', error);
    return { check: check.warning('zone', message, { hint, remedy }) };
  }
}

function idCheck(kind: 'account' | 'zone', id: string, from: string): DoctorCheck {
  return check.ok(kind, `${id} (${from})`, { id, from });
}

function ownPlaceCheck({ where, choice }: Session, kind: 'account' | 'zone'): string {
  const isOwn = where.kind === 'sandbox' && choice.accountId === undefined;
  return isOwn ? "the sandbox's own" : `the only ${kind} that the credentials can access`;
}
