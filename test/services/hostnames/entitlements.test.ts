import { afterAll, beforeAll, expect, test } from 'vitest';
import { openStage, origin, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.close());

const wildcard = ['wild.acme.com', '--wildcard'] as const;
const metadata = ['--metadata', '{"plan":"gold"}'] as const;

const agree = (change: object) => stage.api('PUT', '/sandbox/entitlements', change);
const create = (...argv: readonly string[]) => stage.edgectl('hostname', 'create', ...argv);
const edit = (...argv: readonly string[]) => stage.edgectl('hostname', 'edit', ...argv);

test('refuses metadata for wildcards in a zone that has disabled it (1412), and accepts it after the zone enables it', async () => {
  await agree({ wildcard_metadata: false });
  const refused = await create(...wildcard, ...metadata);
  expect(refused).toMatchObject({ code: 1, out: '' });
  expect(refused.err).toContain('code 1412, HTTP 400');
  expect(refused.err).toContain('omit --metadata');
  expect((await create('shop.acme.com', ...metadata)).code).toBe(0);
  expect((await create(...wildcard)).code).toBe(0);
  const changes = [
    ['wild.acme.com', ...metadata],
    ['shop.acme.com', '--wildcard', '--method', 'txt'],
  ];
  for (const change of changes) expect((await edit(...change)).err).toContain('code 1412');
  expect((await edit('wild.acme.com', '--min-tls', '1.2')).code).toBe(0);
  await agree({ wildcard_metadata: true });
  expect((await edit('wild.acme.com', ...metadata)).code).toBe(0);
});

test('refuses custom origins in a zone without that entitlement (1414), and does not report a missing permission', async () => {
  await agree({ custom_origin: false });
  const refused = await create('own.acme.com', '--origin', origin);
  expect(refused).toMatchObject({ code: 4, out: '' });
  expect(refused.err).toContain('code 1414, HTTP 403');
  expect(refused.err).toContain('omit --origin to use the fallback origin');
  expect(refused.err).not.toContain('token');
  expect((await create('own.acme.com')).code).toBe(0);
  expect((await edit('own.acme.com', '--origin', origin)).err).toContain('code 1414');
  await agree({ custom_origin: true });
  expect((await edit('own.acme.com', '--origin', origin)).code).toBe(0);
});

test('refuses an unknown entitlement', async () => {
  await expect(agree({ gold: true })).rejects.toThrow('wildcard_metadata and custom_origin');
});
