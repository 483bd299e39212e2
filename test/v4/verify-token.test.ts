import { expect, test } from 'vitest';
import { isProblem, Problem } from '../../src/model/problem.ts';
import type { Answer, Send } from '../../src/v4/send.ts';
import { verifyToken } from '../../src/v4/verify-token.ts';

const account = 'a'.repeat(32);
const token = { id: 't'.repeat(32), status: 'active' };

/** Creates a platform that answers each path with a status; with 200, the answer contains the token. */
function platform(statuses: Readonly<Record<string, number>>): { send: Send; asked: string[] } {
  const asked: string[] = [];
  const send: Send = async ({ path }): Promise<Answer> => {
    asked.push(path);
    const status = statuses[path] ?? 404;
    const failed = { success: false, errors: [{ code: 1000, message: `no ${path}` }], result: null };
    const body = status === 200 ? { success: true, errors: [], result: token } : failed;
    return {
      status,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(body)),
    };
  };
  return { send, asked };
}

const ofUser = '/user/tokens/verify';
const ofAccount = `/accounts/${account}/tokens/verify`;

test.each([
  [{ [ofUser]: 200 }, ['user']],
  [{ [ofUser]: 401, [ofAccount]: 200 }, ['accounts', account]],
  [{ [ofUser]: 403, [ofAccount]: 200 }, ['accounts', account]],
])('finds the owner of the token: %j', async (statuses, owner) => {
  const { send } = platform(statuses);
  expect(await verifyToken(send, async () => account)).toEqual({ owner, token });
});

test.each([
  [
    'neither the user nor the account has the token',
    { [ofUser]: 401, [ofAccount]: 403 },
    account,
    'not-signed-in',
    2,
  ],
  ['the account is unknown', { [ofUser]: 401 }, undefined, 'not-signed-in', 1],
  ['the platform fails', { [ofUser]: 500 }, account, 'unavailable', 1],
  [
    'the account is not chosen',
    { [ofUser]: 401 },
    new Problem('account-not-chosen', 'Two.'),
    'account-not-chosen',
    1,
  ],
  ['no account has the token', { [ofUser]: 401 }, new Problem('not-permitted', 'No.'), 'not-signed-in', 1],
  ['the account route fails', { [ofUser]: 401, [ofAccount]: 500 }, account, 'unavailable', 2],
] as const)('refuses the token if %s', async (_, statuses, accountId, code, calls) => {
  const { send, asked } = platform(statuses);
  const refused = await verifyToken(send, async () => {
    if (isProblem(accountId)) throw accountId;
    return accountId;
  }).catch((error: unknown) => error);
  expect(isProblem(refused) && refused.code).toBe(code);
  expect(asked).toHaveLength(calls);
});
