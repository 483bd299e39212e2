import { readFileSync } from 'node:fs';
import Cloudflare from 'cloudflare';
import { startSandbox, type TestSandbox } from 'edgectl/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Seed } from '../../../src/model/sandbox/seed.ts';
import { signatureHeaders } from '../../../src/s3/sign.ts';
import { sha256 } from '../../../src/s3/signature.ts';
import { newPerson, runCommand } from '../../support/run-command.ts';

const staging = 'a5'.repeat(16);
/** The example in docs/sandbox.md. */
const [, seed = ''] =
  /## Several accounts\n\n```yaml\n(.*?)```/s.exec(readFileSync('docs/sandbox.md', 'utf8')) ?? [];

let sandbox: TestSandbox;
let root: Cloudflare;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: parse(seed) as Seed });
  root = createClient(sandbox.apiToken);
});
afterAll(() => sandbox.close());

function createClient(apiToken: string): Cloudflare {
  return new Cloudflare({ apiToken, baseURL: sandbox.apiBaseUrl, maxRetries: 0 });
}

/** Returns the status and error code of a refusal. */
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
  return createClient((await newToken(resources, ...names)).value ?? '');
}

async function newToken(resources: Record<string, string>, ...names: readonly string[]) {
  const groups: { id: string }[] = [];
  for await (const { id, name } of root.user.tokens.permissionGroups.list())
    if (id !== undefined && names.includes(name ?? '')) groups.push({ id });
  const policies = [{ effect: 'allow' as const, permission_groups: groups, resources }];
  return root.user.tokens.create({ name: names.join(), policies });
}

const ofAccount = (id: string) => ({ [`com.cloudflare.api.account.${id}`]: '*' });

test('lists the accounts of its seed, the default account first, by page, name and id', async () => {
  const names = (page: { result: { name: string }[] }) => page.result.map(({ name }) => name);
  expect(names(await root.accounts.list())).toEqual(['Production', 'Staging']);
  expect((await root.accounts.list()).result[0]?.id).toBe(sandbox.accountId);
  expect(names(await root.accounts.list({ page: 2, per_page: 1 }))).toEqual(['Staging']);
  expect(names(await root.accounts.list({ name: 'Staging' }))).toEqual(['Staging']);
  expect(await root.accounts.get({ account_id: staging })).toMatchObject({ id: staging, name: 'Staging' });
  expect(await refusal(root.accounts.get({ account_id: 'f'.repeat(32) }))).toEqual([403, 9109]);
});

test('separates keys, objects and workers of the same name', async () => {
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

test('a zone names its account, and lists can be filtered by account', async () => {
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

test('rejects a token of one account in another account, and hides the data of the other account', async () => {
  const client = await tokenWith(ofAccount(staging), 'Workers KV Storage Write', 'Account Settings Read');
  expect((await client.accounts.list()).result.map(({ id }) => id)).toEqual([staging]);
  expect((await client.kv.namespaces.list({ account_id: staging })).result).toHaveLength(1);
  const { accountId: account_id } = sandbox;
  expect(await refusal(client.kv.namespaces.list({ account_id }))).toEqual([403, 10_000]);
  expect(await refusal(client.accounts.get({ account_id }))).toEqual([403, 9109]);
  const memberships = async (from: Cloudflare, query: object = {}) =>
    (await from.memberships.list(query)).result.map(({ account }) => account?.name);
  expect(await memberships(client)).toEqual(['Staging']);
  expect(await memberships(root)).toEqual(['Production', 'Staging']);
  expect(await memberships(root, { account: { name: 'Staging' } })).toEqual(['Staging']);
});

test('a token of a zone reaches only the account of the zone', async () => {
  const [zone] = (await root.zones.list({ name: 'staging.demo' })).result;
  const resources = { [`com.cloudflare.api.account.zone.${zone?.id}`]: '*' };
  const client = await tokenWith(resources, 'DNS Read', 'Zone Read');
  expect((await client.dns.records.list({ zone_id: zone?.id ?? '' })).result).toHaveLength(1);
  expect(await refusal(client.dns.records.list({ zone_id: sandbox.zoneId }))).toEqual([403, 9109]);
});

test("the S3 API serves the buckets of the key's account, or of the account in the path", async () => {
  const endpoint = sandbox.s3Endpoint ?? '';
  const read = async (key: { id: string; secret: string }, path: string) => {
    const { host } = new URL(endpoint);
    const headers = signatureHeaders({ host, method: 'GET', path, headers: {} }, key, Date.now());
    const answer = await fetch(`${endpoint}${path}`, { headers });
    return answer.status === 200 ? answer.text() : answer.status;
  };
  const all = { id: sandbox.s3AccessKeyId ?? '', secret: sandbox.s3SecretAccessKey ?? '' };
  expect(await read(all, '/assets/logo')).toBe('real');
  expect(await read(all, `/${staging}/assets/logo`)).toBe('draft');
  const { id = '', value = '' } = await newToken(ofAccount(staging), 'Workers R2 Storage Read');
  const one = { id, secret: sha256(value) };
  expect(await read(one, '/assets/logo')).toBe('draft');
  expect(await read(one, `/${sandbox.accountId}/assets/logo`)).toBe(403);
});

/** Returns a user who has the sandbox's token and specifies no account. */
function person(more: Record<string, string> = {}) {
  const { EDGECTL_API_BASE_URL = sandbox.apiBaseUrl } = sandbox.env;
  return newPerson({ EDGECTL_API_BASE_URL, EDGECTL_API_TOKEN: sandbox.apiToken, ...more });
}

test('edgectl lists the accounts, and acts in the account that the user names', async () => {
  const unsaid = await runCommand(person(), ['kv', 'namespace', 'list']);
  expect(unsaid.code).toBe(2);
  expect(unsaid.err).toContain(`${sandbox.accountId}  Production\n`);
  expect(unsaid.err).toContain(`${staging}  Staging`);
  expect(unsaid.err).toContain('--account-id');
  const there = person({ EDGECTL_ACCOUNT_ID: staging });
  const link = await runCommand(there, ['objstore', 'object', 'presign', 'assets/logo']);
  expect(await (await fetch(link.out.trim())).text()).toBe('draft');
  const hostnames = await runCommand(there, ['hostname', 'list', '--json']);
  expect(hostnames.out).toContain('www.tea-house.demo');
});

test('loads a snapshot of several accounts in another sandbox unchanged, and keeps the accounts after a reset', async () => {
  await using copy = await startSandbox();
  const client = new Cloudflare({ apiToken: copy.apiToken, baseURL: copy.apiBaseUrl });
  const { value } = await newToken(ofAccount(sandbox.accountId), 'Workers KV Storage Read');
  await root.zones.edit({ zone_id: sandbox.zoneId, paused: true });
  const saved = await sandbox.snapshot();
  await client.put('/sandbox/seed', { query: { replace: 'true' }, body: saved });
  expect(await copy.snapshot()).toEqual(saved);
  // In a seed, references to the saved sandbox's own account and zone mean those of the sandbox that loads the seed.
  expect(await client.zones.get({ zone_id: copy.zoneId })).toMatchObject({ paused: true });
  const reader = new Cloudflare({ apiToken: value ?? '', baseURL: copy.apiBaseUrl });
  expect((await reader.kv.namespaces.list({ account_id: copy.accountId })).result).toHaveLength(1);
  await copy.reset();
  expect((await client.accounts.list()).result.map(({ id }) => id)).toEqual([copy.accountId, staging]);
  expect((await client.kv.namespaces.list({ account_id: staging })).result).toEqual([]);
  expect((await client.zones.list()).result.map(({ name }) => name)).toEqual(['saas.sandbox']);
});

test('rejects a seed with the same item in two accounts, with the path of the duplicate', async () => {
  const zones = [{ name: 'staging.demo' }];
  const namespaces = [{ title: 'x', id: '12'.repeat(16) }];
  const accounts = [
    { name: 'One', id: 'f'.repeat(32), zones, namespaces },
    { name: 'Two', zones, namespaces },
    { name: 'Two' },
  ];
  const said = await sandbox.load({ accounts }).catch((error: unknown) => String(error));
  for (const fault of [
    `accounts[0].id: the first account is the sandbox's own account, whose id is ${sandbox.accountId}`,
    'accounts[2].name: "Two" is also used in accounts[1]',
    `accounts[0].zones[0].name: is already used by another account (${staging})`,
    `accounts[1].namespaces[0].id: is already used by another account (${sandbox.accountId})`,
  ])
    expect(said).toContain(fault);
});
