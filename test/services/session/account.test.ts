import { expect, test } from 'vitest';
import { listAccounts, onlyAccount } from '../../../src/services/session/account.ts';
import type { Send } from '../../../src/v4/send.ts';

function platformWith(...names: string[]): Send {
  return async ({ path }) => {
    const page = Number(/[?&]page=(\d+)/.exec(path)?.[1]);
    const result = names.slice((page - 1) * 50, page * 50).map((name) => ({ id: `id-${name}`, name }));
    const envelope = { success: true, errors: [], result, result_info: { total_count: names.length } };
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(envelope)) };
  };
}

test('uses the only account of the credentials', async () => {
  expect(await onlyAccount(platformWith('acme'))).toBe('id-acme');
});

test('lists several accounts, and does not guess one', async () => {
  await expect(onlyAccount(platformWith('acme', 'globex'))).rejects.toMatchObject({
    code: 'account-not-chosen',
    message: expect.stringMatching(/id-acme {2}acme\n {2}id-globex {2}globex/),
    remedy: { kind: 'choose-account' },
  });
});

test('reports credentials without an account as a separate error', async () => {
  await expect(onlyAccount(platformWith())).rejects.toMatchObject({ code: 'account-not-chosen' });
});

test('reads all pages of accounts', async () => {
  const names = Array.from({ length: 120 }, (_, at) => `a${at}`);
  expect(await listAccounts(platformWith(...names))).toHaveLength(120);
});
