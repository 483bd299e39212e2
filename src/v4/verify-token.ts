import * as v from 'valibot';
import { orMissing } from '../model/json-record.ts';
import { isProblem } from '../model/problem.ts';
import { callResult } from './client.ts';
import { buildPath } from './path.ts';
import type { Call, Send } from './send.ts';

const tokenShape = v.object({ id: v.string(), status: v.string(), expires_on: orMissing(v.string()) });

/** A token as the platform knows it. `expires_on` is ISO 8601. */
export type VerifiedToken = v.InferOutput<typeof tokenShape>;

/**
 * Queries the platform for the token that signs the calls, and returns the path segments of its owner. The account
 * route does not recognize a user's token, nor the user route an account's token. Refuses a token that neither route
 * recognizes, with the response of the user route, and with the account route's reason if that differs.
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

/** Rethrows the second failure; if that also only means that the token is unknown, rethrows the first. */
function unlessUnknown(first: unknown): (other: unknown) => never {
  return (other) => {
    throw isUnknown(other) ? first : other;
  };
}

function isUnknown(error: unknown): boolean {
  return isProblem(error) && ['not-signed-in', 'not-permitted'].includes(error.code);
}
