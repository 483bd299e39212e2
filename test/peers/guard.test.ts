import { hash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { inSoak } from '../support/in-part.ts';
import { newPerson, type Person, runCommand } from '../support/run-command.ts';
import { openServed, type Served } from '../support/served.ts';

let served: Served;
let namespace: string;
let person: Person;

beforeAll(async () => {
  served = await openServed();
  namespace = await served.createNamespace();
});
afterAll(() => served.close());
beforeEach(() => {
  const own = newPerson();
  // Other programs find their folders through HOME.
  person = { ...own, env: { ...served.person.env, HOME: own.home, PATH: process.env['PATH'] ?? '' } };
});

interface Result {
  readonly status: number;
  readonly text: string;
}

/**
 * Runs a script behind a guard, in which `run` runs a program and returns its status and output. Returns the result that the script writes
 * to a file.
 */
async function runGuarded<T>(script: string, flags: readonly string[] = []): Promise<T> {
  const file = join(person.cwd, 'child.mjs');
  const result = join(person.cwd, 'result.json');
  writeFileSync(
    file,
    `import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
const run = (...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: ${JSON.stringify(person.cwd)}, encoding: 'utf8' });
  return { status, text: stdout + stderr };
};
const save = (value) => writeFileSync(${JSON.stringify(result)}, JSON.stringify(value));
${script}`,
  );
  const { code, err } = await runCommand(person, ['guard', 'exec', ...flags, '--', process.execPath, file]);
  if (code !== 0) throw new Error(err);
  return JSON.parse(readFileSync(result, 'utf8'));
}

/** Returns the text of all files that the programs and the guard have written. */
function listWritten(): string {
  return [person.home, person.cwd]
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

async function listRecords(): Promise<unknown[]> {
  const list = JSON.parse((await runCommand(person, ['audit', 'list', '--json'])).out);
  return list.map(({ method, name, outcome }: Record<string, unknown>) => [method, name, outcome]);
}

inSoak(() => {
  test('an unmodified wrangler works through a guard, but cannot delete', {
    timeout: 120_000,
  }, async () => {
    const wrangler = join(process.cwd(), 'node_modules/wrangler/bin/wrangler.js');
    const results = await runGuarded<Result[]>(`
    const wrangler = (...args) => run(${JSON.stringify(wrangler)}, 'kv', ...args, '--namespace-id', '${namespace}', '--remote');
    save([wrangler('key', 'put', 'a', 'from wrangler'), wrangler('key', 'get', 'a'), wrangler('key', 'delete', 'a')]);`);
    expect(results.map(({ status }) => status)).toEqual([0, 0, 1]);
    expect(results[1]?.text).toContain('from wrangler');
    expect(results[2]?.text).toContain("requires a person's approval");
    expect(await listRecords()).toEqual([
      ['PUT', 'a', 'answered'],
      ['DELETE', 'a', 'refused'],
    ]);
    expect(listWritten()).not.toContain(served.person.env['EDGECTL_API_TOKEN']);
  });
});

inSoak(() => {
  test('undo restores one or several keys that wrangler deleted through a guard', {
    timeout: 120_000,
  }, async () => {
    const wrangler = join(process.cwd(), 'node_modules/wrangler/bin/wrangler.js');
    const policy = join(person.cwd, 'deletes.toml');
    writeFileSync(
      policy,
      '[[rule]]\nname = "deletes"\ndecision = "allow"\neffect = "destroy"\nnoun = "key"\n',
    );
    const expiration = Math.floor(Date.now() / 1000) + 9000;
    const stored = [
      { key: 'w/one', value: 'alone', metadata: { by: 'wrangler' }, expiration },
      { key: 'w/two', value: '/w==', base64: true, expiration },
      { key: 'w/three', value: 'last', metadata: { list: [1] } },
    ];
    writeFileSync(join(person.cwd, 'stored.json'), JSON.stringify(stored));
    writeFileSync(join(person.cwd, 'keys.json'), JSON.stringify(['w/two', 'w/three']));
    const listed = async () =>
      JSON.parse(
        (await runCommand(person, ['kv', 'key', 'list', '--namespace-id', namespace, '--prefix', 'w/'])).out,
      );
    const put = await runCommand(person, ['kv', 'bulk', 'put', 'stored.json', '--namespace-id', namespace]);
    expect(put.code).toBe(0);
    const before = await listed();
    expect(before).toHaveLength(3);
    const results = await runGuarded<Result[]>(
      `
    const wrangler = (...args) => run(${JSON.stringify(wrangler)}, 'kv', ...args, '--namespace-id', '${namespace}', '--remote');
    save([wrangler('key', 'delete', 'w/one'), wrangler('bulk', 'delete', 'keys.json', '--force')]);`,
      ['--policy', policy],
    );
    expect(results.map(({ status, text }) => (status === 0 ? 0 : text))).toEqual([0, 0]);
    expect(await listed()).toEqual([]);
    const saved = JSON.parse((await runCommand(person, ['undo', 'list', '--json'])).out);
    expect(saved).toMatchObject([
      { client: 'node', did: 'deleted', thing: { kind: 'batch', count: 2 } },
      { client: 'node', did: 'deleted', thing: { kind: 'value', key: 'w/one' } },
    ]);
    for (const { id } of saved) expect((await runCommand(person, ['undo', 'restore', id])).code).toBe(0);
    expect(await listed()).toEqual(before);
    for (const [key, value] of [
      ['w/one', Buffer.from('alone')],
      ['w/two', Buffer.from('/w==', 'base64')],
      ['w/three', Buffer.from('last')],
    ] as const) {
      const {
        EDGECTL_API_BASE_URL: base,
        EDGECTL_ACCOUNT_ID: account,
        EDGECTL_API_TOKEN: token,
      } = served.person.env;
      const path = `/accounts/${account}/storage/kv/namespaces/${namespace}/values/${encodeURIComponent(key)}`;
      const got = await fetch(`${base}${path}`, { headers: { authorization: `Bearer ${token}` } });
      expect(Buffer.from(await got.arrayBuffer())).toEqual(value);
    }
  });
});

test('the unmodified SDK of the provider works through a guard, and reports when the guard refuses a request', {
  timeout: 60_000,
}, async () => {
  const sdk = join(process.cwd(), 'node_modules/cloudflare/index.mjs');
  const [value, refusal] = await runGuarded<[string, { status: number; message: string }]>(`
    const { default: Cloudflare } = await import(${JSON.stringify(sdk)});
    const client = new Cloudflare();
    const at = { account_id: process.env.CLOUDFLARE_ACCOUNT_ID };
    await client.kv.namespaces.values.update('b', { ...at, namespace_id: '${namespace}', value: 'from the SDK' });
    const value = await (await client.kv.namespaces.values.get('b', { ...at, namespace_id: '${namespace}' })).text();
    const refusal = await client.kv.namespaces.delete('${namespace}', at).catch(({ status, message }) => ({ status, message }));
    save([value, refusal]);`);
  expect(value).toBe('from the SDK');
  expect(refusal.status).toBe(403);
  expect(refusal.message).toContain('rule \\"deletes\\" in the built-in policy');
  expect(await listRecords()).toEqual([
    ['PUT', 'b', 'answered'],
    ['DELETE', namespace, 'refused'],
  ]);
  expect(listWritten()).not.toContain(served.person.env['EDGECTL_API_TOKEN']);
});

test('the AWS SDK and the links of edgectl work through a guard, but cannot delete', {
  timeout: 60_000,
}, async () => {
  const sdk = join(process.cwd(), 'node_modules/@aws-sdk/client-s3/dist-cjs/index.js');
  const edgectl = join(process.cwd(), 'dist/edgectl.cjs');
  const result = await runGuarded(`
    import { createRequire } from 'node:module';
    const { CreateBucketCommand, DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } = createRequire(import.meta.url)(${JSON.stringify(sdk)});
    const client = new S3Client({});
    await client.send(new CreateBucketCommand({ Bucket: 'guarded' }));
    await client.send(new PutObjectCommand({ Bucket: 'guarded', Key: 'a', Body: 'from the SDK' }));
    const got = await client.send(new GetObjectCommand({ Bucket: 'guarded', Key: 'a' }));
    const failure = await client.send(new DeleteObjectCommand({ Bucket: 'guarded', Key: 'a' })).catch((error) => error);
    const link = run(${JSON.stringify(edgectl)}, 'objstore', 'object', 'presign', 'guarded/a').text.trim().split('\\n').at(-1);
    save([await got.Body.transformToString(), failure.message, await (await fetch(link)).text(), link.startsWith(process.env.AWS_ENDPOINT_URL_S3)]);`);
  expect(result).toEqual([
    'from the SDK',
    expect.stringContaining("requires a person's approval"),
    'from the SDK',
    true,
  ]);
  expect(await listRecords()).toEqual([
    ['PUT', undefined, 'answered'],
    ['PUT', 'a', 'answered'],
    ['DELETE', 'a', 'refused'],
  ]);
  const token = served.person.env['EDGECTL_API_TOKEN'] ?? '';
  for (const secret of [token, hash('sha256', token)]) expect(listWritten()).not.toContain(secret);
});
