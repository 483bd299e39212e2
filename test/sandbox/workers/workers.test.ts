import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { multipart } from '../../../src/v4/multipart.ts';
import { inSoak, roundsInPart } from '../../support/in-part.ts';
import { openTestSandbox } from '../test-sandbox.ts';
import { openWorkerSandbox, uploadForm, type WorkerSandbox } from './test-sandbox.ts';

let place: WorkerSandbox;
beforeAll(async () => {
  place = await openWorkerSandbox('over a socket');
});
afterAll(() => place.close());
afterEach(() => place.forgetWorkers());

const source = `export default { fetch(request, env) {
  return Response.json(Object.fromEntries(['WORD', 'LIST', 'TOKEN', 'OTHER'].map((name) => [name, env[name]])));
} }`;
const modules = { 'index.js': source };
const seen = async (name: string) => JSON.parse((await place.visit(name, '/')).text);

async function put(
  path: string,
  form: { body: Uint8Array; contentType: string },
  method: 'PUT' | 'POST' | 'PATCH' = 'PUT',
) {
  return place.workers(method, path, form.body, { 'content-type': form.contentType });
}

async function secret(name: string, text: string, worker: string) {
  return place.workers('PUT', `/scripts/${worker}/secrets`, { json: { name, text, type: 'secret_text' } });
}

interface Version {
  readonly id: string;
  readonly number: number;
}

async function readVersions(worker: string): Promise<Version[]> {
  const reply = await place.workers('GET', `/scripts/${worker}/versions?per_page=100`);
  return reply.envelope<{ items: Version[] }>().result?.items ?? [];
}

describe('an upload', () => {
  test('an uploaded worker answers at its own hostname while its route is enabled', async () => {
    const form = uploadForm(modules);
    const reply = await put('/scripts/routed', form);
    expect(reply.envelope()).toMatchObject({
      success: true,
      result: { id: 'routed', entry_point: 'index.js' },
    });
    expect((await place.visit('routed', '/')).status).toBe(530);
    await place.workers('POST', '/scripts/routed/subdomain', { json: { enabled: true } });
    expect((await place.visit('routed', '/')).status).toBe(200);
    expect((await place.workers('DELETE', '/scripts/routed/subdomain')).envelope().result).toEqual({
      enabled: false,
      previews_enabled: false,
    });
    expect((await place.visit('routed', '/')).status).toBe(530);
  });

  inSoak(() => {
    test('an upload gives each worker its own bindings, and the next upload replaces them', async () => {
      const bindings = [
        { type: 'plain_text', name: 'WORD', text: 'blue' },
        { type: 'json', name: 'LIST', json: [1, { two: 2 }] },
      ];
      await place.deploy('bound', modules, { bindings });
      await place.deploy('bare', modules);
      expect(await seen('bound')).toEqual({ WORD: 'blue', LIST: [1, { two: 2 }] });
      expect(await seen('bare')).toEqual({});
      await place.deploy('bound', modules, { bindings: [{ type: 'plain_text', name: 'WORD', text: 'red' }] });
      expect(await seen('bound')).toEqual({ WORD: 'red' });
    });
  });

  inSoak(() => {
    test('an upload keeps settings that its metadata names without a value', async () => {
      const bindings = [
        { type: 'plain_text', name: 'WORD', text: 'blue' },
        { type: 'json', name: 'LIST', json: [1] },
      ];
      await place.deploy('patched', modules, { bindings });
      await secret('TOKEN', 'one', 'patched');
      const settings = {
        bindings: [
          { type: 'plain_text', name: 'WORD' },
          { type: 'json', name: 'LIST' },
          { type: 'secret_text', name: 'TOKEN' },
          { type: 'secret_text', name: 'OTHER', text: 'two' },
        ],
      };
      const form = multipart([{ name: 'settings', content: JSON.stringify(settings) }], 'b');
      expect((await put('/scripts/patched/settings', form, 'PATCH')).status).toBe(200);
      expect(await seen('patched')).toEqual({ WORD: 'blue', LIST: [1], TOKEN: 'one', OTHER: 'two' });
      const unknown = { bindings: [{ type: 'plain_text', name: 'NEW' }] };
      const wrong = multipart([{ name: 'settings', content: JSON.stringify(unknown) }], 'b');
      expect((await put('/scripts/patched/settings', wrong, 'PATCH')).code).toBe(10021);
    });
  });

  inSoak(() => {
    // Secrets are "persisted between deploys" (cloudflare/workers-docs#695) and "implicitly inherited" (cloudflare/workers-sdk#5296).
    test('an upload keeps secrets, regardless of keep_bindings, and can inherit them under other names', async () => {
      await place.deploy('keeper', modules);
      await secret('TOKEN', 'one', 'keeper');
      await secret('OTHER', 'two', 'keeper');
      await place.deploy('keeper', modules, { keep_bindings: ['secret_text'] });
      expect(await seen('keeper')).toEqual({ TOKEN: 'one', OTHER: 'two' });
      await place.deploy('keeper', modules, {
        bindings: [{ type: 'inherit', name: 'WORD', old_name: 'TOKEN' }],
      });
      expect(await seen('keeper')).toEqual({ TOKEN: 'one', OTHER: 'two', WORD: 'one' });
      await place.deploy('keeper', modules, { keep_bindings: ['plain_text'] });
      expect(await seen('keeper')).toEqual({ TOKEN: 'one', OTHER: 'two', WORD: 'one' });
    });
  });

  inSoak(() => {
    test('an upload can be an old script, as a form or raw', async () => {
      const old = "addEventListener('fetch', (event) => event.respondWith(new Response('old')))";
      const script = {
        name: 'script',
        fileName: 'script',
        contentType: 'application/javascript',
        content: old,
      };
      const metadata = { name: 'metadata', content: JSON.stringify({ body_part: 'script' }) };
      expect((await put('/scripts/listener', multipart([metadata, script], 'b'))).status).toBe(200);
      await place.workers('POST', '/scripts/listener/subdomain', { json: { enabled: true } });
      expect((await place.visit('listener', '/')).text).toBe('old');
      const type = { 'content-type': 'application/javascript' };
      await place.workers('PUT', '/scripts/listener', old.replace("'old'", "'plain'"), type);
      expect((await place.visit('listener', '/')).text).toBe('plain');
      const content = await place.workers('GET', '/scripts/listener');
      expect([content.headers['content-type'], content.text]).toEqual([
        'application/javascript',
        old.replace("'old'", "'plain'"),
      ]);
    });
  });

  test('an uploaded worker is returned module by module, with the kind of each module', async () => {
    const both = {
      'src/index.js': "import text from './a.txt'; export default { fetch: () => new Response(text) }",
      'src/a.txt': 'A',
    };
    await place.deploy('several', both);
    expect((await place.visit('several', '/')).text).toBe('A');
    const { headers, text } = await place.workers('GET', '/scripts/several/content/v2');
    expect(headers['cf-entrypoint']).toBe('src/index.js');
    expect(text).toMatch(/name="src\/index\.js".*\r\nContent-Type: application\/javascript\+module\r\n/);
    expect(text).toMatch(/name="src\/a\.txt".*\r\nContent-Type: text\/plain\r\n\r\nA\r\n/);
  });

  const bound = (...bindings: unknown[]) => uploadForm(modules, { bindings });
  test.each([
    ['no main module', uploadForm(modules, { main_module: undefined }), 10021],
    ['a missing main module', uploadForm(modules, { main_module: 'other.js' }), 10021],
    ['code that does not parse', uploadForm({ 'index.js': 'export default {' }), 10021],
    ['a missing module', uploadForm({ 'index.js': 'import "./x.js"; export default {}' }), 10021],
    ['an invalid date', uploadForm(modules, { compatibility_date: 'today' }), 10021],
    ['a date in the future', uploadForm(modules, { compatibility_date: '9999-01-01' }), 10021],
    [
      'a flag that the runtime does not know',
      uploadForm(modules, { compatibility_flags: ['no_such'] }),
      10021,
    ],
    ['bindings that are not a list', uploadForm(modules, { bindings: {} }), 10021],
    ['a binding without a name', bound({ type: 'plain_text', text: 'x' }), 10021],
    ['a binding that is not an identifier', bound({ type: 'plain_text', name: 'a-b', text: 'x' }), 10021],
    ['a binding without its value', bound({ type: 'plain_text', name: 'A' }), 10021],
    [
      'a binding given twice',
      bound({ type: 'json', name: 'A', json: 1 }, { type: 'json', name: 'A', json: 2 }),
      10021,
    ],
    ['a binding that the sandbox cannot run', bound({ type: 'd1', name: 'A', id: 'x' }), 10021],
    ['nothing to inherit', bound({ type: 'inherit', name: 'A' }), 10021],
    ['a missing namespace', bound({ type: 'kv_namespace', name: 'A', namespace_id: 'f'.repeat(32) }), 10041],
    ['a missing bucket', bound({ type: 'r2_bucket', name: 'A', bucket_name: 'none-such' }), 10085],
    [
      'an invalid jurisdiction',
      bound({ type: 'r2_bucket', name: 'A', bucket_name: 'none-such', jurisdiction: 'moon' }),
      10021,
    ],
    ['metadata that is not JSON', multipart([{ name: 'metadata', content: '{' }], 'b'), 10012],
    [
      'a truncated form',
      { body: Buffer.from('--b\r\n'), contentType: 'multipart/form-data; boundary=b' },
      10012,
    ],
    ['a form without a boundary', { body: Buffer.from('x'), contentType: 'multipart/form-data' }, 10012],
    [
      'a module of an unknown type',
      multipart(
        [
          { name: 'metadata', content: '{"main_module":"a"}' },
          { name: 'a', fileName: 'a', contentType: 'image/png', content: 'x' },
        ],
        'b',
      ),
      10021,
    ],
  ])('an upload with %s is rejected, and creates no worker', async (_, form, code) => {
    const reply = await put('/scripts/refused', form);
    expect([reply.status, reply.code]).toEqual([400, code]);
    expect((await place.workers('GET', '/scripts/refused/settings')).code).toBe(10007);
  });

  // wrangler 2, 3 and 4.0 to 4.4x: suppressNotFoundError accepts 10090 and 10092, because deploy reads a worker's
  // migrations at these paths.
  test('returns separate error codes below services for a missing worker and for a missing environment', async () => {
    const codeOf = async (path: string) => (await place.workers('GET', `/services/${path}`)).code;
    expect(await codeOf('nobody')).toBe(10090);
    for (const part of ['', '/bindings', '/routes', '/subdomain', '/content/v2'])
      expect([part, await codeOf(`nobody/environments/production${part}`)]).toEqual([part, 10090]);
    expect((await place.workers('DELETE', '/services/nobody')).code).toBe(10090);
    place.sandbox.platform.registry().workers.create('somebody');
    expect(await codeOf('somebody/environments/staging')).toBe(10092);
    expect((await place.workers('GET', '/services/somebody/environments/production')).status).toBe(200);
  });

  test.each(['UPPER', '-dash', 'a'.repeat(64), 'dot.ted', 'sp%20ace'])(
    'an upload to the name %s is rejected',
    async (name) => {
      const reply = await put(`/scripts/${name}`, uploadForm(modules));
      expect([reply.status, reply.code]).toEqual([400, 10016]);
    },
  );

  inSoak(() => {
    test('an upload longer than 64 MiB is rejected', async () => {
      const form = uploadForm({ 'index.js': source, 'big.txt': 'x'.repeat(64 * 1024 * 1024) });
      const reply = await put('/scripts/refused', form);
      expect([reply.status, reply.code]).toEqual([413, 10027]);
    });
  });

  test('an upload of a worker that throws at run time is accepted; each visit returns 500', async () => {
    await place.deploy('thrower', { 'index.js': 'export default { fetch() { throw new Error("boom") } }' });
    expect((await place.visit('thrower', '/')).status).toBe(500);
  });
});

describe('secrets', () => {
  test('secrets reach the running worker and are never shown', async () => {
    await place.deploy('vault', modules);
    const set = await secret('TOKEN', 'hidden text', 'vault');
    expect(set.envelope().result).toEqual({ name: 'TOKEN', type: 'secret_text' });
    expect(await seen('vault')).toEqual({ TOKEN: 'hidden text' });
    const version = (await readVersions('vault'))[0]?.id;
    for (const path of ['secrets', 'secrets/TOKEN', 'settings', `versions/${version}`, 'versions']) {
      const { text, status } = await place.workers('GET', `/scripts/vault/${path}`);
      expect([status, text]).toEqual([200, expect.not.stringContaining('hidden text')]);
    }
  });

  test('secrets require a name, a string, a known type and an existing worker', async () => {
    await place.deploy('vault', modules);
    const refused = async (json: unknown) =>
      (await place.workers('PUT', '/scripts/vault/secrets', { json })).code;
    expect(await refused({ text: 'x' })).toBe(10021);
    expect(await refused({ name: 'a b', text: 'x' })).toBe(10021);
    expect(await refused({ name: 'A', text: 5 })).toBe(10021);
    expect(await refused({ name: 'A', text: 'x', type: 'secret_key' })).toBe(10021);
    expect(await refused('text')).toBe(10021);
    expect((await secret('A', 'x', 'nobody')).code).toBe(10007);
    expect((await place.workers('DELETE', '/scripts/vault/secrets/NONE')).code).toBe(10056);
  });

  test('secrets cannot have the name of another binding', async () => {
    await place.deploy('vault', modules, { bindings: [{ type: 'plain_text', name: 'WORD', text: 'x' }] });
    expect((await secret('WORD', 'y', 'vault')).code).toBe(10053);
  });

  test('a bulk change of secrets is applied completely or not at all', async () => {
    await place.deploy('vault', modules);
    await secret('TOKEN', 'before', 'vault');
    const patch = (secrets: unknown) =>
      place.workers('PATCH', '/scripts/vault/secrets-bulk', { json: { secrets } });
    expect((await patch({ TOKEN: null, OTHER: { text: 5 } })).code).toBe(10021);
    expect(await seen('vault')).toEqual({ TOKEN: 'before' });
    const reply = await patch({ TOKEN: null, OTHER: { text: 'after' } });
    expect(reply.envelope().result).toEqual({ OTHER: { name: 'OTHER', type: 'secret_text' } });
    expect(await seen('vault')).toEqual({ OTHER: 'after' });
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`S${at}`, { text: 'x' }]));
    expect((await patch(many)).code).toBe(10021);
  });

  test('secrets of a worker whose latest version is not deployed cannot be changed', async () => {
    await place.deploy('vault', modules);
    await put('/scripts/vault/versions', uploadForm(modules), 'POST');
    expect((await secret('TOKEN', 'x', 'vault')).code).toBe(10215);
    const json = { secrets: { TOKEN: { text: 'x' } } };
    expect((await place.workers('PATCH', '/scripts/vault/secrets-bulk', { json })).code).toBe(10214);
  });
});

describe('versions and deployments', () => {
  const word = (text: string) => ({ bindings: [{ type: 'plain_text', name: 'WORD', text }] });

  test('a version runs after it was deployed, and an older version can replace it', async () => {
    await place.deploy('steps', modules, word('one'));
    await put('/scripts/steps/versions', uploadForm(modules, word('two')), 'POST');
    expect(await seen('steps')).toEqual({ WORD: 'one' });
    const [second, first] = await readVersions('steps');
    const run = (id: string | undefined, percentage = 100) =>
      place.workers('POST', '/scripts/steps/deployments', {
        json: { strategy: 'percentage', versions: [{ version_id: id, percentage }] },
      });
    expect((await run(second?.id)).status).toBe(200);
    expect(await seen('steps')).toEqual({ WORD: 'two' });
    await run(first?.id);
    expect(await seen('steps')).toEqual({ WORD: 'one' });
    const list = (await place.workers('GET', '/scripts/steps/deployments')).envelope<{
      deployments: { id: string; versions: unknown[] }[];
    }>();
    const [latest] = list.result?.deployments ?? [];
    expect(list.result?.deployments).toHaveLength(3);
    expect(latest?.versions).toEqual([{ version_id: first?.id, percentage: 100 }]);
    const one = await place.workers('GET', `/scripts/steps/deployments/${latest?.id}`);
    expect(one.envelope().result).toEqual(latest);
    expect((await run('no-such-version')).code).toBe(100146);
    expect((await run(second?.id, 50)).code).toBe(10021);
  });

  inSoak(() => {
    test('a worker keeps its newest hundred versions, and the running version', async () => {
      await place.deploy('many', modules, word('running'));
      for (let count = 0; count < 105; count += 1) {
        const json = { env: { TOKEN: { type: 'secret_text', text: String(count) } } };
        await place.workers('PATCH', '/workers/many/versions/latest', { json });
      }
      const versions = await readVersions('many');
      expect(versions.map(({ number }) => number)).toEqual(Array.from({ length: 100 }, (_, at) => 106 - at));
      const deployments = await place.workers('GET', '/scripts/many/deployments');
      const running = deployments.envelope<{ deployments: { versions: { version_id: string }[] }[] }>();
      const id = running.result?.deployments[0]?.versions[0]?.version_id;
      expect((await place.workers('GET', `/scripts/many/versions/${id}`)).status).toBe(200);
      expect(await seen('many')).toEqual({ WORD: 'running' });
    });
  });

  test('versions and deployments need an existing worker', async () => {
    expect((await put('/scripts/nobody/versions', uploadForm(modules), 'POST')).code).toBe(10007);
    expect((await place.workers('GET', '/scripts/nobody/deployments')).code).toBe(10007);
  });
});

test('deletes a worker with its hostname, its versions and its secrets', async () => {
  await place.deploy('gone', modules);
  await secret('TOKEN', 'x', 'gone');
  expect((await place.workers('DELETE', '/scripts/gone?force=true')).status).toBe(200);
  expect((await place.visit('gone', '/')).status).toBe(530);
  await place.deploy('gone', modules, { keep_bindings: ['secret_text'] });
  expect(await seen('gone')).toEqual({});
  expect(await readVersions('gone')).toHaveLength(1);
});

test('keeps workers and secrets when the sandbox restarts', async () => {
  await place.deploy('lasting', modules);
  await secret('TOKEN', 'kept', 'lasting');
  const again = await openWorkerSandbox('in process', {
    folder: place.folder,
    persistRoot: place.sandbox.persistRoot,
  });
  expect(JSON.parse((await again.visit('lasting', '/')).text)).toEqual({ TOKEN: 'kept' });
  await again.edge.close();
  again.sandbox.close();
});

inSoak(() => {
  test('does not make a worker fail if the API writes keys while workers write', async () => {
    const id = await place.create('busy');
    const busy = `export default { async fetch(request, env) {
    await env.KV.put(new URL(request.url).pathname, 'v');
    return new Response('ok');
  } }`;
    const bindings = [{ type: 'kv_namespace', name: 'KV', namespace_id: id }];
    await place.deploy('busy', { 'index.js': busy }, { bindings });
    await place.visit('busy', '/first');
    let isBusy = true;
    const answers = new Set<string>();
    const visitor = async (name: string) => {
      for (let count = 0; isBusy; count += 1)
        answers.add((await place.visit('busy', `/${name}${count}`)).text);
    };
    const visitors = Array.from({ length: 8 }, (_, at) => visitor(`visitor${at}-`));
    for (let count = 0; count < roundsInPart(100, 3); count += 1) {
      expect((await place.kv('PUT', `/${id}/values/api${count}`, 'v')).status).toBe(200);
    }
    isBusy = false;
    await Promise.all(visitors);
    expect([...answers]).toEqual(['ok']);
  });
});

test('local data does not support workers', async () => {
  const local = await openTestSandbox('in process', { kind: 'local' });
  const reply = await local.call('GET', '/accounts/anyone/workers/scripts');
  expect([reply.status, reply.text]).toEqual([400, expect.stringContaining('edgectl dev')]);
  await local.close();
});

test('a sandbox that does not serve its edge returns a null edge_url, and accepts uploads', async () => {
  const alone = await openTestSandbox('in process');
  const { accountId } = alone.sandbox.access();
  const form = uploadForm(modules);
  const signed = {
    authorization: `Bearer ${alone.sandbox.access().apiToken}`,
    'content-type': form.contentType,
  };
  const base = `/accounts/${accountId}/workers`;
  expect((await alone.call('PUT', `${base}/scripts/alone`, form.body, signed)).status).toBe(200);
  expect((await alone.call('GET', `${base}/subdomain`)).envelope().result).toEqual({
    subdomain: 'sandbox',
    edge_url: null,
  });
  await alone.close();
});
