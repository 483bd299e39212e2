import Cloudflare from 'cloudflare';
import { startSandbox, type TestSandbox } from 'edgectl/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readTokenStatus } from '../../../src/sandbox/session/tokens.ts';
import { newPerson, runCommand } from '../../support/run-command.ts';

let sandbox: TestSandbox;
let root: Cloudflare;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: { zones: [{ name: 'other.demo' }] } });
  root = createClient(sandbox.apiToken);
});
afterAll(() => sandbox.close());

function createClient(apiToken: string): Cloudflare {
  return new Cloudflare({ apiToken, baseURL: sandbox.apiBaseUrl, maxRetries: 0 });
}

async function readGroups(...names: readonly string[]): Promise<{ id: string }[]> {
  const found: { id: string }[] = [];
  for await (const { id, name } of root.user.tokens.permissionGroups.list()) {
    if (id !== undefined && names.includes(name ?? '')) found.push({ id });
  }
  expect(found).toHaveLength(names.length);
  return found;
}

const account = () => ({ [`com.cloudflare.api.account.${sandbox.accountId}`]: '*' });
const zone = () => ({ [`com.cloudflare.api.account.zone.${sandbox.zoneId}`]: '*' });

async function tokenWith(resources: Record<string, string>, ...names: readonly string[]) {
  const policies = [{ effect: 'allow' as const, permission_groups: await readGroups(...names), resources }];
  const { id = '', value = '' } = await root.user.tokens.create({ name: names.join(), policies });
  return { id, value, client: createClient(value) };
}

/** Returns the status and error code of a refusal. */
async function refusal(asked: PromiseLike<unknown>): Promise<unknown> {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof Cloudflare.APIError ? [error.status, error.errors[0]?.code] : error;
}

test('a token can perform the operations that its policies allow, and write permission includes read', async () => {
  const { accountId: account_id, zoneId: zone_id } = sandbox;
  const { client } = await tokenWith(account(), 'Workers KV Storage Write');
  await client.kv.namespaces.create({ account_id, title: 'created by a token' });
  expect((await client.kv.namespaces.list({ account_id })).result).toHaveLength(1);
  expect(await refusal(client.r2.buckets.list({ account_id }))).toEqual([403, 10_000]);
  expect(await refusal(client.customHostnames.list({ zone_id }))).toEqual([403, 9109]);
  const reader = (await tokenWith(account(), 'Workers KV Storage Read')).client;
  expect(await refusal(reader.kv.namespaces.create({ account_id, title: 'more' }))).toEqual([403, 10_000]);
});

// SDK user/tokens, PermissionGroupListResponse.scopes: the kind of resource to which a group applies.
test('user permission groups are rejected for an account or a zone, and account and zone groups for a user', async () => {
  const user = { 'com.cloudflare.api.user.*': '*' };
  expect(await refusal(tokenWith(account(), 'Memberships Read'))).toEqual([400, 10_012]);
  expect(await refusal(tokenWith(zone(), 'Memberships Read'))).toEqual([400, 10_012]);
  expect(await refusal(tokenWith(user, 'Workers KV Storage Read'))).toEqual([400, 10_012]);
  const { client } = await tokenWith(user, 'User Details Read');
  expect(await client.user.get()).toMatchObject({ id: expect.any(String) });
});

test('a token of one zone cannot see another zone', async () => {
  const { client } = await tokenWith(zone(), 'Zone Read', 'DNS Write');
  expect((await client.zones.list()).result.map(({ name }) => name)).toEqual(['saas.sandbox']);
  await client.dns.records.create({
    zone_id: sandbox.zoneId,
    type: 'A',
    name: 'a',
    content: '192.0.2.1',
    ttl: 1,
  });
  const other = (await root.zones.list({ name: 'other.demo' })).result[0]?.id ?? '';
  expect(await refusal(client.dns.records.list({ zone_id: other }))).toEqual([403, 9109]);
});

test('edgectl names the missing permission', async () => {
  const { value } = await tokenWith(account(), 'Workers R2 Storage Read');
  const env = { ...sandbox.env, EDGECTL_API_TOKEN: value, CLOUDFLARE_API_TOKEN: value };
  const ran = await runCommand(newPerson(env), ['kv', 'namespace', 'list']);
  expect(ran.code).toBe(4);
  expect(ran.err).toContain('need "Workers KV Storage: Read"');
});

test('a token is verified, rolled, disabled, expired and deleted', async () => {
  const { id, value, client } = await tokenWith(account(), 'Account Settings Read');
  expect(await client.user.tokens.verify()).toMatchObject({ id, status: 'active' });
  const rolled = createClient(await root.user.tokens.value.update(id, { body: {} }));
  expect(await refusal(createClient(value).user.tokens.verify())).toEqual([401, 1000]);
  const { name = '', policies = [] } = await root.user.tokens.get(id);
  await root.user.tokens.update(id, { name, policies, status: 'disabled' });
  expect(await refusal(rolled.user.tokens.verify())).toEqual([401, 1000]);
  const until = new Date(Date.now() + 3_600_000).toISOString();
  await root.user.tokens.update(id, { name, policies, expires_on: until });
  expect(await rolled.user.tokens.verify()).toMatchObject({ id });
  await sandbox.advanceClock(3601);
  expect(await refusal(rolled.user.tokens.verify())).toEqual([401, 1000]);
  await root.user.tokens.delete(id);
  expect(await refusal(root.user.tokens.get(id))).toEqual([404, 1003]);
});

test('a token with a condition is accepted only from its addresses, and a policy that denies takes precedence', async () => {
  const { accountId: account_id } = sandbox;
  const permission_groups = await readGroups('Workers KV Storage Write');
  const allow = { effect: 'allow' as const, permission_groups, resources: account() };
  const makeFrom = async (request_ip: { in?: string[]; not_in?: string[] }, more: object[] = []) => {
    const policies = [allow, ...(more as (typeof allow)[])];
    const condition = { request_ip };
    const { value = '' } = await root.user.tokens.create({ name: 'from', policies, condition });
    return createClient(value).kv.namespaces.list({ account_id });
  };
  await makeFrom({ in: ['127.0.0.0/8', '::1'], not_in: ['192.0.2.0/24'] });
  expect(await refusal(makeFrom({ in: ['10.0.0.0/8'] }))).toEqual([403, 9109]);
  expect(await refusal(makeFrom({ not_in: ['127.0.0.1'] }))).toEqual([403, 9109]);
  expect(await refusal(makeFrom({ in: ['10.0.0.0/33'] }))).toEqual([400, 10_012]);
  const deny = { ...allow, effect: 'deny' as const, resources: { 'com.cloudflare.api.account.*': '*' } };
  expect(await refusal(makeFrom({}, [deny]))).toEqual([403, 10_000]);
});

test('account tokens are separate from user tokens', async () => {
  const { accountId: account_id } = sandbox;
  const policies = [
    {
      effect: 'allow' as const,
      permission_groups: await readGroups('Workers Scripts Read'),
      resources: account(),
    },
  ];
  const { id } = await root.accounts.tokens.create({ account_id, name: 'of the account', policies });
  const ids = (await root.accounts.tokens.list({ account_id })).result.map((one) => one.id);
  expect(ids).toEqual([id]);
  expect((await root.user.tokens.list()).result.map((one) => one.id)).not.toContain(id);
  const own = createClient(await root.accounts.tokens.value.update(id ?? '', { account_id }));
  expect(await own.accounts.tokens.verify({ account_id })).toMatchObject({ id, status: 'active' });
  expect(await refusal(own.user.tokens.verify())).toEqual([401, 1000]);
  const strange = { 'com.cloudflare.api.account.*': '*' };
  const wide = [
    { effect: 'allow' as const, permission_groups: await readGroups('DNS Read'), resources: strange },
  ];
  const asked = root.accounts.tokens.create({ account_id, name: 'wide', policies: wide });
  expect(await refusal(asked)).toEqual([400, 10_012]);
  const unknown = [
    { effect: 'allow' as const, permission_groups: [{ id: 'f'.repeat(32) }], resources: account() },
  ];
  expect(await refusal(root.user.tokens.create({ name: 'x', policies: unknown }))).toEqual([400, 10_012]);
});

test('a strict sandbox rejects a token for all accounts', async () => {
  await using strict = await startSandbox({ strict: true });
  const client = new Cloudflare({ apiToken: strict.apiToken, baseURL: strict.apiBaseUrl, maxRetries: 0 });
  const policies = [
    {
      effect: 'allow' as const,
      permission_groups: await readGroups('Workers KV Storage Read'),
      resources: { 'com.cloudflare.api.account.*': '*' },
    },
  ];
  const { value = '' } = await client.user.tokens.create({ name: 'wide', policies });
  const wide = new Cloudflare({ apiToken: value, baseURL: strict.apiBaseUrl, maxRetries: 0 });
  expect(await refusal(wide.kv.namespaces.list({ account_id: strict.accountId }))).toEqual([403, 9109]);
  const [last] = (await strict.requests()).slice(-1);
  expect(last?.rule).toContain('strict: the token has access to all of com.cloudflare.api.account.*');
});

// The provider's API reference, `expires_on`: the time on or after which the token is not accepted.
test('a token expires exactly at its expiry time', () => {
  const moment = Date.UTC(2030, 0, 1);
  const made = { id: 'i', name: 'n', owner: 'user', hash: 'h', status: 'active', policies: [] } as const;
  const token = { ...made, issuedOn: 0, modifiedOn: 0, expiresOn: moment };
  expect([readTokenStatus(token, moment - 1), readTokenStatus(token, moment)]).toEqual(['active', 'expired']);
});
