import { checkAccess } from '../session/access.ts';
import { type Account, listAccounts } from '../session/account.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import { readZoneMenu, type ZoneMenu } from '../zones/choice.ts';

/** As whom one can act with the credentials of a session. All refuse with a Problem. */
export interface AccessService {
  /** Refuses where nobody answers, the credentials are not accepted, or no account is chosen. */
  check(signal: AbortSignal): Promise<void>;
  /** The accounts that they reach, and the one acted in. */
  accounts(signal: AbortSignal): Promise<{ readonly accounts: readonly Account[]; readonly present: string }>;
  /** The zones that they reach, and the one that was chosen. */
  zones(signal: AbortSignal): Promise<ZoneMenu & { readonly present: string | undefined }>;
}

/** The real service over a session; local data have neither accounts nor zones. */
export function accessOver(session: Session): AccessService {
  return {
    check: (signal) => checkAccess(stoppable(session, signal)),
    async accounts(signal) {
      const until = stoppable(session, signal);
      return { accounts: await listAccounts(until.send), present: await until.accountId() };
    },
    async zones(signal) {
      return { ...(await readZoneMenu(stoppable(session, signal))), present: await session.zoneId() };
    },
  };
}
