import * as v from 'valibot';
import { orMissing } from '../../model/json-record.ts';
import { isProblem, Problem } from '../../model/problem.ts';
import type { account, identity } from '../../model/session/session-shape.ts';
import type { ValueOf } from '../../model/shape.ts';
import { formatPlaceName } from '../../model/where.ts';
import { callResult } from '../../v4/client.ts';
import { numberedPages } from '../../v4/pages.ts';
import { buildPath } from '../../v4/path.ts';
import type { Call, Send } from '../../v4/send.ts';
import type { Session } from './session.ts';

export type Account = ValueOf<typeof account>;

/** The user's identity on a platform, as shown by `whoami`. */
export type Identity = ValueOf<typeof identity>;

const accountsShape = v.array(v.object({ id: v.string(), name: v.string() }));
const userShape = v.object({ email: orMissing(v.string()) });

/** Returns the accounts that the credentials can access. */
export async function listAccounts(send: Send): Promise<Account[]> {
  const accounts: Account[] = [];
  const pages = numberedPages(
    send,
    (page) => getCall(buildPath(['accounts'], { page, per_page: 50 })),
    (result) => v.parse(accountsShape, result),
  );
  for await (const page of pages) accounts.push(...page);
  return accounts;
}

/**
 * Returns the id of the only account that the credentials can access. Throws account-not-chosen if the credentials can access several
 * accounts or none.
 */
export async function onlyAccount(send: Send): Promise<string> {
  const accounts = await listAccounts(send);
  const [first] = accounts;
  if (first !== undefined && accounts.length === 1) return first.id;
  if (first === undefined) {
    throw new Problem('account-not-chosen', 'The credentials cannot access any account.', {
      remedy: { kind: 'give-account' },
    });
  }
  const list = accounts.map(({ id, name }) => `  ${id}  ${name}`).join('\n');
  throw new Problem(
    'account-not-chosen',
    `The credentials can access ${accounts.length} accounts:\n${list}`,
    {
      remedy: { kind: 'choose-account' },
    },
  );
}

/** Reads the user and the accounts of the credentials from the platform. Throws not-signed-in if the platform rejects the credentials. */
export async function describeIdentity(session: Session): Promise<Identity> {
  const email = await readEmail(session.send);
  const accounts = await listAccounts(session.send);
  const accountId = await session.accountId().catch((error: unknown) => {
    if (isProblem(error) && error.code === 'account-not-chosen') return undefined;
    throw error;
  });
  return {
    profile: formatPlaceName(session.where),
    apiBaseUrl: session.where.baseUrl ?? null,
    signsInWith: session.credential ?? null,
    ...(email === undefined ? {} : { email }),
    ...(accountId === undefined ? {} : { accountId }),
    accounts,
  };
}

/** Returns the user's email address; undefined if the token is not allowed to read the user, which is common. */
async function readEmail(send: Send): Promise<string | undefined> {
  try {
    const { result } = await callResult(send, getCall('/user'), (value) => v.parse(userShape, value));
    return result.email;
  } catch (error) {
    if (isProblem(error) && error.code === 'not-permitted') return undefined;
    throw error;
  }
}

function getCall(path: string): Call {
  return { method: 'GET', path, headers: {}, repeatable: true };
}

/**
 * Throws if a session cannot be used: the platform does not respond or rejects the credentials, or no account is selected. Does not check a
 * token's permissions for an account.
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
