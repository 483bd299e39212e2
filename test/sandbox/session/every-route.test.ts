import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type S3Operation, s3Operations } from '../../../src/model/objects/s3-operation.ts';
import { formatGroupName } from '../../../src/model/permissions/policies.ts';
import { type GroupName, permissionGroups } from '../../../src/model/permissions/token-permissions.ts';
import { signatureHeaders } from '../../../src/s3/sign.ts';
import { type AccessKey, sha256 } from '../../../src/s3/signature.ts';
import { answerS3 } from '../../../src/sandbox/s3/answer.ts';
import type { TokenCondition } from '../../../src/sandbox/session/token-condition.ts';
import { hashToken, putToken } from '../../../src/sandbox/session/tokens.ts';
import { type DeclaredRoute, declaredRoutes } from '../../../src/v4/routes.ts';
import { readBody } from '../../../src/v4/send.ts';
import { openTestSandbox, type TestSandbox } from '../test-sandbox.ts';

// Calls every route with every kind of token. Source for the rights of a token: SDK user/tokens (Policy and Condition). Source for the
// permission that a route requires: "Accepted permissions" in the provider's API reference, as declared in src/v4/routes.ts.

const other = 'b5'.repeat(16);
let place: TestSandbox;
let zone: string;
let made = 0;

beforeAll(async () => {
  place = await openTestSandbox('in process');
  const accounts = [{ name: 'Own' }, { name: 'Other', id: other, zones: [{ name: 'other.demo' }] }];
  expect((await place.call('PUT', '/sandbox/seed', { json: { accounts } })).status).toBe(200);
  zone = place.sandbox.platform.registry().zoneId();
});
afterAll(() => place.close());

interface TokenOptions {
  /** `user`, or the account that owns the token. */
  readonly owner?: string;
  /** The account that the token can access, with the zones of the account. */
  readonly reaches?: string;
  readonly condition?: TokenCondition;
  readonly expiresOn?: number;
  readonly notBefore?: number;
  readonly status?: 'active' | 'disabled';
}

/** Creates a token with these permissions, and returns its value and its access key. */
function tokenWith(
  names: readonly string[],
  options: TokenOptions = {},
): AccessKey & { readonly value: string } {
  const { owner = 'user', reaches = place.sandbox.access().accountId, status = 'active', ...rest } = options;
  made += 1;
  const [id, value] = [`token-${made}`, `value-of-${made}`];
  const groups = names.map((name) => ({ id: name, name }));
  const policy = { id: 'one', effect: 'allow', permission_groups: groups } as const;
  const account = `com.cloudflare.api.account.${reaches}`;
  const policies = [
    { ...policy, resources: { [account]: '*' as const } },
    { ...policy, resources: { [account]: { 'com.cloudflare.api.account.zone.*': '*' } } },
  ];
  const times = { issuedOn: 0, modifiedOn: 0 };
  putToken(place.sandbox.platform, id, {
    id,
    name: id,
    owner,
    hash: hashToken(value),
    status,
    policies,
    ...times,
    ...rest,
  });
  return { id, value, secret: sha256(value) };
}

const groups: readonly GroupName[] = Object.values(permissionGroups).flat();
const everything = groups.map((group) => formatGroupName(group, 'Write'));

/** Returns the path of a route in the token's own account and zone. Other names in the path do not exist, so nothing is deleted. */
function getPath({ path }: DeclaredRoute): string {
  const { accountId } = place.sandbox.access();
  return path
    .replace(':account', accountId)
    .replace(':zone', zone)
    .replaceAll(/[:*]\w+/g, 'x');
}

/** Returns true if a route accepts the token, regardless of the route's answer to an empty request. */
async function isLetIn(route: DeclaredRoute, value: string): Promise<boolean> {
  // A separate zone is used for the route that deletes the zone.
  const isZoneGone = route.method === 'DELETE' && route.path === '/zones/:zone';
  const { zones } = place.sandbox.platform.registry();
  made += 1;
  const spare = isZoneGone ? zones.create(`spare-${made}.demo`, 0, {}) : undefined;
  const path = spare === undefined ? getPath(route) : `/zones/${spare.id}`;
  const body = named(route) === checking ? { json: { name: `zone-${made}.demo` } } : undefined;
  const reply = await place.call(route.method, path, body, { authorization: `Bearer ${value}` });
  const isRefused = [401, 403].includes(reply.status) && [1000, 9109, 10_000].includes(reply.code ?? 0);
  return !isRefused;
}

const named = ({ method, path }: DeclaredRoute) => `${method} ${path}`;

async function letInto(value: string, routes = declaredRoutes): Promise<string[]> {
  const found: string[] = [];
  for (const route of routes) if (await isLetIn(route, value)) found.push(named(route));
  return found;
}

const open = ['any token', 'in body'];
/** The route with the permission `in body` that rejects a token without permissions. Its handler checks the permission. */
const checking = 'POST /zones';
const openRoutes = declaredRoutes.filter(({ permission }) => open.includes(permission)).map(named);
const openToAll = openRoutes.filter((name) => name !== checking);

describe('routes of the v4 API', () => {
  test.each(groups)(
    'a token with %s is accepted by the routes that need the permission, and rejected by all other routes',
    async (group) => {
      const routes = declaredRoutes.filter(({ permission }) => permission === group);
      const reading = routes.filter(({ effect }) => effect === 'read');
      const others = everything.filter((name) => name !== formatGroupName(group, 'Write'));
      expect(await letInto(tokenWith([formatGroupName(group, 'Read')]).value, routes)).toEqual(
        reading.map(named),
      );
      expect(await letInto(tokenWith([formatGroupName(group, 'Write')]).value, routes)).toEqual(
        routes.map(named),
      );
      expect(await letInto(tokenWith(others).value, routes)).toEqual([]);
    },
  );

  test('creating a zone requires a token that may write zones', async () => {
    const routes = declaredRoutes.filter((one) => named(one) === checking);
    const others = everything.filter((name) => name !== 'Zone Write');
    expect(await letInto(tokenWith(['Zone Write']).value, routes)).toEqual([checking]);
    expect(await letInto(tokenWith([...others, 'Zone Read']).value, routes)).toEqual([]);
  });

  test('filtered lists are empty for a token without the permission', async () => {
    const { value } = tokenWith([]);
    expect(await letInto(value)).toEqual(openToAll);
    for (const path of ['/accounts', '/zones', '/memberships']) {
      const headers = { authorization: `Bearer ${tokenWith([], { reaches: 'nothing' }).value}` };
      expect((await place.call('GET', path, undefined, headers)).envelope().result).toEqual([]);
    }
  });

  test('a token that belongs to another account, or is for another account, cannot use any route of this account', async () => {
    const isVerify = (name: string) => name.endsWith('/tokens/verify');
    const ofOther = await letInto(tokenWith(everything, { owner: other, reaches: other }).value);
    expect(ofOther).toEqual(openToAll.filter((name) => !isVerify(name)));
    const users: readonly string[] = permissionGroups.user;
    const names = groups.filter((group) => !users.includes(group)).map((group) => `${group} Write`);
    expect(await letInto(tokenWith(names, { reaches: other }).value)).toEqual(openToAll);
  });

  test.each<[string, TokenOptions]>([
    ['has expired', { expiresOn: 1 }],
    ['is not valid yet', { notBefore: Number.MAX_SAFE_INTEGER }],
    ['is disabled', { status: 'disabled' }],
    ['is not allowed from this address', { condition: { request_ip: { not_in: ['127.0.0.0/8'] } } }],
    ['is allowed only from another address', { condition: { request_ip: { in: ['192.0.2.0/24'] } } }],
  ])('a token that %s cannot use any route', async (_, options) => {
    expect(await letInto(tokenWith(everything, options).value)).toEqual([]);
  });

  test("routes below /sandbox/ accept only the sandbox's own credentials, and no token with policies", async () => {
    const own = declaredRoutes.filter(({ path }) => path.startsWith('/sandbox/'));
    expect(new Set(own.map(({ permission }) => permission))).toEqual(new Set(['sandbox token']));
    const { value } = tokenWith(everything);
    const { apiToken } = place.sandbox.access();
    // Reset comes last, because it deletes data that the other routes need.
    for (const route of own.toSorted((one) => (one.path === '/sandbox/reset' ? 1 : -1))) {
      expect([named(route), await isLetIn(route, value), await isLetIn(route, apiToken)]).toEqual([
        named(route),
        false,
        true,
      ]);
    }
  });

  test('the effect of a call follows from its method, except for listed routes', () => {
    const usual = { GET: 'read', DELETE: 'destroy' } as Readonly<Record<string, string>>;
    const unusual = declaredRoutes
      .filter(({ method, effect }) => effect !== (usual[method] ?? 'change'))
      .map((route) =>
        `${named(route)}: ${route.effect}`.replace(/^(\w+) .*?(?=\/[^:]+(?:\/:\w+)?: )/, '$1 …'),
      );
    expect(unusual).toEqual([
      'POST …/bulk/delete: destroy',
      'POST …/bulk/get: read',
      // A lifecycle rule can delete objects.
      'PUT …/lifecycle: destroy',
      'POST …/graphql: read',
      // The old value of a token is lost.
      'PUT …/value: destroy',
      'PUT …/value: destroy',
      // The bodies of these requests can name secrets to delete.
      'PATCH …/secrets-bulk: destroy',
      'POST …/domains/changeset: read',
      'PUT …/domains/records: destroy',
      'PATCH …/versions/latest: destroy',
      // A tail changes nothing, and ends when its reader disconnects.
      'POST …/tails: read',
      'DELETE …/tails/:tail: read',
      'POST …/dns_records/batch: destroy',
      'POST …/sandbox/reset: destroy',
      'PUT …/sandbox/seed: destroy',
    ]);
  });
});

/** A request for each operation. */
const requests: Readonly<Record<S3Operation, readonly [method: string, path: string, copy?: true]>> = {
  AbortMultipartUpload: ['DELETE', '/b-1/k?uploadId=x'],
  CompleteMultipartUpload: ['POST', '/b-1/k?uploadId=x'],
  CopyObject: ['PUT', '/b-1/k', true],
  CreateBucket: ['PUT', '/b-1'],
  CreateMultipartUpload: ['POST', '/b-1/k?uploads'],
  DeleteBucket: ['DELETE', '/b-1'],
  DeleteBucketCors: ['DELETE', '/b-1?cors'],
  DeleteBucketLifecycle: ['DELETE', '/b-1?lifecycle'],
  DeleteObject: ['DELETE', '/b-1/k'],
  DeleteObjects: ['POST', '/b-1?delete'],
  GetBucketCors: ['GET', '/b-1?cors'],
  GetBucketEncryption: ['GET', '/b-1?encryption'],
  GetBucketLifecycleConfiguration: ['GET', '/b-1?lifecycle'],
  GetBucketLocation: ['GET', '/b-1?location'],
  GetBucketVersioning: ['GET', '/b-1?versioning'],
  GetObject: ['GET', '/b-1/k'],
  HeadBucket: ['HEAD', '/b-1'],
  HeadObject: ['HEAD', '/b-1/k'],
  ListBuckets: ['GET', '/'],
  ListMultipartUploads: ['GET', '/b-1?uploads'],
  ListObjects: ['GET', '/b-1'],
  ListObjectsV2: ['GET', '/b-1?list-type=2'],
  ListParts: ['GET', '/b-1/k?uploadId=x'],
  PutBucketCors: ['PUT', '/b-1?cors'],
  PutBucketLifecycleConfiguration: ['PUT', '/b-1?lifecycle'],
  PutObject: ['PUT', '/b-1/k'],
  UploadPart: ['PUT', '/b-1/k?partNumber=1&uploadId=x'],
  UploadPartCopy: ['PUT', '/b-1/k?partNumber=1&uploadId=x', true],
};
const all = Object.keys(requests) as S3Operation[];

async function s3LetIn(key: AccessKey, from?: string): Promise<S3Operation[]> {
  const found: S3Operation[] = [];
  for (const operation of all) {
    const [method, path, isCopy] = requests[operation];
    const own = isCopy ? { 'x-amz-copy-source': '/b-1/none' } : {};
    const headers = signatureHeaders({ host: 'x', method, path, headers: own }, key, place.clock.now);
    const call = { method, path, headers: { host: 'x', ...own, ...headers }, body: undefined };
    const answer = await answerS3(place.sandbox.platform, { ...call, ...(from !== undefined && { from }) });
    await readBody(answer.body);
    if (answer.status !== 403) found.push(operation);
  }
  return found;
}

describe('operations of the S3 API', () => {
  const reading = all.filter((operation) => s3Operations[operation].effect === 'read');
  const readable = { condition: { request_ip: { in: ['192.0.2.0/24'] } } } as const;

  test.each<[string, readonly string[], TokenOptions, string | undefined, readonly S3Operation[]]>([
    ['without a permission', [], {}, undefined, []],
    ['to read', ['Workers R2 Storage Read'], {}, undefined, reading],
    ['to write', ['Workers R2 Storage Write'], {}, undefined, all],
    ['for another product', everything.filter((name) => !name.includes('R2')), {}, undefined, []],
    ['of another account', everything, { owner: other }, undefined, []],
    ['that has expired', everything, { expiresOn: 1 }, undefined, []],
    ['that is disabled', everything, { status: 'disabled' }, undefined, []],
    ['limited to this address', everything, readable, '192.0.2.1', all],
    ['limited to another address', everything, readable, '198.51.100.1', []],
  ])('a token %s can perform exactly the allowed operations', async (_, names, options, from, expected) => {
    expect(await s3LetIn(tokenWith(names, options), from)).toEqual(expected);
  });
});
