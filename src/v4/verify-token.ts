import * as v from 'valibot';
import { isProblem } from '../model/problem.ts';
import { callResult } from './client.ts';
import { pathOf } from './path.ts';
import type { Call, Send } from './send.ts';

const tokenShape = v.object({ id: v.string(), status: v.string(), expires_on: v.optional(v.string()) });

/** A token as the platform knows it. `expires_on` is ISO 8601. */
export type VerifiedToken = v.InferOutput<typeof tokenShape>;

/**
 * Asks the platform about the token that signs the calls, and returns the segments of its owner's path. The account does not
 * know a user's token, nor the user an account's token. Refuses a token that neither knows, with the answer of the user's
 * route, and with why the account is unknown if that has another reason.
 */
export async function verifyToken(
  send: Send,
  accountId: () => Promise<string | undefined>,
): Promise<{ readonly owner: readonly string[]; readonly token: VerifiedToken }> {
  const ask = async (owner: readonly string[]) => {
    const path = pathOf([...owner, 'tokens', 'verify']);
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

/** Passes another failure on: where that, too, is only that nobody knows the token, the first one says it. */
function unlessUnknown(first: unknown): (other: unknown) => never {
  return (other) => {
    throw isUnknown(other) ? first : other;
  };
}

function isUnknown(error: unknown): boolean {
  return isProblem(error) && ['not-signed-in', 'not-permitted'].includes(error.code);
}
