import * as v from 'valibot';
import { orMissing } from '../model/json-record.ts';
import { isProblem } from '../model/problem.ts';
import { callResult } from './client.ts';
import { buildPath } from './path.ts';
import type { Call, Send } from './send.ts';

const tokenShape = v.object({ id: v.string(), status: v.string(), expires_on: orMissing(v.string()) });

/** A token as the platform reports it. `expires_on` is in ISO 8601 format. */
export type VerifiedToken = v.InferOutput<typeof tokenShape>;

/**
 * Queries the platform for the token that authorizes the calls, and returns the path segments of the token's owner. The account route does
 * not recognize tokens that belong to users, and the user route does not recognize tokens that belong to accounts. If neither route
 * recognizes the token, throws the error from the user route. If the account route fails for another reason, throws the error from the
 * account route.
 */
export async function verifyToken(
  send: Send,
  accountId: () => Promise<string | undefined>,
): Promise<{ readonly owner: readonly string[]; readonly token: VerifiedToken }> {
  const ask = async (owner: readonly string[]) => {
    const path = buildPath([...owner, 'tokens', 'verify']);
    const call: Call = { method: 'GET', path, headers: {}, repeatable: true };
    const { result } = await callResult(send, call, (value) => v.parse(tokenShape, value));
    return { owner, token: result };
  };
  try {
    return await ask(['user']);
  } catch (error) {
    const account = isUnknown(error) ? await accountId().catch(unlessUnknown(error)) : undefined;
    if (account === undefined) throw error;
    return ask(['accounts', account]).catch(unlessUnknown(error));
  }
}

/** Rethrows the second error. If the second error also means only that the token is unknown, rethrows the first error. */
function unlessUnknown(first: unknown): (other: unknown) => never {
  return (other) => {
    throw isUnknown(other) ? first : other;
  };
}

function isUnknown(error: unknown): boolean {
  return isProblem(error) && ['not-signed-in', 'not-permitted'].includes(error.code);
}
