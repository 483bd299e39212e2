import { describe, expect, test } from 'vitest';
import type { FleetStep } from '../../../src/model/hostnames/fleet/plan.ts';
import type { CustomHostname } from '../../../src/model/hostnames/hostname.ts';
import { Problem } from '../../../src/model/problem.ts';
import type { Progress } from '../../../src/model/progress.ts';
import { carryOut, type SavedRunKey } from '../../../src/services/hostnames/fleet/carry-out.ts';
import { openCheckpoints } from '../../../src/services/kv/bulk/checkpoints.ts';
import { type Reply, refusal, result, type StubPlatform, stubPlatform } from './platform.ts';

const zone = '/zones/z/custom_hostnames';

function createRecord(hostname: string, digit = 'b'): CustomHostname {
  const ssl = { method: 'http', type: 'dv', status: 'initializing' };
  return { id: digit.repeat(32), hostname, status: 'pending', ssl };
}

const record = createRecord('shop.acme.com');
const { id, hostname } = record;

function create(name: string, method?: 'http' | 'txt'): FleetStep {
  const asked = { hostname: name, ...(method && { method }) };
  return { does: 'create', hostname: name, line: 2, asked, reason: 'new' };
}

const deletion: FleetStep = { does: 'delete', hostname, record: { id }, reason: 'not wanted' };
const refresh: FleetStep = { does: 'refresh', hostname, record, reason: 'stuck' };

/** Runs the steps, and returns each result, the end of the run, and the messages. */
async function run({ session }: StubPlatform, steps: readonly FleetStep[], runKey?: SavedRunKey) {
  const messages: Progress[] = [];
  const warnings: unknown[] = [];
  const reporter = {
    progress: (progress: Progress) => messages.push(progress),
    warn: (...warning: readonly unknown[]) => warnings.push(warning),
  };
  const options = { operation: 'hostname reconcile', zoneId: 'z', steps, rate: 14, reporter, runKey };
  const results = [];
  const taken = carryOut(session, options);
  for (let next = await taken.next(); ; next = await taken.next()) {
    if (next.done === true) return { results, end: next.value, told: messages, warnings };
    results.push(next.value);
  }
}

/** Creates a hostname that someone else creates at the same time, and returns the result. */
async function createBeside(method: 'http' | 'txt') {
  const platform = stubPlatform(({ method: verb, path }) => {
    if (!path.endsWith('/custom_hostnames')) return undefined;
    return verb === 'POST' ? refusal(409, 1406, 'Duplicate custom hostname found.') : result([record]);
  });
  return (await run(platform, [create(hostname, method)])).results[0];
}

test('accepts a hostname that someone created after the plan only if it has the planned attributes', async () => {
  expect(await createBeside('http')).toMatchObject({
    result: 'created',
    record: { hostname: 'shop.acme.com' },
  });
  expect(await createBeside('txt')).toMatchObject({ result: 'failed', problem: { platformCode: 1406 } });
});

test('sends one request per step, and returns the resulting record', async () => {
  const platform = stubPlatform(({ method, path }) => {
    if (method === 'POST') return result({ ...record, hostname: 'new.acme.com' }, undefined, 201);
    if (method === 'PATCH')
      return result({ ...record, custom_origin_server: 'eu.saas.com', status: 'active' });
    return method === 'DELETE' && path === `${zone}/${id}` ? result({ id }) : undefined;
  });
  const asks = { origin: 'eu.saas.com' };
  const change: FleetStep = { does: 'change', hostname, record, asks, differences: [], reason: 'other' };
  const leave: FleetStep = { does: 'leave', hostname, record: { id }, reason: 'as wanted' };
  const steps = [change, refresh, create('new.acme.com'), deletion, leave];
  const { results, end, told: messages } = await run(platform, steps);
  expect(results.map((one) => ({ ...one, step: steps.indexOf(one.step) }))).toStrictEqual([
    { step: 0, result: 'changed', record: expect.objectContaining({ id, status: 'active' }) },
    { step: 1, result: 'refreshed', record: expect.objectContaining({ id, status: 'active' }) },
    { step: 2, result: 'created', record: expect.objectContaining({ id, hostname: 'new.acme.com' }) },
    { step: 3, result: 'deleted' },
    { step: 4, result: 'left' },
  ]);
  expect(platform.calls).toEqual([
    `PATCH ${zone}/${id}`,
    `PATCH ${zone}/${id}`,
    `POST ${zone}`,
    `DELETE ${zone}/${id}`,
  ]);
  expect(platform.bodies).toEqual([
    { custom_origin_server: 'eu.saas.com' },
    { ssl: { method: 'http', type: 'dv' } },
    { hostname: 'new.acme.com', ssl: { method: 'http', type: 'dv' } },
  ]);
  expect(end).toEqual({ earlier: 0, counts: { changed: 1, refreshed: 1, created: 1, deleted: 1, left: 1 } });
  expect(messages.map(({ phase, done, total }) => `${phase} ${done}/${total}`)).toEqual(
    steps.map((_, at) => `changing ${at}/5`),
  );
});

test('counts a deleted hostname as deleted and a refused hostname as failed, and completes all other steps', async () => {
  const gone = stubPlatform(() => undefined);
  expect((await run(gone, [deletion])).results).toEqual([{ step: deletion, result: 'deleted' }]);
  const held = stubPlatform(({ method }) =>
    method === 'DELETE' ? refusal(409, 1000, 'Hostname is in use.') : result(record),
  );
  const { results, end } = await run(held, [deletion, refresh]);
  expect(results).toMatchObject([
    { result: 'failed', problem: { platformCode: 1000 } },
    { result: 'refreshed' },
  ]);
  expect(results[0]).not.toHaveProperty('record');
  expect(end.stopped).toBeUndefined();
  expect(end.counts).toEqual({ failed: 1, refreshed: 1 });
});

test('ends the run before the next step after a failure that would affect the other steps', async () => {
  const platform = stubPlatform(() => refusal(403, 10000, 'Authentication error'));
  const { results, end } = await run(platform, [deletion, refresh]);
  expect(results).toEqual([]);
  expect(end).toMatchObject({ counts: {}, stopped: { code: 'not-permitted' } });
  expect(platform.calls).toHaveLength(1);
});

describe('a create request whose answer is lost', () => {
  const lost = () => new Problem('unreachable', 'The connection was closed.');

  async function creation(find: () => Reply) {
    const platform = stubPlatform(({ method }) => {
      if (method === 'POST') throw lost();
      return find();
    });
    return { ...(await run(platform, [create(hostname), refresh])), calls: platform.calls };
  }

  test('counts as done if the hostname has the planned attributes', async () => {
    const { results } = await creation(() => result([record]));
    expect(results[0]).toMatchObject({ result: 'created', record: { id } });
  });

  test.each<[string, () => Reply]>([
    ['does not exist', () => result([])],
    [
      'cannot be requested',
      () => {
        throw new Problem('unavailable', 'Out of order.');
      },
    ],
  ])('ends the run with its own failure if the hostname %s', async (_what, find) => {
    const { results, end } = await creation(find);
    expect(results).toEqual([]);
    expect(end.stopped).toMatchObject({ code: 'unreachable', message: lost().message });
  });

  test('checks the hostname only after a lost answer, not after a refusal', async () => {
    const platform = stubPlatform(({ method }) =>
      method === 'POST' ? refusal(409, 1405, 'Quota exceeded.') : result([record]),
    );
    const { results } = await run(platform, [create(hostname)]);
    expect(results).toMatchObject([{ result: 'failed', problem: { platformCode: 1405 } }]);
    expect(platform.calls).toEqual([`POST ${zone}`]);
  });
});

test('waits for the issuance limit, reports the wait and counts it as a retry', async () => {
  let posts = 0;
  const platform = stubPlatform(({ method }) => {
    if (method !== 'POST') return result({ id });
    posts += 1;
    return posts === 1 ? refusal(429, 1015, 'Rate limited.') : result(record, undefined, 201);
  });
  const { results, told: messages, warnings } = await run(platform, [create(hostname), deletion]);
  expect(results.map((one) => one.result)).toEqual(['created', 'deleted']);
  expect(warnings).toEqual([[expect.stringContaining('waiting 30 seconds'), { seconds: 30 }]]);
  expect(messages.map(({ retries }) => retries)).toEqual([0, 1]);
});

describe('a run from a file', () => {
  const names = ['a.acme.com', 'b.acme.com', 'c.acme.com'];
  const steps = names.map((name, at): FleetStep => {
    return { does: 'delete', hostname: name, record: { id: String(at).repeat(32) }, reason: 'named' };
  });
  // `places` contains the position of each step in the file, because the other lines of the file require no action.
  const runKey: SavedRunKey = {
    fingerprint: 'f'.repeat(64),
    path: '/work/names.csv',
    resume: false,
    resumeArguments: ['hostname', 'delete', '--resume'],
    places: [0, 4, 9],
  };

  function failingOn(place: number) {
    let broken = true;
    const platform = stubPlatform(({ path }) => {
      const [digit = ''] = path.split('/').at(-1) ?? '';
      if (broken && digit === String(place)) throw new Problem('unreachable', 'The connection was closed.');
      return result({ id: digit.repeat(32) });
    });
    return { platform, repair: () => (broken = false) };
  }

  const hostnamesOf = ({ results }: Awaited<ReturnType<typeof run>>) =>
    results.map(({ step }) => step.hostname);

  test('resumes with --resume by the position of each step in the file, and starts over without --resume', async () => {
    const { platform, repair } = failingOn(1);
    const first = await run(platform, steps, runKey);
    expect(hostnamesOf(first)).toEqual(['a.acme.com']);
    expect(first.end.stopped).toMatchObject({ code: 'unreachable' });
    repair();
    // The new plan may omit completed steps, because the position in the file identifies each step.
    const second = await run(platform, steps, { ...runKey, resume: true });
    expect(hostnamesOf(second)).toEqual(['b.acme.com', 'c.acme.com']);
    expect(second.end).toEqual({ earlier: 1, counts: { deleted: 2 } });
    expect((await run(platform, steps, { ...runKey, resume: true })).results).toHaveLength(3);
  });

  test('is a separate run with another file, or with other positions in the file', async () => {
    const { platform, repair } = failingOn(1);
    await run(platform, steps, runKey);
    repair();
    const moved = { ...runKey, resume: true, places: [1, 2, 3] };
    expect(hostnamesOf(await run(platform, steps, moved))).toHaveLength(3);
    await run(platform, steps, runKey);
    const other = { ...runKey, resume: true, fingerprint: 'e'.repeat(64) };
    expect(hostnamesOf(await run(platform, steps, other))).toHaveLength(3);
  });

  test('saves nothing without a file: a second run repeats all steps', async () => {
    const { platform, repair } = failingOn(1);
    await run(platform, steps);
    repair();
    expect(hostnamesOf(await run(platform, steps))).toHaveLength(3);
  });

  test('saves a checkpoint with the file and the arguments to resume', async () => {
    const { platform } = failingOn(2);
    await run(platform, steps, runKey);
    const found = await openCheckpoints(platform.session.world).list();
    expect(found).toMatchObject([
      {
        operation: 'hostname reconcile',
        path: '/work/names.csv',
        confirmed: [
          [0, 1],
          [4, 5],
        ],
        resume: runKey.resumeArguments,
      },
    ]);
  });
});
