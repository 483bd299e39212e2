import { randomBytes } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openSandbox, type Sandbox } from '../../../src/sandbox/http/app.ts';
import { openRegistry } from '../../../src/store/registry.ts';
import {
  abandonLoading,
  beginLoading,
  finishTakeOver,
  newLoading,
  takeOver,
} from '../../../src/store/take-over.ts';
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

/** Returns the strings in all kinds of data of a sandbox. */
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
  return readdirSync(folder)
    .filter((name) => name.startsWith('loading-'))
    .sort();
}

test('changes nothing if a snapshot cannot be written completely, and leaves no files', async () => {
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

test('keeps the old data if a load is killed before it changes the registry, and completes a load that is killed later at the next opening', async () => {
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

test('deletes the files of killed loads after a day', () => {
  const folder = scratchFolder('replace');
  const day = 24 * 60 * 60 * 1000;
  const idAt = (time: number) => newLoading({ ...world, now: () => time });
  const first = idAt(1_795_000_000_000);
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  writeFileSync(join(folder, 'loading-mine'), '');
  expect(readdirSync(beginLoading(folder, first), { recursive: true }).sort()).toEqual([
    'v3',
    'v3/kv',
    'v3/r2',
  ]);
  const second = idAt(1_795_000_000_000 + day);
  beginLoading(folder, second);
  expect(left(folder)).toEqual([`loading-${first}`, `loading-${second}`, 'loading-mine']);
  const third = idAt(1_795_000_000_001 + day);
  beginLoading(folder, third);
  expect(left(folder)).toEqual([`loading-${second}`, `loading-${third}`, 'loading-mine']);
  // Two processes may delete the same folder.
  for (let time = 0; time < 2; time += 1) abandonLoading(join(folder, 'loading-gone'));
  // If the clock is before 1970, or was set back, nothing is deleted.
  const before = idAt(-1);
  expect(before).toMatch(/^0{12}/);
  beginLoading(folder, before);
  expect(left(folder)).toHaveLength(4);
});

test('completes an interrupted exchange once, and abandons an invalid exchange', () => {
  const contents = (folder: string) =>
    ['kv', 'r2'].map((name) => {
      const path = join(folder, 'v3', name, 'data');
      return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    });
  const put = (folder: string, name: string, text: string) => {
    mkdirSync(join(folder, 'v3', name), { recursive: true });
    writeFileSync(join(folder, 'v3', name, 'data'), text);
  };
  for (const cut of ['before', 'between', 'behind'] as const) {
    const folder = scratchFolder('replace');
    for (const name of ['kv', 'r2']) put(folder, name, 'old');
    const [id, other] = [newLoading(world), newLoading(world)];
    const [loading, unready] = [beginLoading(folder, id), beginLoading(folder, other)];
    for (const name of ['kv', 'r2']) put(loading, name, 'new');
    const killed = () => {
      throw new Error('killed');
    };
    expect(() => takeOver(folder, id, killed)).toThrow('killed');
    expect(contents(folder)).toEqual(['old', 'old']);
    expect(statSync(join(loading, 'ready')).mode & 0o777).toBe(0o600);
    const exchange = (name: string) => {
      mkdirSync(join(loading, 'old'), { recursive: true });
      renameSync(join(folder, 'v3', name), join(loading, 'old', `${name}-1`));
      if (cut === 'behind') renameSync(join(loading, 'v3', name), join(folder, 'v3', name));
    };
    if (cut !== 'before') exchange('kv');
    // Another process writes to the old data before it notices that the data was deleted.
    if (cut === 'between') put(folder, 'kv', 'between');
    finishTakeOver(folder, () => id);
    expect(contents(folder)).toEqual(['new', 'new']);
    // The process that created an unfinished folder may still be writing to it.
    expect(left(folder)).toEqual([`loading-${other}`]);
    expect(existsSync(unready)).toBe(true);
    finishTakeOver(folder, killed);
  }
  const folder = scratchFolder('replace');
  put(folder, 'kv', 'old');
  const id = newLoading(world);
  put(beginLoading(folder, id), 'kv', 'new');
  expect(() =>
    takeOver(folder, id, () => {
      throw new Error('killed');
    }),
  ).toThrow('killed');
  finishTakeOver(folder, () => undefined);
  expect([contents(folder), left(folder)]).toEqual([['old', undefined], []]);
});

test('writes a seed to a folder without data', () => {
  const folder = scratchFolder('replace');
  const id = newLoading(world);
  const loading = beginLoading(folder, id);
  writeFileSync(join(loading, 'v3', 'kv', 'data'), 'new');
  let taken = 0;
  takeOver(folder, id, () => {
    taken += 1;
  });
  expect([taken, readFileSync(join(folder, 'v3', 'kv', 'data'), 'utf8'), left(folder)]).toEqual([
    1,
    'new',
    [],
  ]);
});

test("checks the names and values of a seed's settings before any change", async () => {
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
    'clock_offset: -1 is invalid: it is below 0',
    'pages',
    'origin: unknown field',
    'hard_cap',
  ])
    expect(refused).toContain(word);
  expect([...(await words(sandbox))]).toEqual(['old']);
});
