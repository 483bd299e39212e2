import { startSandbox, type TestSandbox } from 'edgectl/sandbox';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { signatureHeaders } from '../../../src/s3/sign.ts';
import { sha256 } from '../../../src/s3/signature.ts';

// A token for one account cannot reach these resources through any path outside that account.

const other = 'b5'.repeat(16);
const namespace = 'c5'.repeat(16);
let sandbox: TestSandbox;
let groups: readonly { readonly id: string; readonly name: string }[];

beforeAll(async () => {
  const bucket = (body: string) => ({ name: 'pictures', objects: [{ key: 'k', body }] });
  const keys = ['a/tokens/verify', 'b/bulk/get', 'c/graphql'].map((key) => ({ key, value: 'private' }));
  sandbox = await startSandbox({
    seed: {
      buckets: [bucket('own')],
      namespaces: [{ title: 'own', id: 'd5'.repeat(16), keys }],
      accounts: [
        { name: 'Own' },
        {
          name: 'Other',
          id: other,
          buckets: [bucket('private')],
          zones: [{ name: 'private.demo' }],
          namespaces: [{ title: 't', id: namespace, keys }],
        },
      ],
    },
  });
  groups = (await ask(sandbox.apiToken, 'GET', '/user/tokens/permission_groups')).body.result;
});
afterAll(() => sandbox.close());

async function ask(token: string, method: string, path: string, body?: object | string) {
  const answer = await fetch(`${sandbox.apiBaseUrl}${path}`, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await answer.text();
  return { status: answer.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

interface Policy {
  readonly of: string;
  readonly reach?: string | Readonly<Record<string, string>>;
  readonly names: readonly string[];
}

/** Creates a token of the user or of an account, and returns its id and its value. */
async function newToken(owner: 'user' | string, ...policies: readonly Policy[]) {
  const path = owner === 'user' ? '/user/tokens' : `/accounts/${owner}/tokens`;
  const made = await ask(sandbox.apiToken, 'POST', path, {
    name: 'one',
    policies: policies.map(({ of, reach = '*', names }) => ({
      effect: 'allow',
      permission_groups: groups.filter(({ name }) => names.includes(name)).map(({ id }) => ({ id })),
      resources: { [`com.cloudflare.api.account.${of}`]: reach },
    })),
  });
  return made.body.result as { readonly id: string; readonly value: string };
}

const allZones = { 'com.cloudflare.api.account.zone.*': '*' };

test('routes that only the sandbox has require the token of the sandbox', async () => {
  const own = sandbox.accountId;
  const { value } = await newToken(own, { of: own, names: ['Workers KV Storage Write'] });
  for (const [method, path] of [
    ['GET', '/sandbox/seed'],
    ['PUT', '/sandbox/seed'],
    ['GET', '/sandbox/requests'],
    ['DELETE', '/sandbox/requests'],
    ['POST', '/sandbox/reset'],
    ['GET', '/sandbox/info'],
    ['POST', '/sandbox/clock'],
    ['PUT', '/sandbox/dns'],
    ['PUT', '/sandbox/origins'],
  ] as const) {
    const { status, body } = await ask(value, method, path);
    expect([status, body.errors[0].message]).toEqual([
      403,
      "Everything below /sandbox/ requires the sandbox's own token.",
    ]);
  }
  expect((await ask(sandbox.apiToken, 'GET', '/sandbox/seed')).status).toBe(200);
});

test('shows the size of a bucket to its readers, without any file name on disk', async () => {
  const own = sandbox.accountId;
  const { value } = await newToken(own, { of: own, names: ['Workers R2 Storage Read'] });
  const measure = async (token: string, accountTag: string | undefined, bucketName: string) => {
    const variables = { accountTag, filter: { bucketName } };
    const query = { query: 'r2StorageAdaptiveGroups', variables };
    const { data } = (await ask(token, 'POST', '/graphql', query)).body;
    return data?.viewer.accounts[0].r2StorageAdaptiveGroups[0].max.payloadSize;
  };
  expect(await measure(value, own, 'pictures')).toBe(3);
  expect(await measure(value, other, 'pictures')).toBeUndefined();
  expect(await measure(value, undefined, `${other}.pictures`)).toBe(0);
  expect(await measure(sandbox.apiToken, other, 'pictures')).toBe(7);
  const without = await newToken('user', { of: other, names: ['Workers KV Storage Read'] });
  expect(await measure(without.value, other, 'pictures')).toBeUndefined();
});

test('protects a key whose path ends like the path of a public route', async () => {
  const own = sandbox.accountId;
  const ofNone = await newToken(own, { of: own, names: ['DNS Read'] });
  const values = `/accounts/${other}/storage/kv/namespaces/${namespace}/values`;
  for (const key of ['a/tokens/verify', 'c/graphql'])
    expect((await ask(ofNone.value, 'GET', `${values}/${key}`)).status).toBe(403);
  const reader = await newToken(other, { of: other, names: ['Workers KV Storage Read'] });
  expect((await ask(reader.value, 'GET', `${values}/a/tokens/verify`)).text).toBe('private');
  expect((await ask(reader.value, 'PUT', `${values}/b/bulk/get`, 'changed')).status).toBe(403);
  const writer = await newToken(other, { of: other, names: ['Workers KV Storage Write'] });
  const object = `/accounts/${other}/r2/buckets/pictures/objects/x/storage/kv/y`;
  expect((await ask(writer.value, 'PUT', object, 'x')).status).toBe(403);
});

test('creating a zone requires the permission for it in the account', async () => {
  const own = sandbox.accountId;
  const ofAccount = await newToken(own, { of: own, reach: allZones, names: ['Zone Write'] });
  const make = async (token: string, name: string, id: string) =>
    (await ask(token, 'POST', '/zones', { name, account: { id } })).status;
  expect(await make(ofAccount.value, 'first.demo', own)).toBe(200);
  expect(await make(ofAccount.value, 'second.demo', other)).toBe(403);
  const reads = await newToken(
    'user',
    { of: own, reach: allZones, names: ['Zone Write'] },
    { of: other, reach: allZones, names: ['DNS Read'] },
  );
  expect(await make(reads.value, 'third.demo', other)).toBe(403);
});

test('a token of an account can use only the zones of that account, even if it names all', async () => {
  const reader = await newToken(other, { of: 'zone.*', names: ['DNS Read', 'Zone Read'] });
  const zones = (await ask(reader.value, 'GET', '/zones')).body.result as { id: string; name: string }[];
  expect(zones.map(({ name }) => name)).toEqual(['private.demo']);
  const status = async (zone = '') => (await ask(reader.value, 'GET', `/zones/${zone}/dns_records`)).status;
  expect([await status(zones[0]?.id), await status(sandbox.zoneId)]).toEqual([200, 403]);
  // A token that can access a zone also finds the zone's account, but nothing else in the account is visible.
  const accounts = (await ask(reader.value, 'GET', '/accounts')).body.result;
  expect(accounts.map(({ id }: { id: string }) => id)).toEqual([other]);
  expect((await ask(reader.value, 'GET', `/accounts/${other}/storage/kv/namespaces`)).status).toBe(403);
});

test('never returns a stale read to another caller', async () => {
  const own = sandbox.accountId;
  const key = async (of: string) => {
    const { id, value } = await newToken(of, { of, names: ['Workers R2 Storage Read'] });
    return { id, secret: sha256(value) };
  };
  const endpoint = sandbox.s3Endpoint ?? '';
  const read = async (signer: { id: string; secret: string }) => {
    const { host } = new URL(endpoint);
    const headers = signatureHeaders(
      { host, method: 'GET', path: '/pictures/k', headers: {} },
      signer,
      Date.now(),
    );
    return (await fetch(`${endpoint}/pictures/k`, { headers })).text();
  };
  await sandbox.addFault({ match: 'GET s3:/pictures/**', stale: 60 });
  const [mine, theirs] = [await key(own), await key(other)];
  expect([await read(mine), await read(theirs)]).toEqual(['own', 'private']);
  await sandbox.clearFaults();
});
