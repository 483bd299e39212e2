import { isProblem } from '../../model/problem.ts';
import { listAccounts } from './account.ts';
import type { Session } from './session.ts';

/**
 * Refuses where a session cannot act: nobody answers, the credentials are not accepted, or no account is chosen. What a token
 * may do with an account is seen when it is asked for.
 */
export async function checkAccess(session: Session): Promise<void> {
  if (session.where.kind === 'local') return;
  try {
    await listAccounts(session.send);
  } catch (error) {
    if (!isProblem(error) || error.code !== 'not-permitted') throw error;
  }
  await session.accountId();
}
