import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { Problem } from '../../../src/model/problem.ts';
import type { Task, TaskWork } from '../../../src/model/tasks/task.ts';
import { openPlanFiles } from '../../../src/services/hostnames/fleet/plan-files.ts';
import {
  createHostname,
  deleteHostname,
  editHostname,
  listHostnames,
} from '../../../src/services/hostnames/hostnames.ts';
import { readPlatformInfo } from '../../../src/services/session/platform-info.ts';
import { type FoundFault, toFoundFault } from '../../../src/services/tasks/hostname-reading.ts';
import type { TaskPlan } from '../../../src/services/tasks/planning.ts';
import { type Method, readBody, type Send } from '../../../src/v4/send.ts';
import type { World } from '../../../src/world.ts';
import { eventually, isEnded, now, openTasks, patientWorld, type Tasks } from './platform.ts';

interface Zone extends Tasks {
  readonly zone: { readonly id: string; readonly name: string };
  create(...names: readonly string[]): Promise<CustomHostname[]>;
  /** Returns the zone's hostnames, sorted by name. */
  records(): Promise<CustomHostname[]>;
  names(): Promise<string[]>;
  /** Starts a task, and waits until it ends. */
  run(work: TaskWork, marked?: readonly unknown[]): Promise<Task>;
  /** Resumes a task, and waits until it ends. */
  again(id: string): Promise<Task>;
  /** Sends a call to the API. Throws if the call is refused. */
  api(method: Method, path: string, body?: unknown): Promise<void>;
  /** Writes a file below the working directory, and returns the path of the file. */
  write(name: string, text: string): string;
}

/** Opens the embedded platform with its zone, and tasks that act on it. `through` wraps the platform calls of tasks. */
async function openZone(through?: (send: Send) => Send, base?: World): Promise<Zone> {
  const tasks = await openTasks(through, base);
  const { session, list, start, until, world } = tasks;
  const zone = { id: (await readPlatformInfo(session)).zoneId ?? '', name: 'saas.sandbox' };
  const records = async () => {
    const all: CustomHostname[] = [];
    for await (const page of listHostnames(session, zone.id)) all.push(...page);
    return all.sort((one, other) => (one.hostname < other.hostname ? -1 : 1));
  };
  const api: Zone['api'] = async (method, path, json) => {
    const body = Buffer.from(JSON.stringify(json));
    const headers = { 'content-type': 'application/json' };
    const { status, body: answer } = await session.send({ method, path, headers, body, repeatable: false });
    if (status >= 400) throw new Error(Buffer.from(await readBody(answer)).toString());
  };
  return {
    ...tasks,
    zone,
    records,
    names: async () => (await records()).map(({ hostname }) => hostname),
    async create(...names) {
      const made: CustomHostname[] = [];
      for (const [at, hostname] of names.entries()) {
        // The platform issues 15 certificates a minute.
        if (at % 12 === 11) await api('POST', '/sandbox/clock', { seconds: 60 });
        made.push(await createHostname(session, zone.id, { hostname }));
      }
      return made;
    },
    run: async (work, marked) => until((await start(work, marked)).id, isEnded),
    async again(id) {
      await list.resume(id);
      return until(id, isEnded);
    },
    api,
    write(name, text) {
      writeFileSync(join(world.cwd, name), text);
      return join(world.cwd, name);
    },
  };
}

/** Rejects changes to the hostname whose id is in `state`. */
function refusing() {
  const state: { id: string | undefined; calls: string[] } = { id: undefined, calls: [] };
  const through =
    (send: Send): Send =>
    async (call) => {
      if (call.method === 'GET') return send(call);
      state.calls.push(`${call.method} ${call.path.slice(call.path.lastIndexOf('/') + 1)}`);
      if (state.id === undefined || !call.path.endsWith(state.id)) return send(call);
      const errors = [{ code: 1400, message: 'not today' }];
      const body = Buffer.from(JSON.stringify({ success: false, errors, messages: [], result: null }));
      return { status: 400, headers: { 'content-type': 'application/json' }, body };
    };
  return { through, state };
}

const marks = (...records: readonly CustomHostname[]) =>
  records.map(({ id, hostname }) => ({ id, hostname }));

test('deletes only the marked hostnames, and does not count a deleted hostname as a failure', async () => {
  const zone = await openZone();
  const [a, b, c, d] = await zone.create('a.acme.com', 'b.acme.com', 'c.acme.com', 'd.acme.com');
  if (!(a && b && c && d)) throw new Error('created too few');
  await deleteHostname(zone.session, zone.zone.id, b);
  expect(await zone.run({ does: 'delete-hostnames', zone: zone.zone }, marks(a, b, d))).toMatchObject({
    state: 'done',
    outcome: 'Deleted 2 hostnames in saas.sandbox.',
    failed: { count: 0, first: [] },
  });
  expect(await zone.names()).toEqual(['c.acme.com']);
});

test('names a hostname that could not be deleted, and retries only that hostname', async () => {
  const { through, state } = refusing();
  const zone = await openZone(through);
  const [a, b, c] = await zone.create('a.acme.com', 'b.acme.com', 'c.acme.com');
  if (!(a && b && c)) throw new Error('created too few');
  state.id = b.id;
  const task = await zone.run({ does: 'delete-hostnames', zone: zone.zone }, marks(a, b, c));
  expect(task).toMatchObject({
    state: 'partly',
    outcome: 'Deleted 2 hostnames in saas.sandbox.',
    failed: { count: 1, first: [{ name: 'b.acme.com', reason: expect.stringContaining('not today') }] },
  });
  expect(await zone.names()).toEqual(['b.acme.com']);
  state.id = undefined;
  state.calls.length = 0;
  // The new hostname has the same name, but was not marked.
  await zone.create('a.acme.com');
  expect(await zone.again(task.id)).toMatchObject({
    state: 'done',
    outcome: 'Deleted 3 hostnames in saas.sandbox.',
    failed: { count: 0 },
  });
  expect(state.calls).toEqual([`DELETE ${b.id}`]);
  expect(await zone.names()).toEqual(['a.acme.com']);
});

test('changes the marked hostnames, and reports hostnames that needed no change, were deleted, or cannot be changed', async () => {
  const { through, state } = refusing();
  const zone = await openZone(through);
  const { session } = zone;
  const [a, b, c, d, e] = await zone.create(
    'a.acme.com',
    'b.acme.com',
    'c.acme.com',
    'd.acme.com',
    'e.acme.com',
  );
  if (!(a && b && c && d && e)) throw new Error('created too few');
  const inputs = { minimumTls: '1.3', method: 'http' } as const;
  await editHostname(session, zone.zone.id, a, { method: 'txt' });
  await editHostname(session, zone.zone.id, b, inputs);
  await editHostname(session, zone.zone.id, e, { wildcard: true, method: 'txt' });
  await deleteHostname(session, zone.zone.id, c);
  state.calls.length = 0;
  const task = await zone.run({ does: 'edit-hostnames', zone: zone.zone, wishes: inputs }, marks(a, b, c, e));
  expect(task).toMatchObject({
    state: 'partly',
    outcome: 'Changed 1 hostname in saas.sandbox. 1 hostname was already in this state.',
    failed: {
      count: 2,
      first: [
        { name: 'e.acme.com', reason: expect.stringContaining('ildcard') },
        { name: 'c.acme.com', reason: 'no longer exists in the zone' },
      ],
    },
  });
  expect(state.calls).toEqual([`PATCH ${a.id}`]);
  const tls = (await zone.records()).map(({ hostname, ssl }) => [
    hostname,
    ssl?.settings?.min_tls_version,
    ssl?.method,
  ]);
  expect(tls).toEqual([
    ['a.acme.com', '1.3', 'http'],
    ['b.acme.com', '1.3', 'http'],
    ['d.acme.com', d.ssl?.settings?.min_tls_version, d.ssl?.method],
    ['e.acme.com', e.ssl?.settings?.min_tls_version, 'txt'],
  ]);
  expect(
    await zone.run({ does: 'edit-hostnames', zone: zone.zone, wishes: inputs }, marks(a, b)),
  ).toMatchObject({
    state: 'done',
    outcome: 'Changed 0 hostnames in saas.sandbox. 2 hostnames were already in this state.',
  });
});

test('restarts the validation of many marked hostnames and no others, and reads the hostnames from one list', async () => {
  const { through, state } = refusing();
  const asked: string[] = [];
  const zone = await openZone((send) => {
    const inner = through(send);
    return (call) => {
      if (call.method === 'GET' && call.path.includes('custom_hostnames')) asked.push(call.path);
      return inner(call);
    };
  });
  const made = await zone.create(...Array.from({ length: 22 }, (_, at) => `h${at + 10}.acme.com`));
  const work = { does: 'refresh-hostnames', zone: zone.zone } as const;
  expect(await zone.run(work, marks(...made.slice(1, 21)))).toMatchObject({
    state: 'done',
    outcome: 'Restarted validation of 20 hostnames in saas.sandbox.',
  });
  expect(state.calls).toEqual(made.slice(1, 21).map(({ id }) => `PATCH ${id}`));
  expect(asked.filter((path) => path.includes('?'))).toHaveLength(1);
  asked.length = 0;
  expect(await zone.run(work, marks(...made.slice(1, 3)))).toMatchObject({
    outcome: 'Restarted validation of 2 hostnames in saas.sandbox.',
  });
  expect(asked.filter((path) => path.includes('?'))).toEqual([]);
});

test.each([
  ['refresh-hostnames', 'Restarted validation of 3 hostnames in saas.sandbox.'],
  ['edit-hostnames', 'Changed 2 hostnames in saas.sandbox. 1 hostname was already in this state.'],
] as const)(
  'resumes %s after the completed steps when it was stopped, and counts each step once',
  async (does, outcome) => {
    const patched: string[] = [];
    const second = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const zone = await openZone((send) => async (call) => {
      const answer = await send(call);
      if (call.method !== 'PATCH') return answer;
      patched.push(call.path.slice(call.path.lastIndexOf('/') + 1));
      if (patched.length !== 2) return answer;
      second.resolve();
      await gate.promise;
      throw new Error('the answer is lost');
    });
    const made = await zone.create('a.acme.com', 'b.acme.com', 'c.acme.com');
    const [a, b, c] = made.map(({ id }) => id);
    const work = { does, zone: zone.zone, wishes: { minimumTls: '1.3' } } as TaskWork;
    const { id } = await zone.start(work, marks(...made));
    await second.promise;
    await zone.list.stop(id);
    gate.resolve();
    const stopped = await zone.until(id, isEnded);
    expect(stopped.state).toBe('stopped');
    expect(stopped.outcome).toMatch(/ 1 hostname in saas\.sandbox\.$/);
    expect(await zone.again(id)).toMatchObject({ state: 'done', outcome });
    // The result for the second hostname is unknown: a restart is repeated, but a change is visible in the record.
    expect(patched).toEqual(does === 'refresh-hostnames' ? [a, b, b, c] : [a, b, c]);
  },
);

test('stops before any change after any failure except a deleted hostname', async () => {
  let isBroken = false;
  const writes: string[] = [];
  const zone = await openZone((send) => async (call) => {
    if (call.method !== 'GET') writes.push(call.path);
    if (!isBroken || !call.path.includes('custom_hostnames/')) return send(call);
    const errors = [{ code: 10000, message: 'no access' }];
    const body = Buffer.from(JSON.stringify({ success: false, errors, messages: [], result: null }));
    return { status: 403, headers: { 'content-type': 'application/json' }, body };
  });
  const made = await zone.create('a.acme.com');
  isBroken = true;
  expect(await zone.run({ does: 'delete-hostnames', zone: zone.zone }, marks(...made))).toMatchObject({
    state: 'failed',
    problem: { code: 'not-permitted' },
  });
  expect(writes).toEqual([]);
});

test('plans the changes for a file, and applies exactly the plan that was shown', async () => {
  const { through, state } = refusing();
  const zone = await openZone(through);
  const [a, b, c] = await zone.create('a.acme.com', 'b.acme.com', 'c.acme.com');
  if (!(a && b && c)) throw new Error('created too few');
  const path = zone.write('wanted.csv', 'hostname,min_tls\na.acme.com,1.3\nb.acme.com,\nd.acme.com,\n');
  const planning = { does: 'plan-hostnames', zone: zone.zone, path, prune: true, limit: 1 } as const;
  const planned = await zone.run(planning);
  expect(planned).toMatchObject({ state: 'done', failed: { count: 0, first: [] } });
  expect(planned.outcome).toMatch(/^Planned for saas\.sandbox: /);
  const [plan] = await zone.list.readResults<TaskPlan>(planned.id);
  expect(plan?.steps).toEqual([
    {
      does: 'change',
      hostname: 'a.acme.com',
      line: 2,
      id: a.id,
      reason: expect.any(String),
      differences: [expect.objectContaining({ to: '1.3' })],
    },
    { does: 'create', hostname: 'd.acme.com', line: 4, reason: expect.any(String), differences: [] },
    { does: 'delete', hostname: 'c.acme.com', id: c.id, reason: expect.any(String), differences: [] },
    {
      does: 'leave',
      hostname: 'b.acme.com',
      line: 3,
      id: b.id,
      reason: expect.any(String),
      differences: [],
    },
  ]);
  expect(state.calls).toEqual([]);
  const work = { does: 'reconcile-hostnames', zone: zone.zone, path, hash: plan?.hash ?? '' } as const;
  state.id = c.id;
  const partly = await zone.run(work);
  expect(partly).toMatchObject({
    state: 'partly',
    outcome: 'Completed 2 of 3 steps in saas.sandbox.',
    failed: { count: 1, first: [{ name: 'c.acme.com', reason: expect.stringContaining('not today') }] },
  });
  const saved = () => openPlanFiles(zone.world).find(plan?.hash ?? '');
  expect(await saved()).toMatchObject({ begun: true });
  expect((await saved()).finished).toBeUndefined();
  state.id = undefined;
  expect(await zone.again(partly.id)).toMatchObject({
    state: 'done',
    outcome: 'Completed 1 of 1 steps in saas.sandbox.',
    failed: { count: 0, first: [] },
  });
  expect(await zone.names()).toEqual(['a.acme.com', 'b.acme.com', 'd.acme.com']);
  // An applied plan is finished, so no step is repeated.
  expect((await saved()).finished).toBe(now);
  await zone.create('c.acme.com');
  state.calls.length = 0;
  expect((await zone.run(work)).state).toBe('failed');
  expect(state.calls).toEqual([]);
});

test('refuses to apply a plan that deletes more than its limit, or whose file has changed', async () => {
  const { through, state } = refusing();
  const zone = await openZone(through);
  const path = zone.write('wanted.csv', 'hostname\nc.acme.com\n');
  await zone.create('a.acme.com', 'b.acme.com');
  const hashOf = async (limit?: number) => {
    const work = { does: 'plan-hostnames', zone: zone.zone, path, prune: true, limit } as const;
    const [plan] = await zone.list.readResults<TaskPlan>((await zone.run(work)).id);
    return plan?.hash ?? '';
  };
  const hash = await hashOf(1);
  state.calls.length = 0;
  const work = { does: 'reconcile-hostnames', zone: zone.zone, path, hash } as const;
  expect(await zone.run(work)).toMatchObject({
    state: 'failed',
    problem: {
      code: 'not-confirmed',
      message: '2 hostnames would be deleted, more than the limit of 1; nothing was changed.',
      hint: expect.stringContaining('lan'),
    },
  });
  expect(state.calls).toEqual([]);
  await hashOf(2);
  zone.write('wanted.csv', 'hostname\n');
  expect((await zone.run(work)).state).toBe('failed');
  expect(state.calls).toEqual([]);
  zone.write('wanted.csv', 'hostname\nc.acme.com\n');
  expect(await zone.run(work)).toMatchObject({
    state: 'done',
    outcome: 'Completed 3 of 3 steps in saas.sandbox.',
  });
  expect(await zone.names()).toEqual(['c.acme.com']);
});

test('deletes any number of hostnames by a plan without a limit, and fails if the connection is lost', async () => {
  let isCut = false;
  const zone = await openZone((send) => async (call) => {
    if (isCut && call.method === 'DELETE') throw new Problem('unreachable', 'The line is cut.');
    return send(call);
  });
  const path = zone.write('wanted.csv', 'hostname\n');
  await zone.create('a.acme.com', 'b.acme.com');
  const planning = { does: 'plan-hostnames', zone: zone.zone, path, prune: true } as const;
  const [plan] = await zone.list.readResults<TaskPlan>((await zone.run(planning)).id);
  isCut = true;
  const work = { does: 'reconcile-hostnames', zone: zone.zone, path, hash: plan?.hash ?? '' } as const;
  const task = await zone.run(work);
  expect(task).toMatchObject({
    state: 'failed',
    outcome: 'Completed 0 of 2 steps in saas.sandbox.',
    problem: { code: 'unreachable', message: 'The line is cut.' },
  });
  expect((await openPlanFiles(zone.world).find(work.hash)).finished).toBeUndefined();
  isCut = false;
  expect(await zone.again(task.id)).toMatchObject({
    state: 'done',
    outcome: 'Completed 2 of 2 steps in saas.sandbox.',
  });
  expect(await zone.names()).toEqual([]);
});

test('lets only one console at a time change many hostnames of a zone', async () => {
  const gate = Promise.withResolvers<void>();
  const asked = Promise.withResolvers<void>();
  const writes: string[] = [];
  const zone = await openZone((send) => async (call) => {
    if (call.method === 'DELETE') {
      writes.push(call.path);
      asked.resolve();
      await gate.promise;
    }
    return send(call);
  });
  const made = await zone.create('a.acme.com');
  const path = zone.write('wanted.csv', 'hostname\n');
  const planning = { does: 'plan-hostnames', zone: zone.zone, path, prune: true } as const;
  const [plan] = await zone.list.readResults<TaskPlan>((await zone.run(planning)).id);
  const first = await zone.start({ does: 'delete-hostnames', zone: zone.zone }, marks(...made));
  await asked.promise;
  const other = await openZone((send) => send, { ...zone.world, pid: 1 });
  const busy = { state: 'failed', problem: { code: 'store-busy' } };
  const reconcile = { does: 'reconcile-hostnames', zone: zone.zone, path, hash: plan?.hash ?? '' } as const;
  expect(await other.run(reconcile)).toMatchObject(busy);
  expect(await other.run({ does: 'delete-hostnames', zone: zone.zone }, marks(...made))).toMatchObject(busy);
  gate.resolve();
  expect(await zone.until(first.id, isEnded)).toMatchObject({ state: 'done' });
  expect(writes).toHaveLength(1);
});

test('exports the marked hostnames, or all hostnames of the zone, in the format of the file name', async () => {
  const zone = await openZone();
  const made = await zone.create('a.acme.com', 'b.acme.com', 'c.acme.com');
  const path = zone.write('hosts.ndjson', 'mine');
  const work = { does: 'export-hostnames', zone: zone.zone, path } as const;
  const lines = () => {
    const text = readFileSync(path, 'utf8');
    return text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).hostname);
  };
  expect(await zone.run(work)).toMatchObject({
    state: 'failed',
    problem: { message: `${path} exists now, but did not exist when the task was started.` },
  });
  expect(readFileSync(path, 'utf8')).toBe('mine');
  expect(await zone.run({ ...work, replace: true }, marks(...made.slice(0, 2)))).toMatchObject({
    state: 'done',
    outcome: `Wrote 2 hostnames from saas.sandbox to ${path}.`,
    progress: { phase: 'exporting', unit: 'hostnames', done: 3, total: 3, failed: 0 },
  });
  expect(lines().toSorted()).toEqual(['a.acme.com', 'b.acme.com']);
  expect(await zone.run({ ...work, replace: true })).toMatchObject({
    outcome: `Wrote 3 hostnames from saas.sandbox to ${path}.`,
  });
  expect(lines()).toHaveLength(3);
  expect((await zone.run({ ...work, path: join(zone.world.cwd, 'hosts.csv') })).state).toBe('done');
  expect(readFileSync(join(zone.world.cwd, 'hosts.csv'), 'utf8')).toMatch(/^hostname,method,/);
});

test('saves the first finding of each diagnosed hostname, who must act, and the number of other findings', async () => {
  let isLost = false;
  const zone = await openZone((send) => async (call) => {
    if (isLost && call.path.includes('answer?name=lost.acme.com'))
      throw new Problem('unreachable', 'The line is cut.');
    return send(call);
  });
  const { api } = zone;
  const target = 'customers.saas.sandbox';
  const below = `/zones/${zone.zone.id}`;
  for (const [name, content] of [
    [target, '192.0.2.1'],
    ['origin.saas.sandbox', '192.0.2.2'],
  ])
    await api('POST', `${below}/dns_records`, { type: 'A', name, content, proxied: true });
  await api('PUT', `${below}/custom_hostnames/fallback_origin`, { origin: 'origin.saas.sandbox' });
  const dns = (name: string) => ({ name, type: 'CNAME', contents: [target] });
  await api('PUT', '/sandbox/dns', [dns('good.acme.com'), dns('new.acme.com'), dns('lost.acme.com')]);
  const [good, bad, lost] = await zone.create('good.acme.com', 'bad.acme.com', 'lost.acme.com');
  await api('POST', '/sandbox/clock', { seconds: 3600 });
  const [fresh] = await zone.create('new.acme.com');
  if (!(good && bad && fresh && lost)) throw new Error('created too few');
  isLost = true;
  const task = await zone.run({ does: 'diagnose-hostnames', zone: zone.zone }, marks(good, bad, fresh, lost));
  expect(task).toMatchObject({
    state: 'done',
    outcome: 'Diagnosed 4 hostnames in saas.sandbox: 2 with a fault.',
    failed: { count: 0, first: [] },
  });
  const found = await zone.list.readResults<FoundFault>(task.id);
  expect(found).toMatchObject([
    {
      hostname: 'good.acme.com',
      severity: 'ok',
      who: 'nobody',
      cause: 'no fault found',
      remedy: '',
      more: 0,
    },
    {
      hostname: 'bad.acme.com',
      severity: 'error',
      who: 'customer',
      cause: 'The hostname does not exist in DNS.',
      remedy: 'The customer must create this record.',
      more: 2,
    },
    { hostname: 'new.acme.com', severity: 'progress', who: 'nobody', more: 1 },
    { hostname: 'lost.acme.com', severity: 'warn' },
  ]);
});

test.each([
  ['pending', [], { severity: 'progress', cause: 'not active yet', remedy: 'Wait.' }],
  [
    'undecided',
    [{ fact: 'DNS', reason: 'no answer' }],
    { severity: 'ok', cause: 'not known: DNS: no answer' },
  ],
  ['well', [], { severity: 'ok', cause: 'no fault found', remedy: '' }],
] as const)('saves no urgent finding for a hostname that is %s', (verdict, missing, told) => {
  const fine = {
    id: 'A1',
    severity: 'ok',
    who: 'nobody',
    cause: 'fine',
    evidence: [],
    remedy: { text: '' },
  } as const;
  const diagnosis = { hostname: 'a.acme.com', findings: [fine], missing, verdict, exit: 0 } as const;
  expect(toFoundFault(diagnosis)).toMatchObject({ hostname: 'a.acme.com', who: 'nobody', more: 0, ...told });
});

test('saves findings within a second, so a killed console loses few findings', async () => {
  const clock = { now };
  const gates = new Map(['b', 'c'].map((name) => [name, Promise.withResolvers<void>()]));
  const through =
    (send: Send): Send =>
    async (call) => {
      const [, name = ''] = /answer\?name=(.)\.acme/.exec(call.path) ?? [];
      await gates.get(name)?.promise;
      return send(call);
    };
  const zone = await openZone(
    through,
    patientWorld(() => clock.now),
  );
  const made = await zone.create('a.acme.com', 'b.acme.com', 'c.acme.com');
  const { id } = await zone.start({ does: 'diagnose-hostnames', zone: zone.zone }, marks(...made));
  const names = async () => (await zone.list.readResults<FoundFault>(id)).map(({ hostname }) => hostname);
  await zone.until(id, ({ progress }) => progress?.done === 1);
  await zone.records();
  expect(await names()).toEqual([]);
  clock.now += 1000;
  gates.get('b')?.resolve();
  await eventually(async () => expect(await names()).toContain('a.acme.com'));
  const task = join(zone.world.folders.state, 'tasks', id, 'task.json');
  await eventually(() => expect(JSON.parse(readFileSync(task, 'utf8')).progress?.done).toBe(2));
  gates.get('c')?.resolve();
  await zone.until(id, isEnded);
  expect(await names()).toHaveLength(3);
});

test('resumes a stopped diagnosis with the remaining hostnames, even if a slow hostname was skipped', async () => {
  const asked: string[] = [];
  const gate = Promise.withResolvers<void>();
  const slow = Promise.withResolvers<void>();
  const through =
    (send: Send): Send =>
    async (call) => {
      asked.push(call.path);
      if (call.path.includes('answer?name=b.acme.com')) {
        slow.resolve();
        await gate.promise;
      }
      return send(call);
    };
  const tasks = await openZone(through);
  const { zone } = tasks;
  const names = ['a.acme.com', 'b.acme.com', 'c.acme.com', 'd.acme.com'];
  const marked = marks(...(await tasks.create(...names)));
  const { id } = await tasks.start({ does: 'diagnose-hostnames', zone }, marked);
  await slow.promise;
  await tasks.until(id, ({ progress }) => progress?.done === 3);
  await tasks.list.stop(id);
  gate.resolve();
  expect(await tasks.until(id, isEnded)).toMatchObject({ state: 'stopped' });
  // Another diagnosis in the same zone deletes nothing that the stopped task has saved.
  await tasks.run({ does: 'diagnose-hostnames', zone }, marked.slice(0, 1));
  asked.splice(0);
  await tasks.list.resume(id);
  expect(await tasks.until(id, isEnded)).toMatchObject({
    state: 'done',
    outcome: 'Diagnosed 4 hostnames in saas.sandbox: 4 with a fault.',
  });
  const found = await tasks.list.readResults<{ hostname: string }>(id);
  expect(found.map(({ hostname }) => hostname)).toEqual(names);
  expect(asked.some((path) => path.includes('name=b.acme.com'))).toBe(true);
  for (const name of ['a', 'c', 'd']) expect(asked.join('\n')).not.toContain(`name=${name}.acme.com`);
});

test('lists twenty of the failed steps, and counts all failed steps', async () => {
  const zone = await openZone((send) => async (call) => {
    if (call.method !== 'POST') return send(call);
    const errors = [{ code: 1400, message: 'not today' }];
    const body = Buffer.from(JSON.stringify({ success: false, errors, messages: [], result: null }));
    return { status: 400, headers: { 'content-type': 'application/json' }, body };
  });
  const names = Array.from({ length: 22 }, (_, at) => `h${at}.acme.com`);
  const path = zone.write('wanted.csv', ['hostname', ...names, ''].join('\n'));
  const planning = { does: 'plan-hostnames', zone: zone.zone, path, prune: false } as const;
  const [plan] = await zone.list.readResults<TaskPlan>((await zone.run(planning)).id);
  const work = { does: 'reconcile-hostnames', zone: zone.zone, path, hash: plan?.hash ?? '' } as const;
  const { state, failed } = await zone.run(work);
  expect([state, failed.count, failed.first.length]).toEqual(['partly', 22, 20]);
});

test('diagnoses even if nothing can be saved for another run', async () => {
  const zone = await openZone();
  const made = await zone.create('a.acme.com');
  mkdirSync(zone.world.folders.state, { recursive: true });
  writeFileSync(join(zone.world.folders.state, 'looks'), 'no folder');
  expect(await zone.run({ does: 'diagnose-hostnames', zone: zone.zone }, marks(...made))).toMatchObject({
    state: 'done',
    outcome: 'Diagnosed 1 hostname in saas.sandbox: 1 with a fault.',
  });
});
