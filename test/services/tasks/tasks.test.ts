import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { remedyWords } from '../../../components/kit/remedy-words.ts';
import { machineId, readStartTicks } from '../../../src/liveness.ts';
import { Problem } from '../../../src/model/problem.ts';
import type { Task, TaskWork } from '../../../src/model/tasks/task.ts';
import { listKeys, readEntry, readValue, writeValue } from '../../../src/services/kv/kv.ts';
import { createNamespace } from '../../../src/services/kv/namespaces.ts';
import { createBucket } from '../../../src/services/objects/buckets.ts';
import { TaskBoard } from '../../../src/services/tasks/board.ts';
import { namedKeys, openTaskFiles } from '../../../src/services/tasks/files.ts';
import { TaskList } from '../../../src/services/tasks/tasks.ts';
import { kvPaths } from '../../../src/store/paths.ts';
import { readBody, type Send } from '../../../src/v4/send.ts';
import type { World } from '../../../src/world.ts';
import { inSoak } from '../../support/in-part.ts';
import { testWorld } from '../../support/world.ts';
import { contend } from './contenders.ts';
import { eventually, isEnded, now, openTasks, patientWorld, type Tasks } from './platform.ts';

interface Platform extends Tasks {
  readonly namespace: { readonly id: string; readonly title: string };
  keys(id?: string): Promise<string[]>;
  value(key: string): Promise<string | undefined>;
}

/** Opens a platform with one namespace; `through` wraps the platform calls of tasks. */
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
  const entries = names.map((key) => ({ key, value: `v ${key}`, metadata: { name: key } }));
  const path = `/accounts/${await session.accountId()}/storage/kv/namespaces/${namespace.id}/bulk`;
  const body = Buffer.from(JSON.stringify(entries));
  const headers = { 'content-type': 'application/json' };
  expect(await session.send({ method: 'PUT', path, headers, body, repeatable: true })).toMatchObject({
    status: 200,
  });
  return names;
}

test('deletes only the marked keys, and saves the result', async () => {
  const platform = await openPlatform();
  const [first = '', ...rest] = await fill(platform, 4);
  const { namespace } = platform;
  const second = 'with a blank';
  await writeValue(platform.session, namespace.id, second, { value: Buffer.from('v'), anyKey: true });
  const { id } = await platform.start({ does: 'delete-keys', namespace }, [first, second]);
  const task = await platform.until(id, isEnded);
  expect(task).toMatchObject({ state: 'done', outcome: `Deleted 2 keys from ${namespace.title}.`, runs: 1 });
  expect(await platform.keys()).toEqual(rest);
});

test('imports exported keys with metadata and expiry', async () => {
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

test('exports and clears an entire namespace; a resumed clear deletes only the keys that it had listed', async () => {
  let isCut = false;
  const platform = await openPlatform((send) => (call) => {
    if (isCut && call.path.includes('bulk')) throw new Problem('unreachable', 'The platform is unreachable.');
    return send(call);
  });
  const names = await fill(platform, 3);
  const { namespace, world, session } = platform;
  const path = join(world.cwd, 'all.json');
  const { id } = await platform.start({ does: 'export-namespace', namespace, path });
  expect(await platform.until(id, isEnded)).toMatchObject({
    state: 'done',
    outcome: `Wrote 3 keys from ${namespace.title} to ${path}.`,
  });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(
    names.map((key) => ({ key, value: `v ${key}`, metadata: { name: key } })),
  );
  isCut = true;
  const clear = await platform.start({ does: 'clear-namespace', namespace });
  expect(await platform.until(clear.id, isEnded)).toMatchObject({ state: 'failed' });
  expect(await platform.keys()).toEqual(names);
  isCut = false;
  await writeValue(session, namespace.id, 'later', { value: Buffer.from('v') });
  await platform.list.resume(clear.id);
  expect(await platform.until(clear.id, ({ state }) => state === 'done')).toMatchObject({
    outcome: `Deleted 3 keys from ${namespace.title}.`,
  });
  expect(await platform.keys()).toEqual(['later']);
});

test('clears a namespace that has no keys', async () => {
  const platform = await openPlatform();
  const { id } = await platform.start({ does: 'clear-namespace', namespace: platform.namespace });
  expect(await platform.until(id, isEnded)).toMatchObject({
    state: 'done',
    outcome: `${platform.namespace.title} had no keys.`,
  });
});

test('sets and removes the expiry of the marked keys, and keeps values and metadata', async () => {
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

test('copies the marked keys, and keeps, replaces or refuses existing keys', async () => {
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
    problem: { message: expect.stringContaining('The destination already contains 1 key from the source') },
  });
  expect(await platform.keys(to.namespace.id)).toEqual([names[1]]);
  expect(await copy('skip')).toMatchObject({ outcome: 'Copied 1 key to copies; already present: 1 key.' });
  expect(await copy('overwrite')).toMatchObject({ state: 'done', outcome: 'Copied 2 keys to copies.' });
  expect(await platform.keys(to.namespace.id)).toEqual(names.slice(0, 2));
});

test('writes the files of a task for its owner only, and removes them with the task', async () => {
  const platform = await openPlatform();
  const { id } = await platform.start({ does: 'delete-keys', namespace: platform.namespace }, [
    'secret-name',
  ]);
  await platform.until(id, isEnded);
  const folder = join(platform.world.folders.state, 'tasks', id);
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  const other = await platform.start({ does: 'delete-keys', namespace: platform.namespace }, ['b']);
  await platform.until(other.id, isEnded);
  await platform.list.remove(id);
  expect(readdirSync(join(folder, '..'))).toEqual([other.id]);
  expect(platform.list.tasks.map((task) => task.id)).toEqual([other.id]);
});

/** NDJSON with 900 entries, which take about ten requests. */
const manyEntries = Array.from({ length: 900 }, (_, index) =>
  JSON.stringify({ key: `k${index}`, value: 'v'.repeat(6000) }),
).join('\n');

test('resumes a stopped task, and sends nothing twice', async () => {
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

test('resumes after the console was killed', async () => {
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

test('retries only keys that the platform did not accept', async () => {
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
    failed: { count: 1, first: [{ name: 'key:00001', reason: 'the platform did not accept it' }] },
  });
  isBroken = false;
  await platform.list.resume(id);
  expect(await platform.until(id, isEnded)).toMatchObject({ state: 'done', failed: { count: 0 } });
  expect(await platform.keys()).toEqual([]);
});

test('runs two tasks of one namespace one after the other, in the order of their start', async () => {
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

test('refuses to resume a task with another profile or account', async () => {
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
    problem: {
      message: 'The task belongs to sandbox (Sandbox), but this console uses another profile or account.',
    },
  });
});

/** Opens another console with the same tasks, as in a separate process. */
async function openSecond({ world }: Platform, pid: number): Promise<Platform> {
  return openPlatform(undefined, { ...world, pid });
}

test('does not repeat work that another console has completed', async () => {
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
  await expect(second.list.resume(id)).rejects.toThrow('another console resumed it');
  expect(second.list.tasks.find((task) => task.id === id)?.state).toBe('done');
});

test('neither resumes nor removes a task that another console runs', async () => {
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

test('ignores an abandoned lock, but not that of a running process', async () => {
  const platform = await openPlatform();
  const { id } = await platform.start({ does: 'delete-keys', namespace: platform.namespace }, ['a']);
  await platform.until(id, isEnded);
  const lock = join(platform.world.folders.state, 'tasks', id, 'held');
  const markOf = (start: string) => `edgectl:${process.pid}:${start}:${'a'.repeat(16)}:${machineId()}`;
  symlinkSync(markOf(readStartTicks(process.pid) ?? ''), lock);
  await expect(platform.list.remove(id)).rejects.toThrow('Another console is changing this task');
  unlinkSync(lock);
  symlinkSync(markOf('1'), lock);
  await platform.list.remove(id);
  expect(platform.list.tasks).toEqual([]);
});

inSoak(() => {
  test('lets only one of three processes take over an abandoned lock at a time', {
    timeout: 60_000,
  }, async () => {
    expect(await contend(50)).toEqual({ rounds: 50, without: 0, faults: [] });
  });
});

test('names the keys with lost values in an export and a copy, and completes all other keys', async () => {
  const platform = await openPlatform();
  const names = await fill(platform, 3);
  const { namespace, world } = platform;
  const { blobs } = kvPaths(join(world.folders.data, 'sandbox'), namespace.id);
  const isSecond = (file: string) => readFileSync(join(blobs, file), 'utf8') === `v ${names[1]}`;
  unlinkSync(join(blobs, readdirSync(blobs).find(isSecond) ?? 'missing'));
  const path = join(world.cwd, 'out.ndjson');
  const partly = {
    state: 'partly',
    failed: { count: 1, first: [{ name: names[1], reason: 'its value was lost' }] },
  };
  const out = await platform.start({ does: 'export-keys', namespace, path }, names);
  expect(await platform.until(out.id, isEnded)).toMatchObject(partly);
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(2);
  const to = { namespace: await createNamespace(platform.session, 'elsewhere') };
  const copy = await platform.start({ does: 'copy-keys', namespace, to, onConflict: 'fail' }, names);
  expect(await platform.until(copy.id, isEnded)).toMatchObject(partly);
  expect(await platform.keys(to.namespace.id)).toEqual([names[0], names[2]]);
});

test('does not replace a file that appeared after the start of an export', async () => {
  const platform = await openPlatform();
  const names = await fill(platform, 2);
  const { namespace, world } = platform;
  const path = join(world.cwd, 'out.ndjson');
  const first = await platform.start({ does: 'export-keys', namespace, path }, names);
  const second = await platform.start({ does: 'export-keys', namespace, path }, names.slice(1));
  expect(await platform.until(first.id, isEnded)).toMatchObject({ state: 'done' });
  expect(await platform.until(second.id, isEnded)).toMatchObject({
    state: 'failed',
    problem: { message: `${path} exists now, but did not exist when the task was started.` },
  });
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(2);
  chmodSync(path, 0o600);
  const third = await platform.start({ does: 'export-keys', namespace, path, replace: true }, names.slice(1));
  expect(await platform.until(third.id, isEnded)).toMatchObject({ state: 'done' });
  expect(readFileSync(path, 'utf8').trim().split('\n')).toHaveLength(1);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('fails a copy whose destination cannot be reached from this session, and resumes it where it started', async () => {
  const platform = await openPlatform();
  const names = await fill(platform, 1);
  const { namespace, session } = platform;
  const other = await createNamespace(session, 'other');
  const to = { namespace: other, target: 'production', place: 'elsewhere' } as const;
  const work = { does: 'copy-keys', namespace, to, onConflict: 'skip' } as const;
  const { id } = await platform.start(work, names);
  expect(await platform.until(id, isEnded)).toMatchObject({
    state: 'failed',
    problem: { message: expect.stringContaining('This console cannot reach the namespace') },
  });
  expect(await platform.keys(other.id)).toEqual([]);
});

test('sets an expiry in small batches, and writes each batch soon after it was read', async () => {
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

test('contains no command lines in the advice for a task, and shows a retry while it lasts', async () => {
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

/** Returns a path in the folder of a platform's tasks on disk. */
const folderOf = ({ world }: Tasks, ...names: readonly string[]) =>
  join(world.folders.state, 'tasks', ...names);

const onDisk = (tasks: Tasks, id: string): Task =>
  JSON.parse(readFileSync(folderOf(tasks, id, 'task.json'), 'utf8'));

/** Changes a task on disk, as another console or an earlier version would. */
function rewrite(tasks: Tasks, id: string, change: object): void {
  writeFileSync(folderOf(tasks, id, 'task.json'), JSON.stringify({ ...onDisk(tasks, id), ...change }));
}

/** Blocks calls whose path ends in `end`, and resolves when the first one has arrived. */
function holding(end: string) {
  const gate = Promise.withResolvers<void>();
  const came = Promise.withResolvers<void>();
  const calls: string[] = [];
  const through =
    (send: Send): Send =>
    async (call) => {
      if (!call.path.endsWith(end)) return send(call);
      calls.push(call.path);
      came.resolve();
      await Promise.race([gate.promise, aborted(call.signal)]);
      return send(call);
    };
  return { through, calls, came: came.promise, open: () => gate.resolve() };
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    if (signal?.aborted === true) reject(signal.reason);
    signal?.addEventListener('abort', () => reject(signal.reason));
  });
}

test('runs three tasks at a time, and starts the next task when a task has ended', async () => {
  const held = holding('/bulk/delete');
  const platform = await openPlatform(held.through);
  const started: Task[] = [];
  for (const title of ['a', 'b', 'c', 'd']) {
    const namespace = await createNamespace(platform.session, title);
    started.push(await platform.start({ does: 'delete-keys', namespace }, ['k']));
  }
  await eventually(() => expect(held.calls).toHaveLength(3));
  expect(
    platform.list.tasks.map(({ work, state }) => 'namespace' in work && [work.namespace.title, state]),
  ).toEqual([
    ['d', 'waiting'],
    ['c', 'running'],
    ['b', 'running'],
    ['a', 'running'],
  ]);
  held.open();
  for (const { id } of started) expect(await platform.until(id, isEnded)).toMatchObject({ state: 'done' });
  expect(held.calls).toHaveLength(4);
});

test('queues a task after tasks for the same namespace, but not after tasks for other namespaces', async () => {
  const held = holding('/bulk/delete');
  const platform = await openPlatform(held.through);
  const { namespace, session } = platform;
  const [other, third] = [await createNamespace(session, 'other'), await createNamespace(session, 'third')];
  const first = await platform.start({ does: 'delete-keys', namespace }, ['a']);
  const copy = { does: 'copy-keys', namespace, to: { namespace: other }, onConflict: 'skip' } as const;
  const second = await platform.start(copy, ['a']);
  const behind = await platform.start({ does: 'delete-keys', namespace: other }, ['a']);
  const free = await platform.start({ does: 'delete-keys', namespace: third }, ['a']);
  const states = () =>
    [first, second, behind, free].map(({ id }) => platform.list.tasks.find((task) => task.id === id)?.state);
  await eventually(() => expect(held.calls).toHaveLength(2));
  expect(states()).toEqual(['running', 'waiting', 'waiting', 'running']);
  held.open();
  for (const { id } of [first, second, behind, free]) await platform.until(id, isEnded);
  expect(states()).toEqual(['done', 'done', 'done', 'done']);
});

test('stops a queued task immediately, and runs it after it is resumed', async () => {
  const held = holding('/bulk/delete');
  const platform = await openPlatform(held.through);
  await fill(platform, 2);
  const { namespace, list } = platform;
  const first = await platform.start({ does: 'delete-keys', namespace }, ['key:00000']);
  const second = await platform.start({ does: 'delete-keys', namespace }, ['key:00001']);
  await list.stop(second.id);
  expect(list.tasks[0]).toMatchObject({ id: second.id, state: 'stopped', ended: now, runs: 0 });
  expect(list.tasks[0]?.owner).toBeUndefined();
  expect(onDisk(platform, second.id)).toMatchObject({ state: 'stopped', ended: now });
  held.open();
  await platform.until(first.id, isEnded);
  expect(await platform.keys()).toEqual(['key:00001']);
  await list.stop(second.id);
  expect(list.tasks[0]?.state).toBe('stopped');
  await list.resume(second.id);
  expect(await platform.until(second.id, isEnded)).toMatchObject({ state: 'done', runs: 1 });
  expect(await platform.keys()).toEqual([]);
});

test('waits for requests in flight of a stopped task until the task is stopped a second time', async () => {
  const held = holding('/bulk/delete');
  const platform = await openPlatform(held.through);
  const [first = ''] = await fill(platform, 1);
  const { list, namespace } = platform;
  const { id } = await platform.start({ does: 'delete-keys', namespace }, [first]);
  await held.came;
  await list.stop(id);
  expect(list.tasks[0]?.state).toBe('stopping');
  await list.resume(id);
  await list.remove(id);
  expect(list.tasks[0]?.state).toBe('stopping');
  await list.stop(id);
  expect(await platform.until(id, isEnded)).toMatchObject({ state: 'stopped' });
  expect(await platform.keys()).toEqual([first]);
});

test('waits for requests in flight when the console exits, and leaves its tasks to the next console', async () => {
  const held = holding('/bulk/delete');
  const timeoutMs: (AbortSignal | undefined)[] = [];
  const base = patientWorld();
  const sleep: World['sleep'] = (milliseconds, signal) => {
    if (milliseconds !== 3000) return base.sleep(milliseconds, signal);
    timeoutMs.push(signal);
    return aborted(signal);
  };
  const platform = await openPlatform(held.through, { ...base, sleep });
  const { list, namespace } = platform;
  const names = await fill(platform, 2);
  const running = await platform.start({ does: 'delete-keys', namespace }, names.slice(0, 1));
  const waiting = await platform.start({ does: 'delete-keys', namespace }, names.slice(1));
  await held.came;
  const closed = list.close();
  await eventually(() => expect(timeoutMs).toHaveLength(1));
  expect(list.tasks.map(({ state }) => state)).toEqual(['waiting', 'running']);
  held.open();
  // The requests in flight complete the first task; the second task has not started.
  expect(await closed).toBe(1);
  expect(await platform.keys()).toEqual(names.slice(1));
  expect(held.calls).toHaveLength(1);
  expect(onDisk(platform, running.id)).toMatchObject({ state: 'done' });
  expect(onDisk(platform, waiting.id)).toMatchObject({ state: 'interrupted', runs: 0 });
  expect(onDisk(platform, waiting.id).owner).toBeUndefined();
  // No timer remains that would keep the process running.
  expect(timeoutMs.map((signal) => signal?.aborted)).toEqual([true]);
  expect(await list.close()).toBe(0);
  expect(timeoutMs).toHaveLength(1);
});

test('limits the wait for requests in flight, and counts the interrupted tasks', async () => {
  const held = holding('/bulk/delete');
  const platform = await openPlatform(held.through);
  const { list, namespace } = platform;
  const names = await fill(platform, 2);
  await platform.start({ does: 'delete-keys', namespace }, names.slice(0, 1));
  await platform.start({ does: 'delete-keys', namespace }, names.slice(1));
  await held.came;
  expect(await list.close()).toBe(2);
  for (const { id } of list.tasks) {
    expect(await platform.until(id, isEnded)).toMatchObject({ state: 'interrupted' });
    await eventually(() => expect(onDisk(platform, id)).toMatchObject({ state: 'interrupted' }));
    expect(onDisk(platform, id).owner).toBeUndefined();
  }
  expect(await platform.keys()).toEqual(names);
  await eventually(() => expect(platform.opened.map(({ isOpen }) => isOpen)).toEqual([false]));
});

test('does not start a task that cannot be saved, and leaves no files', async () => {
  const platform = await openPlatform();
  const { namespace, list } = platform;
  const marked = function* () {
    yield 'a';
    throw new Error('the disk is full');
  };
  const place = { target: 'production', where: platform.session.where, accountLabel: 'Sandbox' } as const;
  const start = list.start({ work: { does: 'delete-keys', namespace }, marked: marked(), ...place });
  await expect(start).rejects.toThrow('the disk is full');
  expect(list.tasks).toEqual([]);
  expect(readdirSync(folderOf(platform))).toEqual([]);
  expect(platform.opened).toEqual([]);
});

test('treats unreadable tasks as missing, and reports the reason', async () => {
  const world = patientWorld();
  mkdirSync(world.folders.state, { recursive: true });
  writeFileSync(join(world.folders.state, 'tasks'), 'no folder');
  const notes: string[] = [];
  const surface = { open: () => Promise.reject(new Error('not yet')), words: remedyWords };
  const list = await TaskList.open(world, surface, (note) => notes.push(note));
  expect(list.tasks).toEqual([]);
  expect(notes).toEqual([expect.stringMatching(/^Cannot read the tasks: /)]);
  const silent = await TaskList.open(world, surface);
  expect(silent.tasks).toEqual([]);
  rmSync(join(world.folders.state, 'tasks'));
  const place = { target: 'production', where: { kind: 'sandbox', folder: '/' }, accountLabel: 'A' } as const;
  const zone = { id: 'z', name: 'acme.com' };
  await silent.start({ work: { does: 'delete-hostnames', zone }, marked: [], ...place });
  expect(silent.tasks).toHaveLength(1);
  await silent.close();
});

const day = 24 * 60 * 60 * 1000;

test('keeps completed tasks for a week, other ended tasks for a month, and running tasks until they end', async () => {
  const platform = await openPlatform();
  const { namespace, list, world } = platform;
  const saved: string[] = [];
  for (const [change, isKept] of [
    [{ state: 'done', ended: now - 7 * day }, true],
    [{ state: 'done', ended: now - 7 * day - 1 }, false],
    [{ state: 'partly', ended: now - 30 * day }, true],
    [{ state: 'failed', ended: now - 30 * day - 1 }, false],
    [{ state: 'interrupted', ended: undefined, started: now - 30 * day - 1 }, false],
    [{ state: 'running', ended: undefined, started: now - 99 * day, owner: { pid: 1 } }, true],
  ] as const) {
    const { id } = await platform.start({ does: 'delete-keys', namespace }, ['k']);
    await platform.until(id, isEnded);
    rewrite(platform, id, change);
    if (isKept) saved.push(id);
  }
  const next = await TaskList.open(
    { ...world, pid: 1 },
    { open: () => Promise.reject(new Error('not yet')), words: remedyWords },
  );
  expect(next.tasks.map(({ id }) => id).toSorted()).toEqual(saved.toSorted());
  expect(readdirSync(folderOf(platform)).toSorted()).toEqual(saved.toSorted());
  await list.reload();
  expect(list.tasks.map(({ id }) => id).toSorted()).toEqual(saved.toSorted());
});

test('drops a task that another console has removed when the user resumes or removes the task', async () => {
  const platform = await openPlatform();
  const { namespace, list } = platform;
  const ids: string[] = [];
  for (const name of ['a', 'b']) {
    const { id } = await platform.start({ does: 'import-keys', namespace, path: name, skipInvalid: false });
    await platform.until(id, isEnded);
    rmSync(folderOf(platform, id), { recursive: true });
    ids.push(id);
  }
  const opened = platform.opened.length;
  const [first = '', second = ''] = ids;
  expect(list.tasks).toHaveLength(2);
  await list.resume(first);
  expect(list.tasks).toEqual([]);
  await list.resume(first);
  await list.remove(second);
  await list.stop(second);
  expect(list.tasks).toEqual([]);
  expect(platform.opened).toHaveLength(opened);
});

test.each([
  ['has ended', { pid: 2 ** 22 + 1 }, 'interrupted'],
  ['id belongs to a later process', { pid: process.pid, start: '1' }, 'interrupted'],
  ['is running', { pid: process.pid, start: readStartTicks(process.pid) }, 'running'],
  ['is running, but has no start time', { pid: process.pid }, 'running'],
  ['is unknown', undefined, 'interrupted'],
] as const)('derives the state of a task whose process %s', async (_, owner, state) => {
  const platform = await openPlatform();
  const { id } = await platform.start({ does: 'delete-keys', namespace: platform.namespace }, ['a']);
  await platform.until(id, isEnded);
  rewrite(platform, id, { state: 'running', owner });
  const next = await openSecond(platform, 1);
  const [task] = next.list.tasks;
  expect(task).toMatchObject({ id, state });
  expect(task?.owner).toEqual(state === 'running' ? owner : undefined);
  expect(next.list.isElsewhere({ state: 'running', owner })).toBe(true);
  expect(platform.list.isElsewhere({ state: 'running', owner })).toBe(owner?.pid !== process.pid);
  expect(platform.list.isElsewhere({ state: 'done', owner: { pid: 1 } })).toBe(false);
  if (state === 'running') {
    await next.list.stop(id);
    expect(next.list.tasks[0]?.state).toBe('running');
    expect(await next.list.close()).toBe(0);
    expect(onDisk(platform, id)).toMatchObject({ state: 'running', owner });
    return;
  }
  await next.list.resume(id);
  expect(await next.until(id, isEnded)).toMatchObject({ state: 'done', runs: 2 });
});

test('reads changes of other consoles from the disk, but keeps its own running tasks unchanged', async () => {
  const held = holding('/bulk/delete');
  const clock = { now };
  const platform = await openPlatform(
    held.through,
    patientWorld(() => clock.now),
  );
  const { namespace, list } = platform;
  const left = await platform.start({ does: 'import-keys', namespace, path: 'none', skipInvalid: false });
  await platform.until(left.id, isEnded);
  clock.now += 1;
  const running = await platform.start({ does: 'delete-keys', namespace }, ['a']);
  await held.came;
  rewrite(platform, left.id, { state: 'done', outcome: 'Done elsewhere.' });
  rewrite(platform, running.id, { state: 'stopped', owner: undefined, runs: 1 });
  let told = 0;
  const unsubscribe = list.subscribe(() => {
    told += 1;
  });
  const before = list.tasks;
  await list.reload();
  expect(told).toBe(1);
  expect(list.tasks).not.toBe(before);
  expect(list.tasks).toMatchObject([
    { id: running.id, state: 'running' },
    { id: left.id, state: 'done', outcome: 'Done elsewhere.' },
  ]);
  unsubscribe();
  rewrite(platform, left.id, { state: 'failed', runs: 0 });
  await list.reload();
  expect(told).toBe(1);
  expect(list.tasks[1]).toMatchObject({ id: left.id, state: 'done' });
  held.open();
  expect(await platform.until(running.id, isEnded)).toMatchObject({ state: 'done' });
  expect(onDisk(platform, running.id)).toMatchObject({ state: 'done' });
});

test('lists a task that starts during a read of the disk, newest first', async () => {
  const held = holding('/bulk/delete');
  const clock = { now };
  const platform = await openPlatform(
    held.through,
    patientWorld(() => clock.now),
  );
  const { namespace, list } = platform;
  const work = { does: 'delete-keys', namespace } as const;
  const first = await platform.start(work, ['a']);
  const reading = list.reload();
  clock.now += 1;
  const second = await platform.start(work, ['b']);
  await reading;
  expect(list.tasks.map(({ id }) => id)).toEqual([second.id, first.id]);
  rmSync(folderOf(platform, second.id), { recursive: true });
  await list.reload();
  expect(list.tasks.map(({ id, state }) => [id, state])).toEqual([
    [second.id, 'waiting'],
    [first.id, 'running'],
  ]);
  held.open();
  await platform.until(first.id, isEnded);
  const next = await openPlatform(undefined, { ...platform.world, pid: 1 });
  const third = await next.start({ does: 'import-keys', namespace, path: 'none', skipInvalid: false });
  expect((await next.until(third.id, isEnded)).state).toBe('failed');
  expect((await openSecond(platform, 2)).list.tasks.map(({ id }) => id)[0]).toBe(third.id);
});

test('runs a task with the credentials with which it was started or resumed', async () => {
  let isBroken = true;
  const platform = await openPlatform((send) => async (call) => {
    if (isBroken) throw new Problem('unreachable', 'The line is cut.');
    return send(call);
  });
  const { namespace, list, opened } = platform;
  const place = { target: 'production', where: platform.session.where, accountLabel: 'Sandbox' } as const;
  const actor = { profile: 'acme', accountId: 'a'.repeat(32) };
  const { id } = await list.start({
    ...{ work: { does: 'delete-keys', namespace }, marked: ['a'], ...place, actor },
  });
  expect(await platform.until(id, isEnded)).toMatchObject({
    state: 'failed',
    problem: { code: 'unreachable', message: 'The line is cut.' },
    ended: now,
    begun: now,
  });
  isBroken = false;
  rewrite(platform, id, { progress: { phase: 'writing', unit: 'keys', done: 1, retries: 0, failed: 0 } });
  const other = { profile: 'other' };
  const resumed = list.resume(id, other);
  await resumed;
  expect(list.tasks[0]).toMatchObject({ actor: other, failed: { count: 0, first: [] } });
  expect(list.tasks[0]?.problem).toBeUndefined();
  expect(list.tasks[0]?.ended).toBeUndefined();
  expect(await platform.until(id, isEnded)).toMatchObject({ state: 'done', actor: other, runs: 2 });
  expect(opened.map(({ choice }) => choice)).toEqual([
    { ...actor, target: 'production' },
    { ...other, target: 'production' },
  ]);
  expect(opened.every(({ isOpen }) => !isOpen)).toBe(true);
  rewrite(platform, id, { state: 'failed' });
  await list.reload();
  await list.resume(id);
  expect(await platform.until(id, isEnded)).toMatchObject({ actor: other });
});

test.each([
  [{ target: 'production' }, { profile: 'acme', target: 'production' }],
  [
    { target: 'production', profile: 'other' },
    { target: 'production', profile: 'other' },
  ],
  [{}, undefined],
] as const)(
  "copies to %j with the task's credentials, unless the task names a profile",
  async (to, choice) => {
    const platform = await openPlatform();
    const { namespace, list } = platform;
    const [name = ''] = await fill(platform, 1);
    const other = await createNamespace(platform.session, 'other');
    const target = { ...to, namespace: other };
    const work = { does: 'copy-keys', namespace, to: target, onConflict: 'skip' } as const;
    const place = { target: 'production', where: platform.session.where, accountLabel: 'Sandbox' } as const;
    const { id } = await list.start({ work, marked: [name], ...place, actor: { profile: 'acme' } });
    expect(await platform.until(id, isEnded)).toMatchObject({ state: 'done' });
    expect(await platform.keys(other.id)).toEqual([name]);
    expect(platform.opened.map((one) => one.choice)[1]).toEqual(choice);
    expect(platform.opened.every(({ isOpen }) => !isOpen)).toBe(true);
  },
);

test('saves the progress once a second, and notifies listeners ten times a second', async () => {
  const clock = { now };
  const base = patientWorld(() => clock.now);
  const waits: (() => void)[] = [];
  const sleep: World['sleep'] = (milliseconds, signal) =>
    milliseconds === 100 ? new Promise((resolve) => waits.push(resolve)) : base.sleep(milliseconds, signal);
  const steps: number[] = [];
  const requests: (() => void)[] = [];
  const platform = await openPlatform(
    (send) => async (call) => {
      const answer = await send(call);
      if (call.method !== 'DELETE') return answer;
      clock.now += steps.shift() ?? 0;
      await new Promise<void>((resolve) => requests.push(resolve));
      return answer;
    },
    { ...base, sleep },
  );
  await createBucket(platform.session, 'assets');
  const marked = Array.from({ length: 4001 }, (_, at) => ({ key: `k${at}`, size: 0 }));
  steps.push(600, 400, 500, -2000, 0);
  const { id } = await platform.start({ does: 'delete-objects', bucket: 'assets' }, marked);
  const next = async (count: number) => {
    await eventually(() => expect(requests).toHaveLength(count));
    return onDisk(platform, id).confirmed;
  };
  const isSaved = (end: number) =>
    eventually(() => expect(onDisk(platform, id).confirmed).toEqual([[0, end]]));
  expect(await next(1)).toEqual([]);
  let told = 0;
  platform.list.subscribe(() => {
    told += 1;
  });
  requests[0]?.();
  expect(await next(2)).toEqual([]);
  requests[1]?.();
  await isSaved(2000);
  await next(3);
  requests[2]?.();
  expect(await next(4)).toEqual([[0, 2000]]);
  // Progress is reported once after a delay, however often it changes in this time.
  expect([told, waits.length]).toEqual([0, 1]);
  expect(platform.list.tasks[0]?.progress).toBeUndefined();
  expect(platform.list.findPace(id)?.rate).toBeCloseTo(2000 / 0.9);
  waits[0]?.();
  await eventually(() => expect(told).toBe(1));
  expect(platform.list.tasks[0]?.progress).toMatchObject({ done: 3000, total: 4001 });
  // A clock that is set back does not prevent the task from being saved.
  requests[3]?.();
  await isSaved(4000);
  await next(5);
  expect(waits).toHaveLength(2);
  requests[4]?.();
  expect(await platform.until(id, isEnded)).toMatchObject({ state: 'done', confirmed: [[0, 4001]] });
  await eventually(() => expect(platform.list.findPace(id)).toBeUndefined());
});

test('keeps the last twenty warnings without consecutive repetitions, and no advice about an earlier run', async () => {
  const platform = await openPlatform();
  const { namespace, world, list } = platform;
  const path = join(world.cwd, 'wrong.ndjson');
  writeFileSync(path, '{"key":"a","value":"b"}\n{"key":""}\n');
  const { id } = await platform.start({ does: 'import-keys', namespace, path, skipInvalid: true });
  const first = await platform.until(id, isEnded);
  expect(first).toMatchObject({
    state: 'done',
    outcome: `Wrote 1 entry to ${namespace.title}; skipped: 1 invalid.`,
  });
  expect(first.warnings).toHaveLength(1);
  const [warning = ''] = first.warnings;
  const again = async (warnings: readonly string[]) => {
    rewrite(platform, id, { state: 'failed', warnings });
    await list.reload();
    await list.resume(id);
    return (await platform.until(id, isEnded)).warnings;
  };
  expect(await again([warning])).toEqual([warning]);
  const twenty = Array.from({ length: 20 }, (_, at) => `warning ${at}`);
  expect(await again(twenty)).toEqual([...twenty.slice(1), warning]);
});

test('resumes a task that an earlier version saved without its platform', async () => {
  const platform = await openPlatform();
  const { id } = await platform.start({ does: 'delete-keys', namespace: platform.namespace }, ['a']);
  await platform.until(id, isEnded);
  rewrite(platform, id, { state: 'interrupted', where: undefined, place: undefined });
  await platform.list.reload();
  await platform.list.resume(id);
  expect(await platform.until(id, isEnded)).toMatchObject({ state: 'done', where: platform.session.where });
  expect(onDisk(platform, id).place).toBeDefined();
});

test('shows what a request is waiting for, until the wait ends', async () => {
  const notes: (string | undefined)[] = [];
  const platform = await openPlatform();
  platform.noteOf.push('Waiting 5 seconds: the platform asks for it.');
  platform.list.subscribe(() => notes.push(platform.list.tasks[0]?.note));
  const { id } = await platform.start({ does: 'delete-keys', namespace: platform.namespace }, ['a']);
  expect((await platform.until(id, isEnded)).note).toBeUndefined();
  expect(notes).toContain('Waiting 5 seconds: the platform asks for it.');
});

test('reports entries that an import skipped, and refuses a file whose content differs from the preview', async () => {
  const platform = await openPlatform();
  const { namespace, world } = platform;
  const path = join(world.cwd, 'in.ndjson');
  // The platform would accept this expiry, but it is too close for a request that may take a while.
  const soon = now / 1000 + 61;
  const lines = [
    '{"key":"a","value":"1"}',
    '{"key":"b","value":"1"}',
    '{"key":"","value":"1"}',
    '{"key":"a","value":"2"}',
    `{"key":"late","value":"1","expiration":${soon}}`,
  ];
  writeFileSync(path, lines.join('\n'));
  const work = { does: 'import-keys', namespace, path, skipInvalid: true } as const;
  const run = async (one: TaskWork) => platform.until((await platform.start(one)).id, isEnded);
  const other = 'f'.repeat(64);
  expect(await run({ ...work, fingerprint: other })).toMatchObject({
    state: 'failed',
    problem: {
      message: `${path} has changed since it was checked; nothing was sent.`,
      hint: 'Import the file again. The console shows the changes first.',
    },
  });
  expect(await run({ ...work, skipInvalid: false })).toMatchObject({ state: 'failed' });
  expect(await platform.keys()).toEqual([]);
  const fingerprint = createHash('sha256').update(readFileSync(path)).digest('hex');
  expect(await run({ ...work, fingerprint })).toMatchObject({
    state: 'done',
    outcome: `Wrote 2 entries to ${namespace.title}; skipped: 1 invalid, 1 repeated, 1 about to expire.`,
    failed: { count: 0, first: [] },
  });
  expect(await platform.value('a')).toBe('2');
  expect(await platform.keys()).toEqual(['a', 'b']);
});

test('exports in the format of the file name, and reports the written keys', async () => {
  const platform = await openPlatform();
  const [name = ''] = await fill(platform, 1);
  const { namespace, world } = platform;
  const path = join(world.cwd, 'out.json');
  const { id } = await platform.start({ does: 'export-keys', namespace, path }, [name]);
  expect(await platform.until(id, isEnded)).toMatchObject({
    state: 'done',
    outcome: `Wrote 1 key from ${namespace.title} to ${path}.`,
    failed: { count: 0, first: [] },
  });
  expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual([
    { key: name, value: `v ${name}`, metadata: { name } },
  ]);
});

test('does not replace a file that appears during an export', async () => {
  const held = holding('/bulk/get');
  const platform = await openPlatform(held.through);
  const names = await fill(platform, 1);
  const { namespace, world } = platform;
  const path = join(world.cwd, 'out.ndjson');
  const { id } = await platform.start({ does: 'export-keys', namespace, path }, names);
  await held.came;
  writeFileSync(path, 'mine');
  held.open();
  expect(await platform.until(id, isEnded)).toMatchObject({
    state: 'failed',
    problem: { code: 'refused', hint: 'Export again under another name.' },
  });
  expect(readFileSync(path, 'utf8')).toBe('mine');
  expect(readdirSync(world.cwd)).toEqual(['out.ndjson']);
});

test.each([
  [{ expiration: now / 1000 + 3600 }, 'expires at 2026-11-21T11:00:00.000Z'],
  [{ expiration: null }, 'never expires'],
] as const)('reports the current expiry of keys: %j', async (how, words) => {
  const platform = await openPlatform();
  const names = await fill(platform, 1);
  const { namespace } = platform;
  const { id } = await platform.start({ does: 'expire-keys', namespace, ...how }, names);
  expect((await platform.until(id, isEnded)).outcome).toBe(`1 key in ${namespace.title} now ${words}.`);
});

test('skips keys in a copy that will expire soon', async () => {
  const clock = { now };
  const platform = await openPlatform(
    undefined,
    patientWorld(() => clock.now),
  );
  const { namespace, session } = platform;
  const other = await createNamespace(session, 'other');
  const value = Buffer.from('v');
  await writeValue(session, namespace.id, 'stays', { value });
  await writeValue(session, namespace.id, 'ends', { value, expiration: now / 1000 + 100 });
  clock.now += 50_000;
  const work = { does: 'copy-keys', namespace, to: { namespace: other }, onConflict: 'fail' } as const;
  const { id } = await platform.start(work, ['ends', 'stays']);
  expect(await platform.until(id, isEnded)).toMatchObject({
    state: 'done',
    outcome: 'Copied 1 key to other. Skipped 1 key about to expire.',
  });
  expect(await platform.keys(other.id)).toEqual(['stays']);
});

test.each([
  [{ target: 'production' }, 'production'],
  [{ profile: 'other' }, 'other (production)'],
  [{ profile: 'other', target: 'preview' }, 'other (preview)'],
] as const)('reports the destination of a copy if the destination has changed: %j', async (to, where) => {
  const platform = await openPlatform();
  const names = await fill(platform, 1);
  const { namespace } = platform;
  const target = { ...to, namespace, place: 'elsewhere' };
  const work = { does: 'copy-keys', namespace, to: target, onConflict: 'skip' } as const;
  const { id } = await platform.start(work, names);
  expect(await platform.until(id, isEnded)).toMatchObject({
    problem: {
      code: 'usage',
      message: `This console cannot reach the namespace ${namespace.title} (${where}): the task was started with another profile or target.`,
      hint: 'Open the console with the profile and target of the task, and resume the task there.',
    },
  });
  expect(platform.opened.map(({ isOpen }) => isOpen)).toEqual([false, false]);
});

test('lists twenty of the keys with lost values, and counts all keys with lost values', async () => {
  const platform = await openPlatform();
  const names = await fill(platform, 25);
  const { namespace, world } = platform;
  const { blobs } = kvPaths(join(world.folders.data, 'sandbox'), namespace.id);
  for (const file of readdirSync(blobs)) unlinkSync(join(blobs, file));
  const path = join(world.cwd, 'out.ndjson');
  const { id } = await platform.start({ does: 'export-keys', namespace, path }, names);
  const { state, failed, outcome } = await platform.until(id, isEnded);
  expect([state, outcome, failed.count]).toEqual([
    'partly',
    `Wrote 0 keys from ${namespace.title} to ${path}.`,
    25,
  ]);
  expect(failed.first.length).toBeLessThanOrEqual(20);
});

test('ignores other files in the folder of tasks, and lists every task', async () => {
  const platform = await openPlatform();
  const { id } = await platform.start({ does: 'delete-keys', namespace: platform.namespace }, ['a']);
  await platform.until(id, isEnded);
  writeFileSync(folderOf(platform, '.DS_Store'), '');
  const text = readFileSync(folderOf(platform, id, 'task.json'), 'utf8');
  for (const [name, content] of [
    ['copy', text],
    ['0'.repeat(16), '{'],
    ['1'.repeat(16), text.replace('"version":1', '"version":2')],
  ] as const) {
    mkdirSync(folderOf(platform, name));
    writeFileSync(folderOf(platform, name, 'task.json'), content, { mode: 0o600 });
  }
  mkdirSync(folderOf(platform, '2'.repeat(16)));
  await platform.list.reload();
  expect(platform.list.tasks.map((task) => task.id)).toEqual([id]);
  expect(readdirSync(folderOf(platform))).toHaveLength(6);
});

test('does not repeat failed work of a task, and reads its marked keys in pages', async () => {
  const { world } = await openPlatform();
  const files = openTaskFiles(world);
  const id = 'a'.repeat(16);
  expect(
    await files.writeMarked(
      id,
      Array.from({ length: 2500 }, (_, at) => `k${at}`),
    ),
  ).toBe(2500);
  let calls = 0;
  const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' });
  const work = async () => {
    calls += 1;
    throw missing;
  };
  await expect(files.exclusively(id, work)).rejects.toBe(missing);
  expect(calls).toBe(1);
  const pages: number[] = [];
  const { pages: read, count } = await namedKeys(files.markedPath(id), 2500);
  for await (const page of read()) pages.push(page.length);
  expect([count, pages]).toEqual([2500, [1000, 1000, 500]]);
  expect(() => new TaskBoard(world).get(id)).toThrow(`No task ${id}.`);
});

test('closes a file of keys after it was read or refused', async () => {
  const platform = await openPlatform();
  const { namespace, world } = platform;
  for (const [text, state] of [
    ['{"key":"a","value":"1"}', 'done'],
    ['{"key":""}', 'failed'],
  ] as const) {
    const path = join(world.cwd, 'in.ndjson');
    writeFileSync(path, text);
    const { id } = await platform.start({ does: 'import-keys', namespace, path, skipInvalid: false });
    expect((await platform.until(id, isEnded)).state).toBe(state);
  }
  // Only Linux provides the list of open files.
  const descriptors = existsSync('/proc/self/fd') ? readdirSync('/proc/self/fd') : [];
  const open = descriptors.map((name) => {
    try {
      return readlinkSync(`/proc/self/fd/${name}`);
    } catch {
      return '';
    }
  });
  expect(open.filter((path) => path.startsWith(world.cwd))).toEqual([]);
});

test('lists twenty of the keys that could not be copied, regardless of the reason', async () => {
  const platform = await openPlatform((send) => async (call) => {
    if (call.method !== 'PUT' || !call.path.endsWith('/bulk')) return send(call);
    const entries: { key: string }[] = JSON.parse(Buffer.from(call.body as Uint8Array).toString());
    const result = { successful_key_count: 0, unsuccessful_keys: entries.map(({ key }) => key) };
    const answer = { success: true, errors: [], messages: [], result };
    return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answer)) };
  });
  const names = await fill(platform, 30);
  const { namespace, session, world } = platform;
  const { blobs } = kvPaths(join(world.folders.data, 'sandbox'), namespace.id);
  for (const file of readdirSync(blobs).slice(0, 15)) unlinkSync(join(blobs, file));
  const other = await createNamespace(session, 'other');
  const work = { does: 'copy-keys', namespace, to: { namespace: other }, onConflict: 'overwrite' } as const;
  const { id } = await platform.start(work, names);
  const { failed } = await platform.until(id, isEnded);
  expect([failed.count, failed.first.length]).toEqual([30, 20]);
  expect(new Set(failed.first.map(({ reason }) => reason))).toEqual(
    new Set(['the platform did not accept it', 'its value was lost']),
  );
});

test('saves the progress of an upload before the next object', async () => {
  const clock = { now };
  const gate = Promise.withResolvers<void>();
  const platform = await openPlatform(
    (send) => async (call) => {
      if (call.method !== 'PUT' || !call.path.includes('/objects/')) return send(call);
      const answer = await send(call);
      if (call.path.endsWith('b')) await gate.promise;
      else clock.now += 1000;
      return answer;
    },
    patientWorld(() => clock.now),
  );
  await createBucket(platform.session, 'assets');
  const path = join(platform.world.cwd, 'site');
  mkdirSync(path);
  for (const name of ['a', 'b']) writeFileSync(join(path, name), name);
  const work = { does: 'upload', bucket: 'assets', path, key: '', existing: 'replace' } as const;
  const { id } = await platform.start(work);
  await eventually(() => expect(onDisk(platform, id).confirmed).toEqual([[0, 1]]));
  gate.resolve();
  expect(await platform.until(id, isEnded)).toMatchObject({ state: 'done', confirmed: [[0, 2]] });
});

test('resumes a deletion that needs several requests after the deleted keys, and counts all keys', async () => {
  const counts: number[] = [];
  const platform = await openPlatform((send) => async (call) => {
    if (!call.path.endsWith('/bulk/delete')) return send(call);
    counts.push(JSON.parse(Buffer.from(call.body as Uint8Array).toString()).length);
    if (counts.length === 2) throw new Problem('refused', 'Not these.');
    return send(call);
  });
  const { namespace, list } = platform;
  const names = Array.from({ length: 10_001 }, (_, at) => `k${at}`);
  const { id } = await platform.start({ does: 'delete-keys', namespace }, names);
  expect((await platform.until(id, isEnded)).state).toBe('failed');
  await list.resume(id);
  expect(await platform.until(id, isEnded)).toMatchObject({
    state: 'done',
    outcome: `Deleted 10,001 keys from ${namespace.title}.`,
  });
  expect(counts).toEqual([10_000, 1, 1]);
});
