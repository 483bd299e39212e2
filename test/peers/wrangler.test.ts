import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestSandbox, type TestSandbox } from '../sandbox/test-sandbox.ts';
import { inSoak } from '../support/in-part.ts';
import { scratchFolder } from '../support/world.ts';
import { openWrangler, type Run, type Wrangler } from './wrangler.ts';

let place: TestSandbox;
let empty: TestSandbox;
let folder: string;
let wrangler: Wrangler;

beforeAll(async () => {
  folder = scratchFolder('wrangler');
  place = await openTestSandbox('over a socket');
  empty = await openTestSandbox('over a socket', { emptyPages: true });
  wrangler = openWrangler(folder, environment(place));
});
afterAll(async () => {
  await Promise.all([place.close(), empty.close()]);
});

function environment({ sandbox, apiBaseUrl }: TestSandbox): Record<string, string> {
  const { accountId, apiToken } = sandbox.access();
  return {
    CLOUDFLARE_API_BASE_URL: apiBaseUrl,
    CLOUDFLARE_ACCOUNT_ID: accountId,
    CLOUDFLARE_API_TOKEN: apiToken,
  };
}

async function file(content: string | Uint8Array): Promise<string> {
  const path = join(folder, randomBytes(6).toString('hex'));
  await writeFile(path, content);
  return path;
}

function done(run: Run): Run {
  expect(run, run.said).toMatchObject({ code: 0 });
  return run;
}

const jsonOf = (run: Run): unknown => JSON.parse(done(run).stdout.toString());
const remote = (id: string) => ['--namespace-id', id, '--remote'];

describe.concurrent('the real wrangler with namespaces and keys', { timeout: 120_000 }, () => {
  test('wrangler creates a namespace, lists it, cannot reuse its title, renames and deletes it', async () => {
    const title = 'from wrangler';
    const id = /"id": "([0-9a-f]{32})"|id = "([0-9a-f]{32})"/.exec(
      done(await wrangler('kv', 'namespace', 'create', title)).said,
    );
    const created = id?.[1] ?? id?.[2];
    const [list, again] = await Promise.all([
      wrangler('kv', 'namespace', 'list'),
      wrangler('kv', 'namespace', 'create', title),
    ]);
    expect(jsonOf(list)).toContainEqual({ id: created, title, supports_url_encoding: true });
    expect([again.code, again.said]).toEqual([1, expect.stringContaining('already exists')]);
    done(await wrangler('kv', 'namespace', 'rename', title, '--new-name', 'renamed'));
    expect((await place.kv('GET', `/${created}`)).envelope().result).toMatchObject({ title: 'renamed' });
    done(await wrangler('kv', 'namespace', 'delete', '--namespace-id', created ?? '', '-y'));
    expect((await place.kv('GET', `/${created}`)).status).toBe(404);
  });

  inSoak(() => {
    test('wrangler lists more namespaces than fit one page', async () => {
      const many = await openTestSandbox('over a socket');
      try {
        const titles = Array.from({ length: 23 }, (_, index) => `title ${String(index).padStart(2, '0')}`);
        for (const title of titles.toReversed()) await many.create(title);
        const list = await wrangler.with(environment(many))('kv', 'namespace', 'list');
        expect((jsonOf(list) as { title: string }[]).map(({ title }) => title)).toEqual(titles);
      } finally {
        await many.close();
      }
    });
  });

  test('wrangler puts, gets, lists and deletes a key with expiry and metadata', async () => {
    const id = await place.create();
    const key = 'a/b c?d#ü';
    const options = ['--ttl', '600', '--metadata', '{"tag":"ü"}'];
    done(await wrangler('kv', 'key', 'put', key, 'the value', ...options, ...remote(id)));
    const [got, list] = await Promise.all([
      wrangler('kv', 'key', 'get', key, ...remote(id)),
      wrangler('kv', 'key', 'list', '--prefix', 'a/', ...remote(id)),
    ]);
    expect(done(got).stdout.toString()).toBe('the value');
    const expiration = Math.floor(place.clock.now / 1000) + 600;
    expect(jsonOf(list)).toEqual([{ name: key, expiration, metadata: { tag: 'ü' } }]);
    done(await wrangler('kv', 'key', 'delete', key, ...remote(id)));
    const missing = await wrangler('kv', 'key', 'get', key, ...remote(id));
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringContaining('404')]);
  });

  inSoak(() => {
    test('wrangler puts and gets binary files, with and without metadata, and an empty file', async () => {
      const id = await place.create();
      const bytes = randomBytes(2_000_000);
      const [binary, nothing] = await Promise.all([file(bytes), file('')]);
      for (const run of await Promise.all([
        wrangler('kv', 'key', 'put', 'raw', '--path', binary, ...remote(id)),
        wrangler('kv', 'key', 'put', 'form', '--path', binary, '--metadata', '{"a":1}', ...remote(id)),
        wrangler('kv', 'key', 'put', 'empty', '--path', nothing, ...remote(id)),
      ])) {
        done(run);
      }
      const [raw, form, none] = await Promise.all(
        ['raw', 'form', 'empty'].map((key) => wrangler('kv', 'key', 'get', key, ...remote(id))),
      );
      expect(raw?.stdout.equals(bytes)).toBe(true);
      expect(form?.stdout.equals(bytes)).toBe(true);
      expect(none?.stdout).toHaveLength(0);
      expect((await place.kv('GET', `/${id}/metadata/form`)).envelope().result).toEqual({ a: 1 });
    });
  });

  inSoak(() => {
    test('wrangler reports why an expiry, a value or a key is rejected', async () => {
      const id = await place.create();
      const large = await file(Buffer.alloc(25 * 1024 * 1024 + 1));
      const [ttl, long, value] = await Promise.all([
        wrangler('kv', 'key', 'put', 'k', 'v', '--ttl', '59', ...remote(id)),
        wrangler('kv', 'key', 'put', 'x'.repeat(513), 'v', ...remote(id)),
        wrangler('kv', 'key', 'put', 'k', '--path', large, ...remote(id)),
      ]);
      expect([ttl.code, ttl.stderr]).toEqual([1, expect.stringContaining('[code: 10034]')]);
      expect([long.code, long.stderr]).toEqual([
        1,
        expect.stringContaining('exceeds key length limit of 512'),
      ]);
      expect([value.code, value.stderr]).toEqual([1, expect.stringContaining('exceeds the limit')]);
    });
  });

  test('wrangler deletes nothing when it resolves the key .. to the path of the namespace', async () => {
    const id = await place.create('stays');
    const run = await wrangler('kv', 'key', 'delete', '..', ...remote(id));
    expect(run.code, run.said).toBe(1);
    expect((await place.kv('GET', `/${id}`)).envelope().result).toMatchObject({ title: 'stays' });
  });

  inSoak(() => {
    test('wrangler puts 1,500 pairs in bulk, gets some of them and deletes all of them', async () => {
      const id = await place.create();
      const pairs = Array.from({ length: 1500 }, (_, index) => ({ key: `k${index}`, value: `v${index}` }));
      const special = { key: 'special', value: '/wA=', base64: true, expiration_ttl: 60, metadata: { m: 1 } };
      const [put, some, all] = await Promise.all([
        file(JSON.stringify([...pairs, special])),
        file(JSON.stringify(['k0', { name: 'k1499' }, 'missing'])),
        file(JSON.stringify([...pairs, special].map(({ key }) => key))),
      ]);
      done(await wrangler('kv', 'bulk', 'put', put, ...remote(id)));
      const [got, list] = await Promise.all([
        wrangler('kv', 'bulk', 'get', some, ...remote(id)),
        wrangler('kv', 'key', 'list', ...remote(id)),
      ]);
      expect(jsonOf(got)).toEqual({ k0: 'v0', k1499: 'v1499', missing: null });
      expect(jsonOf(list)).toHaveLength(1501);
      expect((await place.kv('GET', `/${id}/values/special`)).bytes).toEqual(Buffer.from([255, 0]));
      done(await wrangler('kv', 'bulk', 'delete', all, '--force', ...remote(id)));
      expect((await place.kv('GET', `/${id}/keys`)).envelope().result).toEqual([]);
    });
  });

  inSoak(() => {
    test('wrangler follows cursors over empty pages', async () => {
      const id = await empty.create();
      const pairs = Array.from({ length: 1200 }, (_, index) => ({ key: `k${index}`, value: '' }));
      await empty.kv('PUT', `/${id}/bulk`, { json: pairs });
      const list = await wrangler.with(environment(empty))('kv', 'key', 'list', ...remote(id));
      expect(jsonOf(list)).toHaveLength(1200);
    });
  });

  inSoak(() => {
    test('wrangler authenticates with e-mail and key, finds the only account, and shows the user', async () => {
      const id = await place.create();
      const { email, apiKey, accountName } = place.sandbox.access();
      const signed = wrangler.with({
        CLOUDFLARE_API_TOKEN: undefined,
        CLOUDFLARE_ACCOUNT_ID: undefined,
        CLOUDFLARE_EMAIL: email,
        CLOUDFLARE_API_KEY: apiKey,
      });
      const [put, whoami] = await Promise.all([
        signed('kv', 'key', 'put', 'k', 'v', ...remote(id)),
        signed('whoami'),
      ]);
      done(put);
      expect((await place.kv('GET', `/${id}/values/k`)).text).toBe('v');
      expect(done(whoami).said).toContain(accountName);
    });
  });

  inSoak(() => {
    test('wrangler is rejected with a wrong token', async () => {
      const stranger = wrangler.with({ CLOUDFLARE_API_TOKEN: 'wrong' });
      const run = await stranger.process(['kv', 'namespace', 'create', 'stranger']);
      expect([run.code, run.said]).toEqual([1, expect.stringContaining('Authentication error')]);
    });
  });
});

test('docs/comparison.md names the commands that the help of wrangler lists, and the commands that wrangler lacks', async () => {
  const all = done(await wrangler('--help')).said;
  const commands = [...all.matchAll(/^ {2}wrangler ([\w-]+)/gm)].map(([, name]) => name);
  expect(commands).toEqual(
    expect.arrayContaining(['deploy', 'pages', 'd1', 'queues', 'kv', 'r2', 'secret', 'tail']),
  );
  expect(commands.filter((name) => /hostname|dns|zone|undo|console/.test(name ?? ''))).toEqual([]);
  const objects = done(await wrangler('r2', 'object', '--help')).said;
  expect([...objects.matchAll(/^ {2}wrangler r2 object (\w+)/gm)].map(([, name]) => name)).toEqual([
    'get',
    'put',
    'delete',
  ]);
  expect(commands).toEqual(expect.arrayContaining(['containers', 'email', 'tunnel', 'cert', 'rollback']));
  expect(done(await wrangler('d1', '--help')).said).toContain('wrangler d1 time-travel');
  expect(done(await wrangler('deployments', 'list', '--help')).said).toContain('--json');
  expect(done(await wrangler('kv', 'namespace', 'create', '--help')).said).not.toMatch(/--json|--format/);
  const comparison = readFileSync('docs/comparison.md', 'utf8');
  const { version } = JSON.parse(readFileSync('node_modules/wrangler/package.json', 'utf8'));
  expect(comparison).toContain(`wrangler ${version}`);
  const rows = comparison.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| ---'));
  const sources = rows.slice(1).map((row) => row.split(' | ').at(-1)?.replace(/ \|$/, ''));
  for (const source of sources)
    expect(source).toMatch(/^(?:run|help|source|documents)(?:, (?:help|source))?$/);
});

test('wrangler answers its own question with yes without a terminal, and rejects objects above 300 MiB', async () => {
  const created = await place.kv('POST', '', { json: { title: 'nobody was asked' } });
  const { id } = created.envelope().result as { readonly id: string };
  const deleted = done(await wrangler('kv', 'namespace', 'delete', '--namespace-id', id));
  expect(deleted.said).toContain('Using fallback value in non-interactive context: yes');
  expect((await place.kv('GET', `/${id}`)).status).toBe(404);
  const large = await file('');
  await truncate(large, 300 * 1024 ** 2 + 1);
  const refused = await wrangler('r2', 'object', 'put', 'assets/large', '--file', large, '--remote');
  expect([refused.code, refused.said]).toEqual([1, expect.stringContaining('up to 300 MiB in size')]);
});
