/** The prefix of all names that the check creates, so that the resources of a check can be recognized and removed. */
export const namePrefix = 'edgectl-live-check';

/** One call of the check. Paths and bodies contain `{account}`, `{zone}`, `{zoneName}`, `{name}` and values saved by earlier calls. */
export interface LiveCase {
  readonly does: string;
  readonly method: string;
  readonly path: string;
  readonly json?: unknown;
  /** A body of text; with `form`, the body has the fields of a form. */
  readonly text?: string;
  readonly form?: Readonly<Record<string, FormPart>>;
  readonly headers?: Readonly<Record<string, string>>;
  /** The token to send instead of the valid token: none, or a wrong token. */
  readonly token?: 'none' | 'wrong';
  /** Values to save for later calls: the path of a field in the answer, by variable name. */
  readonly saves?: Readonly<Record<string, string>>;
  /** A list in which only the check's own entries are compared, because the account may have other entries. */
  readonly list?: string;
}

export interface FormPart {
  readonly content: string;
  readonly type?: string;
}

const ns = '/accounts/{account}/storage/kv/namespaces';
const value = `${ns}/{namespace}/values`;
const bucket = '/accounts/{account}/r2/buckets';
const records = '/zones/{zone}/dns_records';
const hostnames = '/zones/{zone}/custom_hostnames';
const scripts = '/accounts/{account}/workers/scripts';
const missing = '0123456789abcdef0123456789abcdef';

const account: readonly LiveCase[] = [
  { does: 'verify the token', method: 'GET', path: '/user/tokens/verify' },
  { does: 'call without a token', method: 'GET', path: `${ns}?per_page=5`, token: 'none' },
  { does: 'call with a wrong token', method: 'GET', path: `${ns}?per_page=5`, token: 'wrong' },
  { does: 'call an unknown route', method: 'GET', path: '/accounts/{account}/no-such-product' },
];

const keyValue: readonly LiveCase[] = [
  {
    does: 'create a namespace',
    method: 'POST',
    path: ns,
    json: { title: '{name}' },
    saves: { namespace: 'result.id' },
  },
  { does: 'create a namespace with the same title', method: 'POST', path: ns, json: { title: '{name}' } },
  { does: 'create a namespace without a title', method: 'POST', path: ns, json: {} },
  { does: 'list namespaces', method: 'GET', path: `${ns}?per_page=100`, list: 'title' },
  { does: 'get a namespace', method: 'GET', path: `${ns}/{namespace}` },
  { does: 'get a missing namespace', method: 'GET', path: `${ns}/${missing}` },
  { does: 'get a namespace by an invalid id', method: 'GET', path: `${ns}/not-an-id` },
  { does: 'rename a namespace', method: 'PUT', path: `${ns}/{namespace}`, json: { title: '{name}-2' } },
  { does: 'write a value', method: 'PUT', path: `${value}/a%2Fb%20c`, text: 'text' },
  {
    does: 'write a value with metadata and a time to live',
    method: 'PUT',
    path: `${value}/meta?expiration_ttl=600`,
    form: { value: { content: 'with metadata' }, metadata: { content: '{"tag":1}' } },
  },
  { does: 'write an empty value', method: 'PUT', path: `${value}/empty`, text: '' },
  {
    does: 'write with a short time to live',
    method: 'PUT',
    path: `${value}/short?expiration_ttl=59`,
    text: 'x',
  },
  {
    does: 'write with an expiration in the past',
    method: 'PUT',
    path: `${value}/past?expiration=1000`,
    text: 'x',
  },
  { does: 'write a long key', method: 'PUT', path: `${value}/${'k'.repeat(513)}`, text: 'x' },
  {
    does: 'write metadata that is not JSON',
    method: 'PUT',
    path: `${value}/bad`,
    form: { value: { content: 'x' }, metadata: { content: '{' } },
  },
  { does: 'read a value', method: 'GET', path: `${value}/a%2Fb%20c` },
  { does: 'read a missing value', method: 'GET', path: `${value}/none` },
  { does: 'read metadata', method: 'GET', path: `${ns}/{namespace}/metadata/meta` },
  { does: 'read metadata of a key without', method: 'GET', path: `${ns}/{namespace}/metadata/a%2Fb%20c` },
  { does: 'list keys', method: 'GET', path: `${ns}/{namespace}/keys` },
  { does: 'list keys with a prefix', method: 'GET', path: `${ns}/{namespace}/keys?prefix=a%2F` },
  { does: 'list keys with a low limit', method: 'GET', path: `${ns}/{namespace}/keys?limit=9` },
  {
    does: 'write in bulk',
    method: 'PUT',
    path: `${ns}/{namespace}/bulk`,
    json: [
      { key: 'bulk-1', value: 'one' },
      { key: 'bulk-2', value: 'dHdv', base64: true, metadata: { n: 2 } },
    ],
  },
  {
    does: 'write in bulk, with an invalid entry',
    method: 'PUT',
    path: `${ns}/{namespace}/bulk`,
    json: [{ key: '' }],
  },
  {
    does: 'read in bulk',
    method: 'POST',
    path: `${ns}/{namespace}/bulk/get`,
    json: { keys: ['bulk-1', 'bulk-2', 'none'] },
  },
  {
    does: 'read in bulk with metadata',
    method: 'POST',
    path: `${ns}/{namespace}/bulk/get`,
    json: { keys: ['bulk-2'], withMetadata: true },
  },
  {
    does: 'delete in bulk',
    method: 'POST',
    path: `${ns}/{namespace}/bulk/delete`,
    json: ['bulk-1', 'bulk-2'],
  },
  { does: 'delete a key', method: 'DELETE', path: `${value}/meta` },
  { does: 'delete a missing key', method: 'DELETE', path: `${value}/none` },
  { does: 'delete a namespace', method: 'DELETE', path: `${ns}/{namespace}` },
  { does: 'delete a deleted namespace', method: 'DELETE', path: `${ns}/{namespace}` },
];

const objects: readonly LiveCase[] = [
  { does: 'create a bucket', method: 'POST', path: bucket, json: { name: '{name}' } },
  { does: 'create a bucket that exists', method: 'POST', path: bucket, json: { name: '{name}' } },
  { does: 'create a bucket with an invalid name', method: 'POST', path: bucket, json: { name: 'No' } },
  { does: 'get a bucket', method: 'GET', path: `${bucket}/{name}` },
  { does: 'get a missing bucket', method: 'GET', path: `${bucket}/{name}-none` },
  {
    does: 'list buckets by name',
    method: 'GET',
    path: `${bucket}?name_contains=${namePrefix}`,
    list: 'result.buckets.name',
  },
  {
    does: 'write an object',
    method: 'PUT',
    path: `${bucket}/{name}/objects/folder/a.txt`,
    text: 'text',
    headers: { 'content-type': 'text/plain' },
  },
  { does: 'read an object', method: 'GET', path: `${bucket}/{name}/objects/folder/a.txt` },
  { does: 'read a missing object', method: 'GET', path: `${bucket}/{name}/objects/none` },
  { does: 'list objects', method: 'GET', path: `${bucket}/{name}/objects` },
  { does: 'list objects by a delimiter', method: 'GET', path: `${bucket}/{name}/objects?delimiter=%2F` },
  { does: 'get the CORS of a bucket without', method: 'GET', path: `${bucket}/{name}/cors` },
  {
    does: 'set the CORS of a bucket',
    method: 'PUT',
    path: `${bucket}/{name}/cors`,
    json: { rules: [{ allowed: { methods: ['GET'], origins: ['https://example.com'] }, maxAgeSeconds: 60 }] },
  },
  { does: 'get the CORS of a bucket', method: 'GET', path: `${bucket}/{name}/cors` },
  { does: 'get the lifecycle of a bucket', method: 'GET', path: `${bucket}/{name}/lifecycle` },
  { does: 'delete a bucket with an object', method: 'DELETE', path: `${bucket}/{name}` },
  { does: 'delete an object', method: 'DELETE', path: `${bucket}/{name}/objects/folder/a.txt` },
  { does: 'delete a missing object', method: 'DELETE', path: `${bucket}/{name}/objects/none` },
  { does: 'delete a bucket', method: 'DELETE', path: `${bucket}/{name}` },
  { does: 'delete a deleted bucket', method: 'DELETE', path: `${bucket}/{name}` },
];

const dns: readonly LiveCase[] = [
  { does: 'get the zone', method: 'GET', path: '/zones/{zone}' },
  {
    does: 'create a record',
    method: 'POST',
    path: records,
    json: { type: 'A', name: '{name}.{zoneName}', content: '192.0.2.1', ttl: 300 },
    saves: { record: 'result.id' },
  },
  {
    does: 'create an identical record',
    method: 'POST',
    path: records,
    json: { type: 'A', name: '{name}.{zoneName}', content: '192.0.2.1', ttl: 300 },
  },
  {
    does: 'create a CNAME where an address exists',
    method: 'POST',
    path: records,
    json: { type: 'CNAME', name: '{name}.{zoneName}', content: 'example.com' },
  },
  {
    does: 'create a record with an invalid address',
    method: 'POST',
    path: records,
    json: { type: 'A', name: '{name}.{zoneName}', content: '999.0.2.1' },
  },
  {
    does: 'create a record of an unknown type',
    method: 'POST',
    path: records,
    json: { type: 'NOPE', name: '{name}.{zoneName}', content: 'x' },
  },
  {
    does: 'create a record with a short TTL',
    method: 'POST',
    path: records,
    json: { type: 'TXT', name: '{name}.{zoneName}', content: '"x"', ttl: 5 },
  },
  { does: 'get a record', method: 'GET', path: `${records}/{record}` },
  { does: 'get a missing record', method: 'GET', path: `${records}/${missing}` },
  { does: 'list records by name', method: 'GET', path: `${records}?name={name}.{zoneName}` },
  {
    does: 'change a record',
    method: 'PATCH',
    path: `${records}/{record}`,
    json: { content: '192.0.2.2', comment: 'changed' },
  },
  {
    does: 'replace a record',
    method: 'PUT',
    path: `${records}/{record}`,
    json: { type: 'A', name: '{name}.{zoneName}', content: '192.0.2.3', ttl: 1 },
  },
  { does: 'delete a record', method: 'DELETE', path: `${records}/{record}` },
  { does: 'delete a deleted record', method: 'DELETE', path: `${records}/{record}` },
];

/** Custom hostnames below names that are reserved for documentation. These hostnames are never validated, so no certificate is issued. */
const customHostnames: readonly LiveCase[] = [
  {
    does: 'create a hostname',
    method: 'POST',
    path: hostnames,
    json: { hostname: '{name}.edgectl-live-check.com', ssl: { method: 'txt', type: 'dv' } },
    saves: { hostname: 'result.id' },
  },
  {
    does: 'create the same hostname',
    method: 'POST',
    path: hostnames,
    json: { hostname: '{name}.edgectl-live-check.com', ssl: { method: 'txt', type: 'dv' } },
  },
  {
    does: 'create an invalid hostname',
    method: 'POST',
    path: hostnames,
    json: { hostname: 'not a name', ssl: { method: 'txt', type: 'dv' } },
  },
  {
    does: 'create a hostname longer than a Common Name',
    method: 'POST',
    path: hostnames,
    json: {
      hostname: `${'long-'.repeat(10)}name.{name}.edgectl-live-check.com`,
      ssl: { method: 'txt', type: 'dv' },
    },
  },
  {
    does: 'create a wildcard hostname with HTTP validation',
    method: 'POST',
    path: hostnames,
    json: {
      hostname: 'wild.{name}.edgectl-live-check.com',
      ssl: { method: 'http', type: 'dv', wildcard: true },
    },
  },
  { does: 'get a hostname', method: 'GET', path: `${hostnames}/{hostname}` },
  {
    does: 'get a missing hostname',
    method: 'GET',
    path: `${hostnames}/00000000-0000-4000-8000-000000000000`,
  },
  { does: 'find a hostname', method: 'GET', path: `${hostnames}?hostname={name}.edgectl-live-check.com` },
  {
    does: 'change a hostname',
    method: 'PATCH',
    path: `${hostnames}/{hostname}`,
    json: { ssl: { method: 'txt', type: 'dv', certificate_authority: '' } },
  },
  { does: 'delete a hostname', method: 'DELETE', path: `${hostnames}/{hostname}` },
  { does: 'delete a deleted hostname', method: 'DELETE', path: `${hostnames}/{hostname}` },
];

const code = 'export default { fetch() { return new Response("edgectl") } };\n';
const upload = {
  metadata: {
    content: JSON.stringify({ main_module: 'index.js', compatibility_date: '2024-09-01' }),
    type: 'application/json',
  },
  'index.js': { content: code, type: 'application/javascript+module' },
};

/** The workers have no route and no subdomain, so nobody can call them. */
const workers: readonly LiveCase[] = [
  { does: 'get a missing worker', method: 'GET', path: `${scripts}/{name}/settings` },
  {
    does: 'get the service of a missing worker',
    method: 'GET',
    path: '/accounts/{account}/workers/services/{name}',
  },
  { does: 'upload a worker', method: 'PUT', path: `${scripts}/{name}`, form: upload },
  {
    does: 'upload a worker without its main module',
    method: 'PUT',
    path: `${scripts}/{name}`,
    form: { metadata: { content: '{"main_module":"none.js"}', type: 'application/json' } },
  },
  { does: 'get the settings of a worker', method: 'GET', path: `${scripts}/{name}/settings` },
  {
    does: 'set a secret',
    method: 'PUT',
    path: `${scripts}/{name}/secrets`,
    json: { name: 'TOKEN', text: 'x', type: 'secret_text' },
  },
  { does: 'list secrets', method: 'GET', path: `${scripts}/{name}/secrets` },
  { does: 'list versions', method: 'GET', path: `${scripts}/{name}/versions` },
  { does: 'list deployments', method: 'GET', path: `${scripts}/{name}/deployments` },
  { does: 'delete a secret', method: 'DELETE', path: `${scripts}/{name}/secrets/TOKEN` },
  { does: 'delete a missing secret', method: 'DELETE', path: `${scripts}/{name}/secrets/TOKEN` },
  { does: 'delete a worker', method: 'DELETE', path: `${scripts}/{name}?force=true` },
  { does: 'delete a deleted worker', method: 'DELETE', path: `${scripts}/{name}?force=true` },
];

/** The cases that need only an account, and the cases that also need a zone. */
export const cases = {
  account: [...account, ...keyValue, ...objects, ...workers],
  zone: [...dns, ...customHostnames],
};
