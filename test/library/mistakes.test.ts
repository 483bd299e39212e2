import Cloudflare from 'cloudflare';
import { type Seed, type StartOptions, startSandbox, type TestSandbox } from 'edgectl/sandbox';
import { expect, test } from 'vitest';

// Classic mistakes of clients, each with one client that makes the mistake and one that does not. On a normal platform, both clients pass;
// only a strict or faulty sandbox reveals the mistake. test/sandbox/traffic/strict.test.ts, which uses a test clock, covers writes that are
// too frequent.

const id = 'a'.repeat(32);
const names = Array.from({ length: 25 }, (_, at) => `key-${String(at).padStart(2, '0')}`);
const seed: Seed = {
  namespaces: [{ title: 'data', id, keys: names.map((key) => ({ key, value: key })) }],
  hostnames: names.map((name) => ({ hostname: `${name}.demo` })),
};

interface Row {
  readonly name?: string;
}

interface Envelope {
  readonly success: boolean;
  readonly result: Row[] & { readonly unsuccessful_keys?: readonly string[] };
  readonly result_info?: { readonly cursor?: string; readonly total_pages?: number };
}

interface Client {
  readonly sandbox: TestSandbox;
  /** Sends a request to a path of the namespace, or to any other path of the API. */
  ask(path: string, init?: RequestInit): Promise<Response>;
  list(path: string): Promise<{ rows: Row[]; info: Envelope['result_info'] }>;
}

async function open(options: StartOptions = {}): Promise<Client & AsyncDisposable> {
  const sandbox = await startSandbox({ seed, ...options });
  const below = `/accounts/${sandbox.accountId}/storage/kv/namespaces/${id}`;
  const ask = (path: string, init: RequestInit = {}) => {
    const whole = path.startsWith('/zones') || path.startsWith('/accounts') ? path : below + path;
    const headers = { authorization: `Bearer ${sandbox.apiToken}`, ...init.headers };
    return fetch(sandbox.apiBaseUrl + whole, { ...init, headers });
  };
  const list = async (path: string) => {
    const { result, result_info: info } = (await (await ask(path)).json()) as Envelope;
    return { rows: result, info };
  };
  return { sandbox, ask, list, [Symbol.asyncDispose]: () => sandbox.close() };
}

const json = (body: unknown): RequestInit => ({
  method: 'PUT',
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

test('the strict sandbox exposes a client that treats one page as the complete list', async () => {
  await using client = await open({ strict: true });
  const { zoneId, apiToken, apiBaseUrl } = client.sandbox;
  const careless = (await client.list(`/zones/${zoneId}/custom_hostnames`)).rows;
  expect(careless).toHaveLength(10);
  const sdk = new Cloudflare({ apiToken, baseURL: apiBaseUrl });
  const careful: string[] = [];
  for await (const { hostname } of sdk.customHostnames.list({ zone_id: zoneId })) careful.push(hostname);
  expect(careful).toHaveLength(25);
  const [first] = await client.sandbox.requests();
  expect(first?.rule).toBe('strict: 15 of 25 rows are on later pages; the client must request the next page');
});

test('small pages expose a client that treats a short page as the last page', async () => {
  await using client = await open({ strict: true });
  const all = async (isLast: (rows: number, cursor: string) => boolean) => {
    const found: string[] = [];
    for (let cursor = ''; ; ) {
      const { rows, info } = await client.list(`/keys?limit=100&cursor=${cursor}`);
      found.push(...rows.map(({ name }) => name ?? ''));
      cursor = info?.cursor ?? '';
      if (isLast(rows.length, cursor)) return found;
    }
  };
  expect(await all((rows) => rows < 100)).toHaveLength(10);
  expect(await all((_, cursor) => cursor === '')).toEqual(names);
});

test('a fault exposes a client that does not retry a temporary refusal', async () => {
  await using client = await open();
  await client.sandbox.addFault({ match: 'GET /**/values/*', status: 429, retryAfter: 0, times: 2 });
  const careless = await client.ask('/values/key-01');
  expect(careless.ok).toBe(false);
  const { apiToken, apiBaseUrl, accountId } = client.sandbox;
  const careful = new Cloudflare({ apiToken, baseURL: apiBaseUrl, maxRetries: 2 });
  const path = { account_id: accountId, namespace_id: id };
  expect(await (await careful.kv.namespaces.values.get('key-01', path)).text()).toBe('key-01');
});

test('a fault exposes a client that does not wait for Retry-After', async () => {
  await using client = await open();
  const rate = { requests: 1, seconds: 3600, per: 'path' } as const;
  await client.sandbox.addFault({ match: 'GET /**/values/*', rate });
  await client.ask('/values/key-01');
  const refused = await client.ask('/values/key-01');
  expect(refused.status).toBe(429);
  expect((await client.ask('/values/key-01')).status).toBe(429);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(3500);
  // Clearing the faults has the same effect as waiting.
  await client.sandbox.clearFaults();
  expect((await client.ask('/values/key-01')).status).toBe(200);
});

test('a fault exposes a client that resends a create request whose first answer was lost', async () => {
  await using client = await open();
  const path = `/zones/${client.sandbox.zoneId}/dns_records`;
  const body = { ...json({ type: 'A', name: 'once', content: '192.0.2.1' }), method: 'POST' };
  await client.sandbox.addFault({ match: 'POST /zones/*/dns_records', cut: 'after', times: 1 });
  const first = await client.ask(path, body).catch((error: Error) => error);
  expect(first).toBeInstanceOf(Error);
  const careless = await client.ask(path, body);
  expect(careless.status).toBe(400);
  // A client that checks first finds the created resource.
  expect((await client.list(`${path}?name=once.saas.sandbox`)).rows).toHaveLength(1);
});

test('a fault exposes a client that ignores success: false in an answer with HTTP 200', async () => {
  await using client = await open();
  await client.sandbox.addFault({ match: 'PUT /**/values/*', status: 200 });
  const answer = await client.ask('/values/new', { method: 'PUT', body: 'x' });
  expect(answer.ok).toBe(true);
  expect(((await answer.json()) as Envelope).success).toBe(false);
  expect((await client.ask('/values/new')).status).toBe(404);
});

test('a fault exposes a client that does not retry keys that a bulk write left unwritten', async () => {
  await using client = await open();
  await client.sandbox.addFault({ match: 'PUT /**/bulk', unsuccessfulKeys: 0.5, times: 1 });
  const entries = names.map((key) => ({ key, value: 'new' }));
  const { success, result } = (await (await client.ask('/bulk', json(entries))).json()) as Envelope;
  expect(success).toBe(true);
  const stale = async () => {
    const values = await Promise.all(names.map(async (key) => (await client.ask(`/values/${key}`)).text()));
    return values.filter((value) => value !== 'new').length;
  };
  const left = result.unsuccessful_keys ?? [];
  expect(left.length).toBeGreaterThan(0);
  expect(await stale()).toBe(left.length);
  await client.ask('/bulk', json(entries.filter(({ key }) => left.includes(key))));
  expect(await stale()).toBe(0);
});

test('stale reads expose a client that expects to read a new value immediately', async () => {
  await using client = await open();
  await client.sandbox.addFault({ match: 'GET /**/values/*', stale: 60 });
  const read = async () => (await client.ask('/values/key-01')).text();
  expect(await read()).toBe('key-01');
  await client.ask('/values/key-01', { method: 'PUT', body: 'new' });
  expect(await read()).toBe('key-01');
});

test('the sandbox exposes a client that does not encode a key in a path', async () => {
  await using client = await open({ strict: true });
  const put = (key: string) => client.ask(`/values/${key}`, { method: 'PUT', body: 'x' });
  expect((await put('users?id=1')).status).toBe(400);
  const [asked] = await client.sandbox.requests();
  expect(asked).toMatchObject({
    rule: 'strict: the query parameter id is ignored',
    notes: [expect.any(String)],
  });
  expect((await put(encodeURIComponent('users?id=1'))).status).toBe(200);
});

test('the strict sandbox exposes a client that misspells a field', async () => {
  const body = json([{ key: 'session', value: 'ada', expiration_tll: 3600 }]);
  await using tolerant = await open();
  expect((await tolerant.ask('/bulk', body)).status).toBe(200);
  const [noted] = await tolerant.sandbox.requests();
  expect(noted).toMatchObject({ rule: null, notes: ['the field expiration_tll is unknown'] });
  await using strict = await open({ strict: true });
  expect((await strict.ask('/bulk', body)).status).toBe(400);
  const right = json([{ key: 'session', value: 'ada', expiration_ttl: 3600 }]);
  expect((await strict.ask('/bulk', right)).status).toBe(200);
});

test('a fault exposes a client that parses the error page of a proxy as JSON', async () => {
  await using client = await open();
  await client.sandbox.addFault({ match: 'GET /**/keys', body: 'html', status: 502 });
  const answer = await client.ask('/keys');
  expect(answer.status).toBe(502);
  await expect(answer.json()).rejects.toThrow('JSON');
});

test('the strict sandbox exposes a client that uses a deprecated route or an API key that has all permissions', async () => {
  await using client = await open({ strict: true });
  const old = await client.ask('/bulk', { ...json(['key-01']), method: 'DELETE' });
  expect(old.status).toBe(404);
  const { email, apiKey, apiBaseUrl } = client.sandbox;
  const headers = { 'x-auth-email': email, 'x-auth-key': apiKey };
  expect((await fetch(`${apiBaseUrl}/zones`, { headers })).status).toBe(403);
  expect((await client.sandbox.requests()).map(({ rule }) => rule)).toEqual([
    expect.stringMatching(/^strict: DELETE .* is deprecated: use POST …\/bulk\/delete$/),
    expect.stringMatching(/^strict: an API key has all permissions/),
  ]);
});
