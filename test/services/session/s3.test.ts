import { expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { s3Over } from '../../../src/services/session/s3.ts';
import { ok, refusedAll } from '../../../src/v4/envelope.ts';
import type { Send } from '../../../src/v4/send.ts';
import { testWorld } from '../../support/world.ts';

const refusedUser = refusedAll(401, [{ code: 1000, message: 'Invalid API Token' }]);
const info = ok({ s3Endpoint: 'http://127.0.0.1:9' });

/** Returns the message that a caller of the S3 API gets on a platform whose account is unknown. */
function access(send: Send, why: Problem): Promise<unknown> {
  const accountId = () => Promise.reject(why);
  const auth = async () => ({ token: 'of-an-account' });
  const platform = {
    send,
    apiBaseUrl: 'http://127.0.0.1:8/client/v4',
    auth,
    byEnvironment: false,
    accountId,
  };
  return s3Over(testWorld(), platform, { note: () => undefined }).access();
}

test('explains that no access key can be derived: unknown account, or missing server', async () => {
  const why = new Problem('account-not-chosen', 'The credentials reach 2 accounts.');
  const answers: Send = async ({ path }) => (path === '/sandbox/info' ? info : refusedUser);
  await expect(access(answers, why)).rejects.toBe(why);
  const away = new Problem('unreachable', 'Nobody answers at 127.0.0.1:8.');
  await expect(access(() => Promise.reject(away), why)).rejects.toBe(away);
});
