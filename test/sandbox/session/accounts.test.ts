import Cloudflare from 'cloudflare';
import { startSandbox, type TestSandbox } from 'edgectl/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';

const staging = 'a5'.repeat(16);
const seed = {
  namespaces: [{ title: 'flags', keys: [{ key: 'search', value: 'on' }] }],
  accounts: [
    { name: 'Production', buckets: [{ name: 'assets', objects: [{ key: 'logo', body: 'real' }] }] },
    {
      name: 'Staging',
      id: staging,
      namespaces: [{ title: 'flags', keys: [{ key: 'search', value: 'off' }] }],
      buckets: [{ name: 'assets', objects: [{ key: 'logo', body: 'draft' }] }],
      workers: [{ name: 'shop', code: 'export default {};' }],
      zones: [{ name: 'staging.demo', records: [{ type: 'A', name: 'app', content: '192.0.2.7' }] }],
      hostnames: [{ hostname: 'www.tea-house.demo' }],
    },
  ],
};

let sandbox: TestSandbox;
let root: Cloudflare;

beforeAll(async () => {
  sandbox = await startSandbox({ seed });
  root = clientOf(sandbox.apiToken);
});
afterAll(() => sandbox.close());

function clientOf(apiToken: string): Cloudflare {
  return new Cloudflare({ apiToken, baseURL: sandbox.apiBaseUrl, maxRetries: 0 });
}

/** Status and code of a refusal. */
async function refusal(asked: PromiseLike<unknown>): Promise<unknown> {
  const error = await asked.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return error instanceof Cloudflare.APIError ? [error.status, error.errors[0]?.code] : error;
}

async function tokenWith(
  resources: Record<string, string>,
  ...names: readonly string[]
): Promise<Cloudflare> {
  const groups: { id: string }[] = [];
  for await (const { id, name } of root.user.tokens.permissionGroups.list())
    if (id !== undefined && names.includes(name ?? '')) groups.push({ id });
  const policies = [{ effect: 'allow' as const, permission_groups: groups, resources }];
  return clientOf((await root.user.tokens.create({ name: names.join(), policies })).value ?? '');
}

const ofAccount = (id: string) => ({ [`com.cloudflare.api.account.${id}`]: '*' });

test('lists the accounts of its seed, the default one first, by page, name and id', async () => {
  const names = (page: { result: { name: string }[] }) => page.result.map(({ name }) => name);
  expect(names(await root.accounts.list())).toEqual(['Production', 'Staging']);
  expect((await root.accounts.list()).result[0]?.id).toBe(sandbox.accountId);
  expect(names(await root.accounts.list({ page: 2, per_page: 1 }))).toEqual(['Staging']);
  expect(names(await root.accounts.list({ name: 'Staging' }))).toEqual(['Staging']);
  expect(await root.accounts.get({ account_id: staging })).toMatchObject({ id: staging, name: 'Staging' });
  expect(await refusal(root.accounts.get({ account_id: 'f'.repeat(32) }))).toEqual([403, 9109]);
});

test('keeps keys, objects and workers of one name apart', async () => {
  const read = async (account_id: string) => {
    const [namespace] = (await root.kv.namespaces.list({ account_id })).result;
    const value = await root.kv.namespaces.values.get('search', {
      account_id,
      namespace_id: namespace?.id ?? '',
    });
    const object = await root.get(`/accounts/${account_id}/r2/buckets/assets/objects/logo`, {
      __binaryResponse: true,
    });
    return [namespace?.title, await value.text(), await (object as Response).text()];
  };
  expect(await read(sandbox.accountId)).toEqual(['flags', 'on', 'real']);
  expect(await read(staging)).toEqual(['flags', 'off', 'draft']);
  const scripts = async (account_id: string) =>
    (await root.workers.scripts.list({ account_id })).result.map(({ id }) => id);
  expect(await scripts(sandbox.accountId)).toEqual([]);
  expect(await scripts(staging)).toEqual(['shop']);
  const [namespace] = (await root.kv.namespaces.list({ account_id: staging })).result;
  const strange = { account_id: sandbox.accountId };
  expect(await refusal(root.kv.namespaces.get(namespace?.id ?? '', strange))).toEqual([404, 10_013]);
  expect(await refusal(root.workers.scripts.delete(`${staging}.shop`, strange))).toEqual([404, 10_007]);
});

test('a zone names its account, and lists are narrowed by it', async () => {
  const names = async (id?: string) =>
    (await root.zones.list(id === undefined ? {} : { account: { id } })).result.map(({ name }) => name);
  expect(await names()).toEqual(['saas.sandbox', 'staging.demo']);
  expect(await names(sandbox.accountId)).toEqual(['saas.sandbox']);
  expect(await names(staging)).toEqual(['staging.demo']);
  const made = await root.zones.create({ account: { id: staging }, name: 'second.demo' });
  expect(made.account).toMatchObject({ id: staging, name: 'Staging' });
  expect(await refusal(root.zones.create({ account: { id: 'f'.repeat(32) }, name: 'x.demo' }))).toEqual([
    403, 9109,
  ]);
  await root.zones.delete({ zone_id: made.id });
});

test('a token of one account is refused at the other, and sees nothing of it', async () => {
  const client = await tokenWith(ofAccount(staging), 'Workers KV Storage Write', 'Account Settings Read');
  expect((await client.accounts.list()).result.map(({ id }) => id)).toEqual([staging]);
  expect((await client.kv.namespaces.list({ account_id: staging })).result).toHaveLength(1);
  const { accountId: account_id } = sandbox;
  expect(await refusal(client.kv.namespaces.list({ account_id }))).toEqual([403, 10_000]);
  expect(await refusal(client.accounts.get({ account_id }))).toEqual([403, 9109]);
  expect((await client.memberships.list()).result).toHaveLength(1);
});

test('a token of a zone reaches that of its account only', async () => {
  const [zone] = (await root.zones.list({ name: 'staging.demo' })).result;
  const resources = { [`com.cloudflare.api.account.zone.${zone?.id}`]: '*' };
  const client = await tokenWith(resources, 'DNS Read', 'Zone Read');
  expect((await client.dns.records.list({ zone_id: zone?.id ?? '' })).result).toHaveLength(1);
  expect(await refusal(client.dns.records.list({ zone_id: sandbox.zoneId }))).toEqual([403, 9109]);
});
