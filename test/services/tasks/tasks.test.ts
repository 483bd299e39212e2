import {
  chmodSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { machineOf, startOf } from '../../../src/liveness.ts';
import { listKeys, readEntry, readValue, writeValue } from '../../../src/services/kv/kv.ts';
import { createNamespace } from '../../../src/services/kv/namespaces.ts';
import { kvPaths } from '../../../src/store/paths.ts';
import { readBody, type Send } from '../../../src/v4/send.ts';
import type { World } from '../../../src/world.ts';
import { testWorld } from '../../support/world.ts';
import { contend } from './contenders.ts';
import { isEnded, now, openTasks, type Tasks } from './platform.ts';

interface Platform extends Tasks {
  readonly namespace: { readonly id: string; readonly title: string };
  keys(id?: string): Promise<string[]>;
  value(key: string): Promise<string | undefined>;
}

/** A platform with one namespace; `through` stands between tasks and platform. */
async function openPlatform(through?: (send: Send) => Send, base?: World): Promise<Platform> {
  const tasks = await openTasks(through, base);
  const { session } = tasks;
  const namespace = await createNamespace(session, `ns-${Math.round(performance.now() * 1000)}`);
  return {
    ...tasks,
    namespace,
    async keys(id = namespace.id) {
      const names: string[] = [];
      for await (const page of listKeys(session, id)) names.push(...page.map(({ name }) => name));
      return names;
    },
    async value(key) {
      const found = await readValue(session, namespace.id, key);
      return found && Buffer.from(await readBody(found.body)).toString('utf8');
    },
  };
}

async function fill({ session, namespace }: Platform, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `key:${String(index).padStart(5, '0')}`);
  for (const name of names) {
    await writeValue(session, namespace.id, name, { value: Buffer.from(`v ${name}`), metadata: { name } });
  }
  return names;
}

test('deletes the marked keys and no others, and notes that it is done', async () => {
  const platform = await openPlatform();
  const [first = '', second = '', ...rest] = await fill(platform, 5);
  const { namespace } = platform;
  const { id } = await platform.start({ does: 'delete-keys', namespace }, [first, second]);
  const task = await platform.until(id, isEnded);
  expect(task).toMatchObject({ state: 'done', outcome: `Deleted 2 keys of ${namespace.title}.`, runs: 1 });
  expect(await platform.keys()).toEqual(rest);
});

test('imports what it has exported, with metadata and expiry', async () => {
  const platform = await openPlatform();
  const names = await fill(platform, 3);
  const { namespace, world, session } = platform;
  const path = join(world.cwd, 'marked.ndjson');
  const { id } = await platform.start({ does: 'export-keys', namespace, path }, names.slice(0, 2));
  expect(await platform.until(id, isEnded)).toMatchObject({ state: 'done' });
  expect(
    readFileSync(path, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([
    { key: 'key:00000', value: 'v key:00000', metadata: { name: 'key:00000' } },
    { key: 'key:00001', value: 'v key:00001', metadata: { name: 'key:00001' } },
  ]);
  const other = await createNamespace(session, 'other');
  const imported = await platform.start({ does: 'import-keys', namespace: other, path, skipInvalid: false });
  expect(await platform.until(imported.id, isEnded)).toMatchObject({
    state: 'done',
    outcome: 'Wrote 2 entries to other.',
  });
  expect(await platform.keys(other.id)).toEqual(names.slice(0, 2));
});

test('sets and takes away the expiry of the marked keys, with values and metadata kept', async () => {
  const platform = await openPlatform();
  const [first = '', second = ''] = await fill(platform, 2);
  const { namespace, session } = platform;
  const expiration = now / 1000 + 3600;
  const { id } = await platform.start({ does: 'expire-keys', namespace, expiration }, [first]);
  expect(await platform.until(id, isEnded)).toMatchObject({ state: 'done' });
  expect(await readEntry(session, namespace.id, first)).toEqual({
    name: first,
    expiration,
    metadata: { name: first },
  });
  expect(await platform.value(first)).toBe(`v ${first}`);
  expect(await readEntry(session, namespace.id, second)).toEqual({
    name: second,
    metadata: { name: second },
  });
  const never = await platform.start({ does: 'expire-keys', namespace, expiration: null }, [first]);
  await platform.until(never.id, isEnded);
  expect(await readEntry(session, namespace.id, first)).toEqual({ name: first, metadata: { name: first } });
});

test('copies the marked keys; what is there already is kept, replaced, or a reason to copy nothing', async () => {
  const platform = await openPlatform();
  const names = await fill(platform, 4);
  const { namespace, session } = platform;
  const to = { namespace: await createNamespace(session, 'copies') };
  await writeValue(session, to.namespace.id, names[1] ?? '', { value: Buffer.from('theirs') });
  const copy = async (onConflict: 'skip' | 'overwrite' | 'fail') => {
    const { id } = await platform.start({ does: 'copy-keys', namespace, to, onConflict }, names.slice(0, 2));
    return platform.until(id, isEnded);
  };
  expect(await copy('fail')).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('The destination has 1 key of the source already') },
  });
  expect(await platform.keys(to.namespace.id)).toEqual([names[1]]);
  expect(await copy('skip')).toMatchObject({ outcome: 'Copied 1 key to copies; there already: 1 key.' });
  expect(await copy('overwrite')).toMatchObject({ state: 'done', outcome: 'Copied 2 keys to copies.' });
  expect(await platform.keys(to.namespace.id)).toEqual(names.slice(0, 2));
});

test('what is on disk is for its owner only, and goes when the task is removed', async () => {
  const platform = await openPlatform();
  const { id } = await platform.start({ does: 'delete-keys', namespace: platform.namespace }, [
    'secret-name',
  ]);
  await platform.until(id, isEnded);
  const folder = join(platform.world.folders.state, 'tasks', id);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  await platform.list.remove(id);
  expect(readdirSync(join(folder, '..'))).toEqual([]);
  expect(platform.list.tasks).toEqual([]);
});

/** NDJSON of 900 entries that take some ten requests. */
const manyEntries = Array.from({ length: 900 }, (_, index) =>
  JSON.stringify({ key: `k${index}`, value: 'v'.repeat(6000) }),
).join('\n');

test('a task that is stopped goes on, and sends nothing twice', async () => {
  const gate = Promise.withResolvers<void>();
  const bodies: string[] = [];
  const platform = await openPlatform((send) => async (call) => {
    if (!call.path.endsWith('/bulk')) return send(call);
    bodies.push(Buffer.from(call.body as Uint8Array).toString());
    if (bodies.length > 1) await gate.promise;
    return send(call);
  });
  const path = join(platform.world.cwd, 'many.ndjson');
  writeFileSync(path, manyEntries);
  const { namespace, list } = platform;
  const { id } = await platform.start({ does: 'import-keys', namespace, path, skipInvalid: false });
  await platform.until(id, ({ progress }) => progress?.phase === 'writing' && progress.done > 0);
  await list.stop(id);
  expect(await platform.until(id, ({ state }) => state === 'stopping')).toBeDefined();
  gate.resolve();
  const stopped = await platform.until(id, isEnded);
  expect(stopped.state).toBe('stopped');
  const before = bodies.length;
  expect((await platform.keys()).length).toBeLessThan(900);
  await list.resume(id);
  expect(await platform.until(id, isEnded)).toMatchObject({
    state: 'done',
    runs: 2,
    outcome: `Wrote 900 entries to ${namespace.title}.`,
  });
  expect((await platform.keys()).length).toBe(900);
  expect(new Set(bodies).size).toBe(bodies.length);
  expect(bodies.length).toBeGreaterThan(before);
});

test('goes on after the console has ended in the middle', async () => {
  const gate = Promise.withResolvers<void>();
  let calls = 0;
  const platform = await openPlatform((send) => async (call) => {
    if (call.path.endsWith('/bulk') && ++calls > 1) await gate.promise;
    return send(call);
  });
  const path = join(platform.world.cwd, 'many.ndjson');
  writeFileSync(path, manyEntries);
  const { namespace } = platform;
  const { id } = await platform.start({ does: 'import-keys', namespace, path, skipInvalid: false });
  await platform.until(id, ({ progress }) => (progress?.done ?? 0) > 0 && progress?.phase === 'writing');
  await platform.list.close();
  gate.resolve();
  const next = await openPlatform(undefined, platform.world);
  const [task] = next.list.tasks;
  expect(task).toMatchObject({ id, state: 'interrupted' });
  await next.list.resume(id);
  expect(await next.until(id, isEnded)).toMatchObject({ state: 'done' });
  expect((await next.keys(namespace.id)).length).toBe(900);
});

test('tries again only what the platform did not take', async () => {
  let isBroken = true;
  const sent: string[][] = [];
  const platform = await openPlatform((send) => async (call) => {
    if (!call.path.endsWith('/bulk/delete')) return send(call);
    sent.push(JSON.parse(Buffer.from(call.body as Uint8Array).toString()));
    if (!isBroken) return send(call);
    const result = { successful_key_count: 2, unsuccessful_keys: ['key:00001'] };
    const answer = await send({
      ...call,
      body: Buffer.from(JSON.stringify(sent.at(-1)?.filter((key) => key !== 'key:00001'))),
    });
    return {
      ...answer,
      body: Buffer.from(JSON.stringify({ success: true, errors: [], messages: [], result })),
    };
  });
  const names = await fill(platform, 3);
  const { namespace } = platform;
  const { id } = await platform.start({ does: 'delete-keys', namespace }, names);
  expect(await platform.until(id, isEnded)).toMatchObject({
    state: 'partly',
    failed: { count: 1, first: [{ name: 'key:00001', reason: 'the platform did not take it' }] },
  });
  isBroken = false;
  await platform.list.resume(id);
  expect(await platform.until(id, isEnded)).toMatchObject({ state: 'done', failed: { count: 0 } });
  expect(await platform.keys()).toEqual([]);
});

test('two of one namespace run one after the other, in the order of their start', async () => {
  const gate = Promise.withResolvers<void>();
  const platform = await openPlatform((send) => async (call) => {
    if (call.path.endsWith('/bulk/delete')) await gate.promise;
    return send(call);
  });
  await fill(platform, 2);
  const { namespace, world } = platform;
  const path = join(world.cwd, 'entry.json');
  writeFileSync(path, '[{"key":"key:00000","value":"again"}]');
  const first = await platform.start({ does: 'delete-keys', namespace }, ['key:00000', 'key:00001']);
  const second = await platform.start({ does: 'import-keys', namespace, path, skipInvalid: false });
  await platform.until(first.id, ({ state }) => state === 'running');
  expect(platform.list.tasks.find(({ id }) => id === second.id)?.state).toBe('waiting');
  gate.resolve();
  await platform.until(second.id, isEnded);
  expect(await platform.keys()).toEqual(['key:00000']);
});

test('refuses to go on at another place', async () => {
  const platform = await openPlatform(() => async () => {
    throw new Error('no network');
  });
  const { id } = await platform.start({ does: 'delete-keys', namespace: platform.namespace }, ['a']);
  expect(await platform.until(id, isEnded)).toMatchObject({ state: 'failed' });
  const stranger = testWorld({ now: () => now });
  const other = await openPlatform(undefined, {
    ...platform.world,
    folders: { ...stranger.folders, state: platform.world.folders.state },
  });
  await other.list.resume(id);
  expect(await other.until(id, isEnded)).toMatchObject({
    state: 'failed',
    problem: { message: 'The task belongs to sandbox (Sandbox), and this console shows another place.' },
  });
});

/** Another console on the same tasks, as a process of its own would be. */
async function openSecond({ world }: Platform, pid: number): Promise<Platform> {
  return openPlatform(undefined, { ...world, pid });
}

test('what another console has done is not done again', async () => {
  const first = await openPlatform();
  await fill(first, 2);
  const { namespace } = first;
  const path = join(first.world.cwd, 'in.ndjson');
  writeFileSync(path, '{"key":"key:00000","value":"imported"}');
  const { id } = await first.start({ does: 'import-keys', namespace, path: '/none', skipInvalid: false });
  await first.until(id, isEnded);
  const second = await openSecond(first, 1);
  expect(second.list.tasks.find((task) => task.id === id)?.state).toBe('failed');
  const file = join(first.world.folders.state, 'tasks', id, 'task.json');
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), state: 'done' }));
  await expect(second.list.resume(id)).rejects.toThrow('another console has gone on with it');
  expect(second.list.tasks.find((task) => task.id === id)?.state).toBe('done');
});

test('what another console runs is neither resumed nor removed', async () => {
  const first = await openPlatform();
  const { namespace } = first;
  const { id } = await first.start({ does: 'delete-keys', namespace }, ['a']);
  await first.until(id, isEnded);
  const second = await openSecond(first, 1);
  const file = join(first.world.folders.state, 'tasks', id, 'task.json');
  const running = { state: 'running', owner: { pid: process.pid } };
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, 'utf8')), ...running }));
  const words = `another console (process ${process.pid})`;
  await expect(second.list.resume(id)).rejects.toThrow(words);
  await expect(second.list.remove(id)).rejects.toThrow(words);
  expect(readdirSync(join(file, '..'))).toContain('task.json');
});

test('a lock that was left behind holds nobody up, that of a running process does', async () => {
  const platform = await openPlatform();
  const { id } = await platform.start({ does: 'delete-keys', namespace: platform.namespace }, ['a']);
  await platform.until(id, isEnded);
  const lock = join(platform.world.folders.state, 'tasks', id, 'held');
  const markOf = (start: string) => `edgectl:${process.pid}:${start}:${'a'.repeat(16)}:${machineOf()}`;
  symlinkSync(markOf(startOf(process.pid) ?? ''), lock);
  await expect(platform.list.remove(id)).rejects.toThrow('Another console is doing something');
  unlinkSync(lock);
  symlinkSync(markOf('1'), lock);
  await platform.list.remove(id);
  expect(platform.list.tasks).toEqual([]);
});

test('of three processes at a lock that was left behind one is in at a time', {
  timeout: 60_000,
}, async () => {
  expect(await contend(50)).toEqual({ rounds: 50, without: 0, faults: [] });
});

test('an export and a copy name the keys whose values are lost, and do the others', async () => {
  const platform = await openPlatform();
  const names = await fill(platform, 3);
  const { namespace, world } = platform;
  const { blobs } = kvPaths(join(world.folders.data, 'sandbox'), namespace.id);
  const isSecond = (file: string) => readFileSync(join(blobs, file), 'utf8') === `v ${names[1]}`;
  unlinkSync(join(blobs, readdirSync(blobs).find(isSecond) ?? 'missing'));
  const path = join(world.cwd, 'out.ndjson');
  const partly = {
    state: 'partly',
    failed: { count: 1, first: [{ name: names[1], reason: 'its value is lost' }] },
  };
  const out = await platform.start({ does: 'export-keys', namespace, path }, names);
  expect(await platform.until(out.id, isEnded)).toMatchObject(partly);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(2);
  const to = { namespace: await createNamespace(platform.session, 'elsewhere') };
  const copy = await platform.start({ does: 'copy-keys', namespace, to, onConflict: 'fail' }, names);
  expect(await platform.until(copy.id, isEnded)).toMatchObject(partly);
  expect(await platform.keys(to.namespace.id)).toEqual([names[0], names[2]]);
});

test('an export replaces no file that came after it was started', async () => {
  const platform = await openPlatform();
  const names = await fill(platform, 2);
  const { namespace, world } = platform;
  const path = join(world.cwd, 'out.ndjson');
  const first = await platform.start({ does: 'export-keys', namespace, path }, names);
  const second = await platform.start({ does: 'export-keys', namespace, path }, names.slice(1));
  expect(await platform.until(first.id, isEnded)).toMatchObject({ state: 'done' });
  expect(await platform.until(second.id, isEnded)).toMatchObject({
    state: 'failed',
    problem: { message: `${path} is there now, and was not when the task was started.` },
  });
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(2);
  chmodSync(path, 0o600);
  const third = await platform.start({ does: 'export-keys', namespace, path, replace: true }, names.slice(1));
  expect(await platform.until(third.id, isEnded)).toMatchObject({ state: 'done' });
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(1);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('a copy goes on only at the place where it began', async () => {
  const platform = await openPlatform();
  const names = await fill(platform, 1);
  const { namespace, session } = platform;
  const other = await createNamespace(session, 'other');
  const to = { namespace: other, target: 'production', place: 'elsewhere' } as const;
  const work = { does: 'copy-keys', namespace, to, onConflict: 'skip' } as const;
  const { id } = await platform.start(work, names);
  expect(await platform.until(id, isEnded)).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('is another place here than where it began') },
  });
  expect(await platform.keys(other.id)).toEqual([]);
});

test('an expiry is set in small parts, each written soon after it was read', async () => {
  const calls: string[] = [];
  const platform = await openPlatform((send) => (call) => {
    if (call.path.includes('/bulk')) calls.push(call.path.endsWith('/get') ? 'read' : 'write');
    return send(call);
  });
  const names = await fill(platform, 900);
  const { id } = await platform.start(
    { does: 'expire-keys', namespace: platform.namespace, expiration: null },
    names,
  );
  expect(await platform.until(id, isEnded)).toMatchObject({ state: 'done' });
  expect(calls.filter((call) => call === 'write').length).toBeGreaterThanOrEqual(9);
  expect(calls.indexOf('write')).toBeLessThan(calls.lastIndexOf('read'));
});

test('advice of the command line is not given, and a retry is told while it lasts', async () => {
  const platform = await openPlatform();
  const { id } = await platform.start({
    does: 'import-keys',
    namespace: platform.namespace,
    path: join(platform.world.cwd, 'none.ndjson'),
    skipInvalid: false,
  });
  const task = await platform.until(id, isEnded);
  expect(JSON.stringify(task)).not.toMatch(/--[a-z]|Ctrl-C/);
});
