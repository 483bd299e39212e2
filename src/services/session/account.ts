import * as v from 'valibot';
import { isProblem, Problem } from '../../model/problem.ts';
import { whereName } from '../../model/where.ts';
import { callResult } from '../../v4/client.ts';
import { numberedPages } from '../../v4/pages.ts';
import { pathOf } from '../../v4/path.ts';
import type { Call, Send } from '../../v4/send.ts';
import type { CredentialKind, Session } from './session.ts';

export interface Account {
  readonly id: string;
  readonly name: string;
}

/** Who edgectl is on a platform, as `whoami` shows it. */
export interface Identity {
  readonly profile: string;
  /** Of the platform; null where it runs in this process. */
  readonly apiBaseUrl: string | null;
  /** Kind of credential; null where none is needed. */
  readonly signsInWith: CredentialKind | null;
  readonly email?: string;
  readonly accountId?: string;
  readonly accounts: readonly Account[];
}

const accountsShape = v.array(v.object({ id: v.string(), name: v.string() }));
const userShape = v.object({ email: v.optional(v.string()) });

/** Accounts that the credentials reach. */
export async function listAccounts(send: Send): Promise<Account[]> {
  const accounts: Account[] = [];
  const pages = numberedPages(
    send,
    (page) => get(pathOf(['accounts'], { page, per_page: 50 })),
    (result) => v.parse(accountsShape, result),
  );
  for await (const page of pages) accounts.push(...page);
  return accounts;
}

/** The one account that the credentials reach. Refuses when there are several or none: nothing is guessed. */
export async function onlyAccount(send: Send): Promise<string> {
  const accounts = await listAccounts(send);
  const [first] = accounts;
  if (first !== undefined && accounts.length === 1) return first.id;
  if (first === undefined) {
    throw new Problem('account-not-chosen', 'The credentials reach no account.', {
      remedy: { kind: 'give-account' },
    });
  }
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join('\n');
  throw new Problem('account-not-chosen', `The credentials reach ${accounts.length} accounts:\n${list}`, {
    remedy: { kind: 'choose-account' },
  });
}

/** Asks the platform who the credentials belong to. Refuses with not-signed-in when it does not accept them. */
export async function describeIdentity(session: Session): Promise<Identity> {
  const email = await readEmail(session.send);
  const accounts = await listAccounts(session.send);
  const accountId = await session.accountId().catch((error: unknown) => {
    if (isProblem(error) && error.code === 'account-not-chosen') return undefined;
    throw error;
  });
  return {
    profile: whereName(session.where),
    apiBaseUrl: session.where.baseUrl ?? null,
    signsInWith: session.credential ?? null,
    ...(email === undefined ? {} : { email }),
    ...(accountId === undefined ? {} : { accountId }),
    accounts,
  };
}

/** Many tokens may not read the user: then there is no e-mail, which is no fault. */
async function readEmail(send: Send): Promise<string | undefined> {
  try {
    const { result } = await callResult(send, get('/user'), (value) => v.parse(userShape, value));
    return result.email;
  } catch (error) {
    if (isProblem(error) && error.code === 'not-permitted') return undefined;
    throw error;
  }
}

function get(path: string): Call {
  return { method: 'GET', path, headers: {}, repeatable: true };
}

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
