import { checkAccess, listAccounts } from '../session/account.ts';
import type { Session } from '../session/session.ts';
import { stoppable } from '../session/stoppable.ts';
import { readZoneMenu } from '../zones/choice.ts';

export type AccessService = ReturnType<typeof accessOver>;

/** As whom one can act with the credentials of a session. All refuse with a Problem. */
export function accessOver(session: Session) {
  return {
    /** Refuses where nobody answers, the credentials are not accepted, or no account is chosen. */
    check: (signal: AbortSignal) => checkAccess(stoppable(session, signal)),
    /** The accounts that they reach, and the one acted in. */
    async accounts(signal: AbortSignal) {
      const until = stoppable(session, signal);
      return { accounts: await listAccounts(until.send), present: await until.accountId() };
    },
    /** The zones that they reach, and the one that was chosen. */
    async zones(signal: AbortSignal) {
      return { ...(await readZoneMenu(stoppable(session, signal))), present: await session.zoneId() };
    },
  };
}
