import { randomBytes } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSandbox, type Sandbox } from '../../../src/sandbox/http/app.ts';
import { openRegistry } from '../../../src/store/registry.ts';
import { beginLoading, newLoading, takeOver } from '../../../src/store/take-over.ts';
import { readBody } from '../../../src/v4/send.ts';
import { scratchFolder } from '../../support/world.ts';

const world = { now: () => Date.now(), random: (bytes: number) => randomBytes(bytes) };

function open(folder: string): Sandbox {
  const sandbox = openSandbox({ kind: 'sandbox', folder, persistRoot: folder, ...world });
  onTestFinished(() => sandbox.close());
  return sandbox;
}

async function call(sandbox: Sandbox, method: 'GET' | 'PUT', path: string, body?: unknown): Promise<string> {
  const answer = await sandbox.send({
    method,
    path,
    headers: { authorization: `Bearer ${sandbox.access().apiToken}` },
    body: body === undefined ? undefined : Buffer.from(JSON.stringify(body)),
    repeatable: false,
  });
  return `${answer.status} ${Buffer.from(await readBody(answer.body)).toString()}`;
}

const seedOf = (word: string) => ({
  namespaces: [{ title: 'CONFIG', id: 'a'.repeat(32), keys: [{ key: 'word', value: word }] }],
  buckets: [{ name: word, objects: [{ key: 'word', body: word }] }],
  hostnames: [{ hostname: `${word}.acme.com` }],
});

/** The words of all kinds of data that a sandbox holds. */
async function words(sandbox: Sandbox): Promise<ReadonlySet<string>> {
  const { result } = JSON.parse((await call(sandbox, 'GET', '/sandbox/seed')).slice(4));
  return new Set([
    ...result.namespaces.flatMap((one: { keys: { value: string }[] }) => one.keys.map(({ value }) => value)),
    ...result.buckets.flatMap((one: { name: string; objects: { body: string }[] }) => [
      one.name,
      ...one.objects.map(({ body }) => body),
    ]),
    ...result.hostnames.map((one: { hostname: string }) => one.hostname.split('.')[0]),
  ]);
}

function left(folder: string): readonly string[] {
  return readdirSync(folder).filter((name) => name.startsWith('loading-'));
}

test('a snapshot that cannot be written to its end changes nothing, and leaves nothing behind', async () => {
  const folder = scratchFolder('replace');
  const sandbox = open(folder);
  await call(sandbox, 'PUT', '/sandbox/seed', seedOf('old'));
  const { apiToken } = sandbox.access();
  const failing = sandbox.platform.replace?.(async (beside) => {
    beside.registry().namespaces.create('half');
    beside.kv().write('b'.repeat(32), [{ key: 'half', value: Buffer.from('half') }], Date.now());
    throw new Error('the disk is full');
  });
  await expect(failing).rejects.toThrow('the disk is full');
  expect([...(await words(sandbox))]).toEqual(['old']);
  expect(left(folder)).toEqual([]);
  expect(await call(sandbox, 'PUT', '/sandbox/seed?replace=true', seedOf('new'))).toMatch(/^200 /);
  expect([...(await words(sandbox))]).toEqual(['new']);
  expect(sandbox.access().apiToken).toBe(apiToken);
  expect([...(await words(open(folder)))]).toEqual(['new']);
});

test('killed before the registry is changed, the old data stay; killed behind that, the next opening ends it', async () => {
  for (const [killed, wanted] of [
    ['before', 'old'],
    ['behind', 'new'],
  ] as const) {
    const folder = scratchFolder('replace');
    const first = open(folder);
    await call(first, 'PUT', '/sandbox/seed', seedOf('old'));
    const id = newLoading(world);
    const loading = beginLoading(folder, id);
    openRegistry(loading, { ...world, tenantOf: folder }).close();
    const beside = open(loading);
    await call(beside, 'PUT', '/sandbox/seed', seedOf('new'));
    beside.close();
    const registry = first.platform.registry();
    const kill = (): void => {
      if (killed === 'behind') registry.takeFrom(loading, id);
      throw new Error('killed');
    };
    expect(() => takeOver(folder, id, kill)).toThrow('killed');
    first.close();
    expect(left(folder)).toEqual([join(`loading-${id}`)]);
    expect([...(await words(open(folder)))]).toEqual([wanted]);
    expect(left(folder)).toEqual([]);
  }
});

test('settings of a seed are checked by their names and values before anything is changed', async () => {
  const sandbox = open(scratchFolder('replace'));
  await call(sandbox, 'PUT', '/sandbox/seed', seedOf('old'));
  const settings = {
    clock_offset: -1,
    pages: { 'http://a.com/': 7 },
    origin: {},
    hostname_quota: { allocated: 1 },
  };
  const refused = await call(sandbox, 'PUT', '/sandbox/seed?replace=true', { settings });
  expect(refused).toMatch(/^400 /);
  for (const word of [
    'clock_offset: -1 does not fit: it is below 0',
    'pages',
    'origin: there is no such field',
    'hard_cap',
  ])
    expect(refused).toContain(word);
  expect([...(await words(sandbox))]).toEqual(['old']);
});
