import fc from 'fast-check';
import { afterAll, beforeAll, expect } from 'vitest';
import { isProblem } from '../../src/model/problem.ts';
import { hostnameRoutes } from '../../src/sandbox/hostnames/routes/routes.ts';
import type { Route } from '../../src/sandbox/http/exchange.ts';
import { platformRoutes } from '../../src/sandbox/http/platform.ts';
import { createRouter } from '../../src/sandbox/http/router.ts';
import { kvRoutes } from '../../src/sandbox/kv/routes.ts';
import { objectRoutes } from '../../src/sandbox/objects/routes.ts';
import { accountRoutes } from '../../src/sandbox/session/accounts.ts';
import { userRoutes } from '../../src/sandbox/session/user.ts';
import { workerRoutes } from '../../src/sandbox/workers/routes/routes.ts';
import { multipart } from '../../src/v4/multipart.ts';
import { buildPath } from '../../src/v4/path.ts';
import { declaredRoutes } from '../../src/v4/routes.ts';
import type { Call, Method } from '../../src/v4/send.ts';
import { openTestSandbox, type TestSandbox } from '../sandbox/test-sandbox.ts';
import { anyBytes, anyText, fuzz, mutated, prototypeNames, tenth } from './fuzz.ts';

const routes: readonly Route[] = [
  ...kvRoutes,
  ...objectRoutes,
  ...accountRoutes,
  ...userRoutes,
  ...workerRoutes,
  ...hostnameRoutes,
  ...platformRoutes,
];

/** An upload starts the worker once, in a separate runtime, so uploads are left to the tests of workers. */
const uploads = /^(?:PUT .*\/scripts\/:\w+(?:\/content)?|POST .*\/versions)$/;
const tried = routes.filter(({ method, pattern }) => !uploads.test(`${method} ${pattern}`));

/** Existing resources of the sandbox, by their position in a path. */
const known = {
  account: '',
  zone: '',
  namespace: '',
  bucket: 'bucket-one',
  key: 'a/b',
  script: 'worker-one',
  hostname: '',
  record: '',
};
const bugs: unknown[] = [];
let place: TestSandbox;

beforeAll(async () => {
  place = await openTestSandbox('in process', { onBug: (error) => bugs.push(error) });
  known.account = place.sandbox.access().accountId;
  known.zone = place.sandbox.platform.registry().zoneId();
});
afterAll(() => place.close());

/** A path segment: an existing name, a nearly existing name, or any string. */
const segment: fc.Arbitrary<'known' | { readonly text: string }> = fc.oneof(
  { weight: 5, arbitrary: fc.constant('known' as const) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom('0'.repeat(32), '%', '%2e%2e', '..', '', 'a%2Fb', '%ff', '%00', ...prototypeNames)
      .map((text) => ({ text })),
  },
  { weight: 1, arbitrary: anyText.map((text) => ({ text: encodeURIComponent(text.toWellFormed()) })) },
  { weight: 1, arbitrary: anyText.map((text) => ({ text: text.replace(/[?#]/g, '') })) },
);

const field = fc.oneof(
  fc.constantFrom(
    ...[
      'title',
      'name',
      'key',
      'value',
      'keys',
      'type',
      'content',
      'contents',
      'ttl',
      'proxied',
      'hostname',
      'ssl',
    ],
    ...[
      'method',
      'settings',
      'custom_metadata',
      'custom_origin_server',
      'origin',
      'seconds',
      'port',
      'quota',
      'text',
    ],
    ...[
      'bindings',
      'strategy',
      'versions',
      'expiration',
      'expiration_ttl',
      'metadata',
      'base64',
      'enabled',
      'tags',
    ],
    ...[
      'certificate_authority',
      'wildcard',
      'min_tls_version',
      'withMetadata',
      'storageClass',
      'main_module',
      'limit',
    ],
  ),
  fc.constantFrom(...prototypeNames),
);
const leaf = fc.oneof(
  fc.constantFrom(
    'a.example.com',
    '*.example.com',
    'TXT',
    'CNAME',
    'A',
    'http',
    'txt',
    'bucket-one',
    'worker-one',
    'KEY',
    '1.2',
    '127.0.0.1',
    null,
    true,
  ),
  fc.constantFrom(0, 1, -1, 60, 1e9, 1e15, 1e308, 0.5),
  anyText,
);
const value = fc.letrec<{ node: unknown; table: Record<string, unknown> }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'json' },
    leaf,
    fc.array(tie('node'), { maxLength: 3 }),
    tie('table'),
  ),
  table: fc.dictionary(field, tie('node'), { maxKeys: 5 }),
}));
const json = fc
  .oneof(value.table, value.node, fc.array(value.table, { maxLength: 3 }))
  .map((one) => Buffer.from(JSON.stringify(one)));
const deep = fc.nat(4000).map((depth) => Buffer.from(`${'[{"a":'.repeat(depth)}1${'}]'.repeat(depth)}`));
const boundary = 'xxBOUNDARYxx';
const form = fc
  .array(
    fc.record({
      name: fc.oneof(field, fc.constantFrom('value', 'metadata', 'metadata[bindings][][name]')),
      content: fc.oneof(anyBytes, json),
    }),
    { maxLength: 4 },
  )
  .map((parts) => Buffer.from(multipart(parts, boundary).body));
const body = fc.option(
  fc.oneof({ weight: 6, arbitrary: json }, mutated(json), mutated(form), anyBytes, deep),
  { nil: undefined },
);

const headerText = anyText.map((text) => text.replace(/[^\t\x20-\x7e\x80-\xff]/g, ''));
const headers = fc.record(
  {
    'content-type': fc.oneof(
      fc.constantFrom('application/json', `multipart/form-data; boundary=${boundary}`, 'multipart/form-data'),
      headerText,
    ),
    range: fc.oneof(fc.constantFrom('bytes=0-1', 'bytes=-5', 'bytes=9-'), headerText),
    'if-match': headerText,
    'if-none-match': fc.oneof(fc.constant('*'), headerText),
    'if-modified-since': headerText,
    'if-unmodified-since': headerText,
    'if-range': headerText,
    expires: headerText,
    'cf-metadata-only': fc.constant('true'),
    'cf-r2-custom-metadata': fc.oneof(headerText, fc.json()),
    'cf-r2-storage-class': fc.oneof(fc.constant('Standard'), headerText),
    'cf-r2-jurisdiction': headerText,
  },
  { requiredKeys: [] },
);
const queryName = fc.oneof(
  fc.constantFrom(
    ...[
      'page',
      'per_page',
      'limit',
      'cursor',
      'prefix',
      'delimiter',
      'start_after',
      'order',
      'direction',
      'name',
    ],
    ...['type', 'hostname', 'ssl', 'expiration', 'expiration_ttl', 'include', 'force', 'name_contains', 'id'],
  ),
  fc.constantFrom(...prototypeNames),
);
const queryValue = fc.oneof(
  fc.constantFrom(
    '',
    '0',
    '1',
    '-1',
    '10',
    '1e9',
    '99999999999999999999',
    'name',
    'desc',
    'a.example.com',
    '%',
    '%ff',
  ),
  anyText.map((text) => encodeURIComponent(text.toWellFormed())),
);
const query = fc
  .array(fc.tuple(queryName, queryValue), { maxLength: 3 })
  .map((pairs) => pairs.map((pair) => pair.join('=')).join('&'));

const request = fc.record({
  route: fc.constantFrom(...tried),
  /** Methods of other routes, so that some methods are used on paths that do not support them. */
  method: fc.option(fc.constantFrom<Method>('GET', 'PUT', 'POST', 'PATCH', 'DELETE')),
  segments: fc.array(segment, { minLength: 6, maxLength: 6 }),
  headers,
  query,
  body,
  signed: fc.integer({ min: 0, max: 9 }).map((number) => number > 0),
});
type Request = typeof request extends fc.Arbitrary<infer Value> ? Value : never;

const knownAs: Readonly<Record<string, keyof typeof known>> = {
  account: 'account',
  zone: 'zone',
  namespace: 'namespace',
  id: 'namespace',
  bucket: 'bucket',
  key: 'key',
  script: 'script',
  worker: 'script',
  service: 'script',
  hostname: 'hostname',
  record: 'record',
};

function pathOfRequest({ route, segments, query: text }: Request): string {
  const path = route.pattern.split('/').map((part, at) => {
    if (!/^[:*]/.test(part)) return part;
    const chosen = segments[at % segments.length] ?? 'known';
    return chosen === 'known' ? known[knownAs[part.slice(1)] ?? 'key'] : chosen.text;
  });
  return path.join('/') + (text === '' ? '' : `?${text}`);
}

/** Whether the resources to act on may be missing: before their creation, and after a call that may have deleted them. */
let isBare = true;

/** Creates the resources to act on, even if the last call has deleted them. */
async function furnish(): Promise<void> {
  if (!isBare) return;
  isBare = false;
  if ((await place.kv('GET', `/${known.namespace || 'x'}`)).status !== 200)
    known.namespace = await place.create();
  await place.call('POST', `/accounts/${known.account}/r2/buckets`, { json: { name: known.bucket } });
  const zone = `/zones/${known.zone}`;
  known.hostname = await madeIn(`${zone}/custom_hostnames`, known.hostname, { hostname: 'a.example.com' });
  known.record = await madeIn(`${zone}/dns_records`, known.record, { type: 'TXT', name: 'a', content: 'b' });
}

/** Returns the id of a resource that exists: `id` or, if the list does not contain it, the id of a new resource. */
async function madeIn(list: string, id: string, wanted: object): Promise<string> {
  if (id !== '' && (await place.call('GET', `${list}/${id}`)).status === 200) return id;
  const made = await place.call('POST', list, { json: wanted });
  return made.envelope<{ id: string }>().result?.id ?? 'none';
}

fuzz(
  'any request gets an answer without an internal error, and the sandbox keeps running',
  [fc.array(request, { minLength: 1, maxLength: 2 })],
  async (requests) => {
    bugs.length = 0;
    await furnish();
    for (const one of requests) {
      const method = one.method ?? one.route.method;
      const path = pathOfRequest(one);
      if (uploads.test(`${method} ${one.route.pattern}`)) continue;
      const signed = one.signed ? { authorization: `Bearer ${place.sandbox.access().apiToken}` } : {};
      const call: Call = {
        method,
        path,
        headers: { ...one.headers, ...signed },
        body: one.body,
        repeatable: false,
      };
      const reply = await place.call(call.method, call.path, one.body, { ...call.headers });
      if (bugs.length > 0) throw bugs[0];
      isBare ||= reply.status < 400 && (method === 'DELETE' || path.startsWith('/sandbox'));
      expect(reply.status).toBeLessThan(500);
      if (reply.status < 400) continue;
      const { success, errors } = reply.envelope();
      expect(success).toBe(false);
      expect(errors[0]?.message).toEqual(expect.any(String));
    }
    expect((await place.kv('GET', '')).status).toBe(200);
  },
  tenth,
);

const router = createRouter(routes, declaredRoutes);
const reaching = routes.filter(({ pattern }) => /[:*]key$/.test(pattern));

fuzz(
  'any name in a path reaches only its own resource',
  [anyText, fc.constantFrom(...reaching)],
  (name, route) => {
    const pattern = route.pattern.slice(1).split('/');
    let path: string;
    try {
      path = buildPath(pattern.map((part) => (/^[:*]key$/.test(part) ? name : part.replace(/^[:*]/, ''))));
    } catch (error) {
      expect(isProblem(error) && (['', '.', '..'].includes(name) || !name.isWellFormed())).toBe(true);
      return;
    }
    const match = router(path)[route.method];
    expect(match?.route.pattern).toBe(route.pattern);
    expect(match?.params['key']).toBe(name);
    expect(new URL(`http://127.0.0.1/client/v4${path}`).pathname).toBe(`/client/v4${path}`);
  },
);

fuzz(
  'any path reaches a route or none',
  [
    fc.array(fc.oneof(anyText, fc.constantFrom('accounts', 'x', 'storage', '%2e', '%2E%2e', '%', '')), {
      maxLength: 9,
    }),
  ],
  (segments) => {
    try {
      const matches = router(`/${segments.join('/')}`);
      for (const match of Object.values(matches))
        expect(Object.keys(match.params)).not.toContain('undefined');
    } catch (error) {
      expect(isProblem(error) && error.status).toBe(400);
    }
  },
);
