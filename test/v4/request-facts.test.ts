import { describe, expect, test } from 'vitest';
import { findAmbiguity, readRequestFacts } from '../../src/v4/request-facts.ts';
import { declaredRoutes } from '../../src/v4/routes.ts';

const place = { target: 'production', client: 'test' };

function getFacts(method: string, path: string, body?: string) {
  return readRequestFacts({ method, path, ...(body !== undefined && { body: Buffer.from(body) }) }, place);
}

const namespace = '/accounts/a1/storage/kv/namespaces/n1';

test.each([
  [
    'DELETE',
    `${namespace}/values/a%2Fb?x=1`,
    { effect: 'destroy', noun: 'key', name: 'a/b', namespace: 'n1', count: 1 },
  ],
  ['PUT', `${namespace}/values/k`, { effect: 'change', noun: 'key', account: 'a1' }],
  ['HEAD', `${namespace}/values/k`, { effect: 'read', noun: 'key' }],
  ['POST', `${namespace}/bulk/get`, { effect: 'read' }],
  [
    'DELETE',
    '/accounts/a1/r2/buckets/b1/objects/x/y',
    { effect: 'destroy', noun: 'object', bucket: 'b1', name: 'x/y' },
  ],
  ['PUT', '/accounts/a1/workers/scripts/w1', { effect: 'change', noun: 'worker', worker: 'w1', name: 'w1' }],
  [
    'DELETE',
    '/zones/z1/custom_hostnames/h1',
    { effect: 'destroy', zone: 'z1', name: 'h1', hostname: undefined },
  ],
  ['PUT', '/zones/z1/rulesets/r1', { effect: 'unknown', noun: undefined, zone: 'z1', route: undefined }],
  ['GET', '/zones/z1/rulesets', { effect: 'read', noun: undefined }],
])('classifies %s %s by effect, noun and names', (method, path, expected) => {
  expect(getFacts(method, path)).toMatchObject(expected);
});

const id = '0f2ac74b498b480219684c500dcbe05b';
const uuid = '0f2ac74b-498b-4802-1968-4c500dcbe05b';

test.each([
  [`/accounts/${uuid}`, false],
  [`/accounts/${id.toUpperCase()}`, false],
  [`/accounts/${id}/storage/kv/namespaces/${uuid}`, false],
  [`/accounts/${id}/storage/kv/namespaces/${id}/values/${uuid.toUpperCase()}`, true],
  [`/zones/${uuid}/unknown`, false],
  [`/zones/${id}/unknown/${uuid.toUpperCase()}`, true],
  // The platform returns ids of custom hostnames and certificate packs with hyphens.
  [`/zones/${id}/custom_hostnames/${uuid}`, true],
  [`/zones/${id}/custom_hostnames/${id}`, true],
  [`/zones/${id}/custom_hostnames/${uuid.toUpperCase()}`, false],
  [`/zones/${id}/custom_hostnames/${id.replace(/^(.{5})/, '$1-')}`, false],
  [`/accounts/${id}/workers/scripts/${id.toUpperCase()}`, true],
  // Spellings that some parsers of UUIDs accept.
  [`/accounts/${id}/storage/kv/namespaces/%7B${uuid}%7D`, false],
  [`/accounts/${id}/storage/kv/namespaces/urn:uuid:${uuid}`, false],
  [`/accounts/${id}/storage/kv/namespaces/${id}%20/values/a`, false],
  [`/accounts/${id}/storage/kv/namespaces/0x${id}`, false],
  // Names of buckets and settings have no capitals.
  [`/accounts/${id}/r2/buckets/Assets`, false],
])('%s contains an id in the spelling of the platform: %s', (path, isAccepted) => {
  expect(findAmbiguity('DELETE', path, {}) === undefined).toBe(isAccepted);
});

test('refuses capitals in the name of a setting', () => {
  expect(findAmbiguity('PATCH', `/zones/${id}/settings/SSL`, {})).toContain('SSL must be spelled');
  expect(findAmbiguity('PATCH', `/zones/${id}/settings/ssl`, {})).toBeUndefined();
});

test('counts the items of a bulk request by the length of its list, or reports the number as unknown without the body', () => {
  expect(getFacts('DELETE', `${namespace}/bulk`).count).toBeUndefined();
  expect(getFacts('DELETE', `${namespace}/bulk`, '["a","b","c"]').count).toBe(3);
  expect(getFacts('DELETE', `${namespace}/bulk`, '["a"').count).toBeUndefined();
});

test('counts the settings of a zone that a request changes', () => {
  const items = JSON.stringify({ items: [{ id: 'ssl' }, { id: 'min_tls_version' }] });
  expect(getFacts('PATCH', '/zones/z1/settings', items).count).toBe(2);
  expect(getFacts('PATCH', '/zones/z1/settings', items.replace('items', 'Items')).count).toBeUndefined();
  expect(getFacts('PATCH', '/zones/z1/settings', items.replace('{', '{"other":1,')).count).toBeUndefined();
});

test('does not take a property "items" for the number of items of another route', () => {
  const body = JSON.stringify({ items: [], deletes: [{ id: 'a' }, { id: 'b' }] });
  expect(getFacts('POST', '/zones/z1/dns_records/batch', body).count).toBeUndefined();
  expect(getFacts('PATCH', '/accounts/a/workers/scripts/w/secrets-bulk', body).count).toBeUndefined();
});

test('leaves the zone of a custom domain of a bucket unknown if only the domain is named', () => {
  const path = '/accounts/a/r2/buckets/b1/domains/custom/a.example.com';
  expect(getFacts('DELETE', path).unnamed).toContain('zone');
});

test('treats a GraphQL request in the query of a GET as an unknown write', () => {
  expect(getFacts('GET', '/graphql?query=mutation%7Bx%7D').effect).toBe('unknown');
  expect(getFacts('GET', '/GraphQL?query=mutation%7Bx%7D').effect).toBe('unknown');
});

test('classifies a lifecycle rule as deleting objects', () => {
  expect(getFacts('PUT', '/accounts/a/r2/buckets/b1/lifecycle').effect).toBe('destroy');
});

test('leaves a hostname unnamed if the request contains only its id, and also the account of a zone', () => {
  expect(getFacts('DELETE', '/zones/z1/custom_hostnames/h1').unnamed).toEqual(['hostname', 'account']);
  expect(getFacts('PUT', '/zones/z1/rulesets/r1').unnamed).toContain('account');
});

test.each([
  ['DELETE', '/b1/key', 'destroy', 'object'],
  ['PUT', '/b1/key?partNumber=1&uploadId=u', 'change', 'object'],
  ['POST', '/b1?delete', 'destroy', 'object'],
  ['DELETE', '/b1', 'destroy', 'bucket'],
  ['GET', '/b1?list-type=2', 'read', 'object'],
  ['DELETE', '/b1?lifecycle', 'destroy', 'bucket'],
  ['PUT', '/b1?lifecycle', 'destroy', 'bucket'],
  ['PUT', '/b1/key?acl', 'unknown', 'object'],
  ['POST', '/b1', 'unknown', 'bucket'],
  ['PUT', '/b1/key?x-id=PutObject', 'change', 'object'],
  ['POST', '/b1/key?uploads', 'change', 'object'],
  ['POST', '/b1/key?uploadId=u', 'change', 'object'],
  ['DELETE', '/b1/key?uploadId=u&x-id=AbortMultipartUpload', 'destroy', 'object'],
  ['GET', '/b1/key?partNumber=1', 'read', 'object'],
  // Parameters that do not belong to the operation.
  ['PUT', '/b1/key?delete=', 'unknown', 'object'],
  ['PUT', '/b1/key?partNumber=1', 'unknown', 'object'],
  ['PUT', '/b1/key?uploadId=u', 'unknown', 'object'],
  ['PUT', '/b1/key?partnumber=1&uploadid=u', 'unknown', 'object'],
  ['PUT', '/b1?cors&lifecycle', 'unknown', 'bucket'],
  ['POST', '/b1?delete&uploads', 'unknown', 'bucket'],
])('S3: classifies %s %s as %s', (method, path, effect, noun) => {
  expect(readRequestFacts({ api: 's3', method, path }, place)).toMatchObject({ effect, noun, bucket: 'b1' });
});

describe('a request that a server could read differently', () => {
  test.each([
    ['..', '/zones/z1/../z2'],
    ['.', '/zones/./z2'],
    ['encoded dots', '/zones/z1/%2e%2E/z2'],
    ['encoded separator and dots', `${namespace}/values/a%2F..%2Fb`],
    ['double slash', '//zones/z1'],
    ['double slash inside', '/zones//z1'],
    ['trailing slash', '/zones/z1/'],
    ['encoded letter in a route word', '/zones/z1/custom_hostnames/fallback_origi%6e'],
    ['encoded slash in an id', '/user/tokens/t1%2fvalue'],
    ['doubly encoded slash', '/user/tokens/t1%252fvalue'],
    ['backslash', '/zones/z1\\..\\z2'],
    ['encoded backslash', '/zones/z1%5c..%5cz2'],
    ['path parameter', '/zones/z1;x=1/hold'],
    ['fragment', '/zones/z1#/x'],
    ['null byte', '/zones/z1%00'],
    ['line break', '/zones/z1%0d%0aX: y'],
    ['malformed encoding', '/zones/z%zz'],
    ['encoding other than UTF-8', `${namespace}/values/%70rod%ff`],
    ['capitals in a route word', '/zones/z1/custom_hostnames/Fallback_origin'],
    ['capitals in another route word', '/Zones/z1'],
    ['raw byte outside ASCII', '/zones/é'],
    ['space', '/zones/z 1'],
    ['relative', 'zones/z1'],
    ['method in the query', '/zones/z1?_method=DELETE'],
    ['method in the query, later', '/zones/z1?a=1&_method=DELETE'],
    ['method in the query, encoded', '/zones/z1?%5F%6Dethod=DELETE'],
    ['method in the query, after a semicolon', '/zones/z1?a=1;_method=DELETE'],
    ['method in the query, as a list', '/zones/z1?_method%5B%5D=DELETE'],
    ['method in the query, with the name of a header', '/zones/z1?X-HTTP_Method-Override=DELETE'],
    ['method in the query, without a value', '/zones/z1?_method'],
  ])('is refused for an ambiguous path: %s', (_, path) => {
    expect(findAmbiguity('GET', path, {})).toMatch(/^The (?:path|query)/);
  });

  test.each([
    'x-http-method-override',
    'x-http-method',
    'x-method-override',
    'x_http_method_override',
    'x-http_method-override',
    'x-original-url',
    'x-rewrite-url',
    'x-forwarded-host',
    'x_forwarded_host',
    'forwarded',
    'cf_r2_jurisdiction',
    'transfer_encoding',
  ])('is refused for the header %s', (name) => {
    expect(findAmbiguity('GET', '/zones/z1', { [name]: 'DELETE' })).toContain(name);
  });

  test.each(['OPTIONS', 'TRACE', 'CONNECT', 'delete', 'PROPFIND', ''])(
    'is refused for the method %j',
    (method) => {
      expect(findAmbiguity(method, '/zones/z1', {})).toBeDefined();
    },
  );
});

test.each([
  `${namespace}/values/a%2Fb%20c`,
  `${namespace}/values/folder/file`,
  `${namespace}/values/%C3%A9`,
  '/accounts/a1/r2/buckets/b1/objects/folder/',
  '/zones?name=a.example&per_page=50',
  '/zones/z1/dns_records?name=a%2Fb&x=../..',
  `${namespace}/keys?prefix=method%3D1&limit=10`,
  '/accounts/a1/workers/scripts/my-worker_1',
])('accepts a usual path: %s', (path) => {
  expect(findAmbiguity('GET', path, {})).toBeUndefined();
});

test('a write is refused if its query, or the path of an unknown route, is too long to be checked by a person', () => {
  const long = 'a'.repeat(1100);
  expect(findAmbiguity('DELETE', `/zones/z1?a=${long}&force=true`, {})).toContain('longer than 1024');
  expect(findAmbiguity('POST', `/zones/z1/${long}/tokens`, {})).toContain('longer than 1024');
  expect(findAmbiguity('PUT', `${namespace}/values/${long}`, {})).toBeUndefined();
  expect(findAmbiguity('GET', `/zones?name=${long}`, {})).toBeUndefined();
});

test('usual headers of clients pass', () => {
  const headers = {
    'user-agent': 'cloudflare-typescript/7.3.0',
    'x-stainless-retry-count': '0',
    'cf-r2-jurisdiction': 'eu',
    'x-amz-meta-created_by': 'ci',
    'x-forwarded-for': '192.0.2.1',
    'amz-sdk-request': 'attempt=1',
  };
  expect(findAmbiguity('PUT', '/zones/z1', headers)).toBeUndefined();
});

/** Changing letters, encoding or slashes in a destructive request never turns the request into a read or a change. */
test('assigns no variation of a destroying path a weaker effect', () => {
  const variations = (path: string) => [
    path.toUpperCase(),
    `${path}/`,
    `/${path}`,
    path.replace(/\/[a-z]/, (start) => start.toUpperCase()),
    path.replace(/[a-z]$/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
    path.replace(/_/, '%5f'),
    path.replace('/', '/%2e/'),
    `${path}?`,
    `${path}?x=/`,
  ];
  const weaker = declaredRoutes
    .filter(({ effect }) => effect === 'destroy')
    .flatMap(({ method, path }) => {
      const plain = path.replace(/[:*](\w+)/g, 'x1$1');
      return variations(plain)
        .filter((one) => findAmbiguity(method, one, {}) === undefined)
        .filter((one) => !['destroy', 'unknown'].includes(getFacts(method, one).effect))
        .map((one) => `${method} ${one}: ${getFacts(method, one).effect}`);
    });
  expect(weaker).toEqual([]);
});

test.each(['content-length', 'keep-alive, Transfer-Encoding', 'cf-r2-jurisdiction'])(
  'refuses a header Connection that removes headers: %s',
  (connection) => {
    expect(findAmbiguity('GET', '/zones', { connection })).toMatch(/^The header Connection must not contain/);
    expect(findAmbiguity('GET', '/zones', { connection: 'Keep-Alive, close' })).toBeUndefined();
  },
);

test.each([
  ['{"query":"{ viewer { accounts { r2StorageAdaptiveGroups { max { payloadSize } } } } }"}', 'read'],
  ['{"query":"query Q($mark: String) { viewer { zones { id } } }","variables":{"mark":"\\u00e4"}}', 'read'],
  ['{"query":"mutation { deleteKey }"}', 'unknown'],
  ['{"query":"query A { a } mutation B { b }","operationName":"B"}', 'unknown'],
  ['{"query":"\\u006dutation { deleteKey }"}', 'unknown'],
  ['{"query":"mutation { a }","query":"{ a }"}', 'unknown'],
  ['[{"query":"{ a }"}]', 'unknown'],
  ['query={a}', 'unknown'],
  ['', 'unknown'],
])('determines the effect of a GraphQL request from its body: %s', (text, effect) => {
  const call = { method: 'POST', path: '/graphql', body: Buffer.from(text) };
  expect(readRequestFacts(call, { target: 'production', client: 'test' }).effect).toBe(effect);
});
