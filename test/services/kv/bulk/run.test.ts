import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { Problem } from '../../../../src/model/problem.ts';
import type { Progress } from '../../../../src/model/progress.ts';
import { type BulkJob, type BulkOptions, openBulkJob } from '../../../../src/services/kv/bulk/bulk.ts';
import { openCheckpoints } from '../../../../src/services/kv/bulk/checkpoints.ts';
import { InFlight } from '../../../../src/services/kv/bulk/in-flight.ts';
import { type BulkInput, openBulkInput } from '../../../../src/services/kv/bulk/input.ts';
import type { Session } from '../../../../src/services/session/session.ts';
import type { Call } from '../../../../src/v4/send.ts';
import type { World } from '../../../../src/world.ts';
import { result, stubPlatform } from '../../hostnames/platform.ts';

/** One bulk request: its route, its keys, and the length of its body. */
interface Sent {
  readonly route: string;
  readonly keys: readonly string[];
  readonly length: number;
}

type Answer = (sent: Sent, call: Call) => unknown;

const MiB = 1024 ** 2;

/** Creates a platform whose answers come from the test; by default it accepts all entries. */
function platform(world: Partial<World> = {}, more: Partial<Session> = {}) {
  const sent: Sent[] = [];
  const warned: unknown[] = [];
  const progress: Progress[] = [];
  let answer: Answer = () => null;
  const stub = stubPlatform(() => undefined).session;
  const session: Session = {
    ...stub,
    world: { ...stub.world, ...world },
    bulkBytes: 100 * MiB,
    async send(call) {
      const body = call.body as Uint8Array;
      const entries: (string | { key: string })[] = JSON.parse(Buffer.from(body).toString());
      const keys = entries.map((entry) => (typeof entry === 'string' ? entry : entry.key));
      const one = {
        route: `${call.method} ${call.path.split('/').slice(-2).join('/')}`,
        keys,
        length: body.length,
      };
      sent.push(one);
      const answered = result(await answer(one, call));
      return { status: 200, headers: {}, body: Buffer.from(JSON.stringify(answered?.json)) };
    },
    ...more,
  };
  const reporter = {
    progress: (one: Progress) => progress.push(one),
    warn: (words: unknown) => warned.push(words),
  };
  const open = async (input: BulkInput, options: Partial<BulkOptions> = {}): Promise<BulkJob> =>
    openBulkJob(session, 'ns', input, {
      operation: 'bulk put',
      anyKey: false,
      skipInvalid: false,
      batchSize: 10,
      resume: false,
      resumeArguments: ['kv', 'bulk', 'put', 'in'],
      reporter,
      ...options,
    });
  return {
    session,
    sent,
    warned,
    progress,
    open,
    path: join(session.world.cwd, 'in'),
    answering(next: Answer) {
      answer = next;
    },
    write: (content: string) => writeFileSync(join(session.world.cwd, 'in'), content),
    /** Runs a bulk command with a file of this content. `between` is called after the check, and before anything is sent. */
    async run(content: string, options: Partial<BulkOptions> = {}, between: () => unknown = () => undefined) {
      if (content !== '') writeFileSync(join(session.world.cwd, 'in'), content);
      const input = await openBulkInput(session.world, 'in');
      try {
        const job = await open(input, options);
        await between();
        return { job, report: await job.run() };
      } finally {
        await input.close();
      }
    },
    checkpoints: () => openCheckpoints(session.world).list(),
  };
}

const lines = (...entries: readonly unknown[]) => entries.map((entry) => JSON.stringify(entry)).join('\n');
const numbered = (count: number, value = '') =>
  lines(...Array.from({ length: count }, (_, index) => ({ key: `k${index}`, value })));

// The platform rejects a request if one of its entries expires in less than 60 seconds.
test('skips and names entries that will expire within seconds', async () => {
  let now = Date.UTC(2026, 10, 21, 10);
  const seconds = now / 1000;
  const { run, sent, checkpoints } = platform({ now: () => now });
  const far = { key: 'far', value: '1', expiration: seconds + 122 };
  const near = { key: 'near', value: '2', expiration: seconds + 121 };
  const { report } = await run(lines(far, near, { key: 'forever', value: '3' }), {}, () => {
    now += 60_000;
  });
  expect(sent.map(({ keys }) => keys)).toEqual([['far', 'forever']]);
  expect(report).toMatchObject({ entries: 3, taken: 2, expired: { count: 1, first: ['near'] } });
  expect([report.stopped, report.failed.count]).toEqual([undefined, 0]);
  // A request whose entries have all expired is not sent, and counts as done.
  now -= 60_000;
  const { report: none } = await run(lines(near), {}, () => {
    now += 60_000;
  });
  expect([sent.length, none.taken, none.expired.first, none.stopped]).toEqual([1, 0, ['near'], undefined]);
  expect(await checkpoints()).toEqual([]);
});

test('waits half a minute after Ctrl-C for requests in flight, then aborts them', async () => {
  const control = new AbortController();
  const slept: number[] = [];
  const sleep = async (milliseconds: number) => {
    slept.push(milliseconds);
  };
  const { run, answering, warned, sent } = platform({ interrupted: control.signal, sleep });
  answering(async (_, { signal }) => {
    if (sent.length === 4) control.abort();
    if (!signal?.aborted) await new Promise((resolve) => signal?.addEventListener('abort', resolve));
    throw new Error('ended');
  });
  const { report } = await run(numbered(60));
  expect(report.stopped).toMatchObject({ code: 'interrupted', message: 'Interrupted.' });
  expect({ slept, taken: report.taken, requests: sent.length }).toEqual({
    slept: [30_000],
    taken: 0,
    requests: 4,
  });
  expect(warned).toEqual([{ kind: 'stopping' }]);
});

test('counts the requests that complete in time after Ctrl-C, and does not wait for other requests', async () => {
  const control = new AbortController();
  const waits: (AbortSignal | undefined)[] = [];
  const sleep = (_: number, signal?: AbortSignal) => {
    waits.push(signal);
    return new Promise<void>((_resolve, reject) =>
      signal?.addEventListener('abort', () => reject(signal.reason)),
    );
  };
  const { run, answering, warned, checkpoints } = platform({ interrupted: control.signal, sleep });
  answering(() => control.abort());
  const { report } = await run(numbered(60));
  expect(report.taken).toBeGreaterThan(0);
  expect(report.taken).toBeLessThan(60);
  expect(report.stopped?.code).toBe('interrupted');
  expect(waits.map((signal) => signal?.aborted)).toEqual([true]);
  expect(warned).toHaveLength(1);
  const [saved] = await checkpoints();
  expect(saved?.confirmed).toEqual([[0, report.taken]]);
});

test('ignores Ctrl-C after the end of the run', async () => {
  const control = new AbortController();
  const { run, warned } = platform({ interrupted: control.signal });
  expect((await run(numbered(3))).report).toMatchObject({ taken: 3 });
  control.abort();
  expect(warned).toEqual([]);
});

test('resends keys that the platform did not accept after increasingly long waits, and finally names the keys', async () => {
  const slept: number[] = [];
  let retries = 5;
  const { run, answering, progress, sent, checkpoints } = platform(
    {
      sleep: async (milliseconds) => {
        slept.push(milliseconds);
      },
    },
    { retries: () => retries },
  );
  answering(({ keys }) => {
    retries += 1;
    return keys.includes('k1') ? { successful_key_count: keys.length - 1, unsuccessful_keys: ['k1'] } : null;
  });
  const { report } = await run(numbered(12));
  expect(slept).toEqual([500, 1000, 2000]);
  expect(sent.map(({ keys }) => keys.length).sort()).toEqual([1, 1, 1, 10, 2]);
  expect(report).toMatchObject({ taken: 11, failed: { count: 1, first: ['k1'] } });
  expect(report.stopped).toBeUndefined();
  // The count includes retries of the connection during this run, but no earlier retries.
  expect(progress.at(-1)).toEqual({
    phase: 'writing',
    unit: 'entries',
    done: 2,
    total: 12,
    retries: 3 + 5,
    failed: 1,
  });
  expect(progress.some(({ retries: some, done }) => some === 0 && done === 0)).toBe(true);
  expect((await checkpoints())[0]?.confirmed).toEqual([[10, 12]]);
});

test('does not resend keys after Ctrl-C that the platform did not accept', async () => {
  const control = new AbortController();
  const { run, answering, sent } = platform({ interrupted: control.signal });
  answering(() => {
    control.abort();
    return { unsuccessful_keys: ['k1'] };
  });
  const { report } = await run(numbered(3));
  expect(sent).toHaveLength(1);
  expect(report).toMatchObject({ taken: 2, failed: { count: 1, first: ['k1'] } });
});

test('resends keys of a delete that the platform did not accept unchanged', async () => {
  const { run, answering, sent, progress } = platform();
  const repeatable: boolean[] = [];
  answering((_, call) => {
    repeatable.push(call.repeatable);
    return sent.length === 1 ? { unsuccessful_keys: ['a', 'c'] } : null;
  });
  const { report } = await run('["a", "b", "c", "b"]', { operation: 'bulk delete' });
  // An interrupted request may be sent again, because it specifies the final state.
  expect(repeatable).toEqual([true, true]);
  expect(sent).toMatchObject([
    { route: 'POST bulk/delete', keys: ['a', 'c', 'b'] },
    { route: 'POST bulk/delete', keys: ['a', 'c'] },
  ]);
  expect(report).toMatchObject({ entries: 4, taken: 3, repeated: { count: 1, first: ['b'] } });
  expect(progress.at(-1)).toMatchObject({ phase: 'deleting', done: 4, total: 4 });
});

test.each([
  ['more keys than were sent', { successful_key_count: 4 }],
  ['fewer keys, and lists no failed key', { successful_key_count: 2 }],
  ['fewer keys than those that it does not list', { successful_key_count: 1, unsuccessful_keys: ['k0'] }],
  ['keys that were not sent', { unsuccessful_keys: ['other'] }],
])('does not trust an answer that counts %s', async (_, answer) => {
  const { run, answering, checkpoints } = platform();
  answering(() => answer);
  const { report } = await run(numbered(3));
  expect(report).toMatchObject({
    taken: 0,
    stopped: { code: 'refused', hint: expect.stringContaining('Sending them again is safe') },
  });
  expect(await checkpoints()).toEqual([]);
});

test('accepts an answer whose count includes or excludes the keys that it lists as unaccepted', async () => {
  for (const successful_key_count of [2, 3]) {
    const { run, answering, sent } = platform();
    answering(() => (sent.length === 1 ? { successful_key_count, unsuccessful_keys: ['k0'] } : null));
    expect((await run(numbered(3))).report).toMatchObject({ taken: 3, failed: { count: 0 } });
  }
});

/** Fails the request with the key k10, after all other requests have been answered. */
function cutting(): Answer {
  const { promise, resolve } = Promise.withResolvers<void>();
  return async ({ keys }) => {
    if (keys.includes('k20')) resolve();
    if (!keys.includes('k10')) return null;
    await promise;
    throw new Problem('unreachable', 'cut');
  };
}

test('saves the confirmed entries of an interrupted run, and continues with the remaining entries', async () => {
  const now = Date.UTC(2026, 10, 21, 10);
  const { run, answering, sent, checkpoints, path } = platform({ now: () => now });
  answering(cutting());
  const first = await run(numbered(25));
  expect(first.report).toMatchObject({ taken: 15, earlier: 0, stopped: { message: 'cut' } });
  expect(await checkpoints()).toEqual([
    {
      version: 1,
      operation: 'bulk put',
      target: expect.any(String),
      input: expect.stringMatching(/^[0-9a-f]{64}$/),
      path,
      entries: 25,
      confirmed: [
        [0, 10],
        [20, 25],
      ],
      updated: now,
      resume: ['kv', 'bulk', 'put', 'in'],
    },
  ]);
  answering(() => null);
  sent.splice(0);
  const { job, report } = await run('', { resume: true });
  expect([job.earlier, job.entries, sent.map(({ keys }) => keys)]).toEqual([
    15,
    25,
    [Array.from({ length: 10 }, (_, index) => `k${10 + index}`)],
  ]);
  expect(report).toMatchObject({ entries: 25, earlier: 15, taken: 10, repeated: { count: 0 } });
  expect(await checkpoints()).toEqual([]);
});

test('saves nothing for a run that needs only one request or cannot be resumed', async () => {
  const { run, answering, session } = platform();
  await run(numbered(10));
  answering(cutting());
  expect((await run(numbered(25), { resumeArguments: undefined })).report.taken).toBe(15);
  expect(existsSync(join(session.world.folders.state, 'checkpoints'))).toBe(false);
});

test('reports that a run starts over, and drops the earlier progress of the file', async () => {
  const { run, answering, checkpoints, warned } = platform();
  answering(cutting());
  await run(numbered(25));
  answering(cutting());
  await run(numbered(24));
  expect(warned).toEqual([]);
  const [saved, ...others] = await checkpoints();
  expect([saved?.entries, others]).toEqual([24, []]);
  answering(() => null);
  expect((await run(numbered(24))).report).toMatchObject({ taken: 24, earlier: 0 });
  expect(warned).toEqual([{ kind: 'earlier-run' }]);
  expect(await checkpoints()).toEqual([]);
});

test('resumes only with the same input, operation and namespace', async () => {
  const { run, answering, sent, checkpoints } = platform();
  answering(cutting());
  await run(numbered(25));
  answering(() => null);
  sent.splice(0);
  await expect(run(numbered(24), { resume: true })).rejects.toMatchObject({
    code: 'invalid-input',
    message: 'in has changed since its run was interrupted; resuming would mix two inputs.',
    remedy: { kind: 'start-anew' },
  });
  expect([sent, (await checkpoints()).length]).toEqual([[], 1]);
  const { report } = await run('["k1"]', { operation: 'bulk delete', resume: true });
  expect(report).toMatchObject({ taken: 1, earlier: 0 });
});

test('does not check completed entries again, which may have expired', async () => {
  let now = Date.UTC(2026, 10, 21, 10);
  const { run, answering, sent } = platform({ now: () => now });
  const soon = { key: 'soon', value: '', expiration: now / 1000 + 100 };
  const content = lines(soon, { key: 'k1', value: '' });
  answering(({ keys }) => {
    if (keys.includes('k1')) throw new Error('cut');
    return null;
  });
  expect((await run(content, { batchSize: 1 })).report.taken).toBe(1);
  now += 1000_000;
  answering(() => null);
  expect((await run('', { batchSize: 1, resume: true })).report).toMatchObject({
    earlier: 1,
    taken: 1,
    invalid: 0,
  });
  expect(sent.at(-1)?.keys).toEqual(['k1']);
  // The file was invalid from the beginning.
  await expect(run('')).rejects.toMatchObject({ code: 'invalid-input', remedy: { kind: 'skip-wrong' } });
});

test('skips, counts and names invalid entries if requested', async () => {
  const { run, sent, warned } = platform();
  const wrong = { key: 'b', value: 7 };
  const content = lines({ key: 'a', value: '' }, wrong, { key: 'c', value: '' });
  const { report } = await run(content, { skipInvalid: true });
  expect(report).toMatchObject({ entries: 3, taken: 2, invalid: 1 });
  expect(report.stopped).toBeUndefined();
  expect([sent.map(({ keys }) => keys), warned]).toEqual([[['a', 'c']], [expect.stringContaining('"b"')]]);
  await expect(run(content)).rejects.toMatchObject({
    message: '1 of 3 entries in in is invalid; nothing was sent.',
    wrong: [{ index: 1, key: 'b' }],
  });
  expect(sent).toHaveLength(1);
});

test('ends the run if the file is changed after its check', async () => {
  const { run, sent, path, write } = platform();
  const time = new Date(1_700_000_000_000);
  const changing = (before: string, after: string) => {
    write(before);
    utimesSync(path, time, time);
    return run('', {}, () => {
      write(after);
      utimesSync(path, time, time);
    });
  };
  const longer = await changing(numbered(3), numbered(4));
  expect(longer.report.stopped).toMatchObject({
    code: 'invalid-input',
    message: 'in changed while it was being read.',
    hint: expect.stringContaining('again'),
  });
  // The file has the same length and modification time as before.
  const wrong = await changing('{"key":"a","value":"1"}', '{"key":"a","value":111}');
  expect(wrong.report).toMatchObject({
    taken: 0,
    stopped: {
      code: 'invalid-input',
      message: 'in changed while it was being read.',
      hint: expect.stringContaining('again'),
    },
  });
  expect(sent.filter(({ keys }) => keys.includes('a'))).toEqual([]);
});

test('sends as many entries per request as allowed, and fewer entries if they are long', async () => {
  const lengths = async (count: number, value: string, bulkBytes: number, batchSize = 10_000) => {
    const { run, sent } = platform({}, { bulkBytes });
    expect((await run(numbered(count, value), { batchSize })).report.taken).toBe(count);
    return sent.map(({ keys, length }) => ({ count: keys.length, isWithin: length <= bulkBytes, length }));
  };
  expect(await lengths(25, '', 100 * MiB, 10)).toMatchObject([{ count: 10 }, { count: 10 }, { count: 5 }]);
  // A full request fits into the limit.
  expect(await lengths(6000, 'x'.repeat(900), 100 * MiB)).toHaveLength(1);
  // A full request exceeds the limit, so four megabytes are sent per request.
  const many = await lengths(5000, 'x'.repeat(1000), 8 * MiB);
  expect(many).toHaveLength(2);
  expect(many[0]?.length).toBeGreaterThan(3.9 * MiB);
  expect(many[0]?.length).toBeLessThanOrEqual(4 * MiB);
  for (const { isWithin } of await lengths(50, 'x'.repeat(1000), 10_000)) expect(isWithin).toBe(true);
});

test('limits parallel work by count and by bytes, but always runs at least one piece', async () => {
  const flight = new InFlight(3, 100);
  const ends: (() => void)[] = [];
  const start = (bytes: number) =>
    flight.start(
      bytes,
      () =>
        new Promise((resolve) => {
          ends.push(resolve);
        }),
    );
  const hasRoom = async (bytes: number) => {
    let isThere = false;
    const asked = flight.room(bytes).then(() => {
      isThere = true;
    });
    await setImmediate();
    return { isThere, asked };
  };
  expect(await hasRoom(1000)).toMatchObject({ isThere: true });
  start(60);
  expect(await hasRoom(40)).toMatchObject({ isThere: true });
  const long = await hasRoom(41);
  expect(long.isThere).toBe(false);
  start(20);
  start(20);
  const fourth = await hasRoom(0);
  expect(fourth.isThere).toBe(false);
  ends[0]?.();
  await Promise.all([long.asked, fourth.asked]);
  for (const end of ends) end();
  await flight.finish();
  expect(await hasRoom(1000)).toMatchObject({ isThere: true });
});

test('reports the first failure of parallel work, and completes the other work', async () => {
  const flight = new InFlight(2, 100);
  let ended = false;
  flight.start(1, async () => {
    throw new Error('first');
  });
  flight.start(1, async () => {
    await setImmediate();
    ended = true;
    throw new Error('second');
  });
  await flight.settle();
  expect(ended).toBe(true);
  await expect(flight.room(0)).rejects.toThrow('first');
  await expect(flight.finish()).rejects.toThrow('first');
});

const note = {
  version: 1,
  operation: 'bulk put',
  target: 't',
  input: 'a',
  confirmed: [],
  updated: 5,
  resume: [],
} as const;

test('lists checkpoints of interrupted runs newest first, and finds them by their key', async () => {
  const { session } = platform();
  const checkpoints = openCheckpoints(session.world);
  expect([await checkpoints.list(), await checkpoints.find(note)]).toEqual([[], undefined]);
  const all = [note, { ...note, input: 'b', updated: 7 }, { ...note, target: 'u', updated: 6 }];
  for (const one of all) await checkpoints.write(one);
  const folder = join(session.world.folders.state, 'checkpoints');
  writeFileSync(join(folder, 'half.json'), '{"version":1');
  writeFileSync(join(folder, 'other.txt'), JSON.stringify(note));
  expect(await checkpoints.list()).toEqual([all[1], all[2], all[0]]);
  expect(await checkpoints.find({ ...note, target: 'u' })).toEqual(all[2]);
  expect(await checkpoints.find({ ...note, operation: 'bulk delete' })).toBeUndefined();
  await checkpoints.remove(note);
  await checkpoints.remove(note);
  expect(await checkpoints.list()).toEqual([all[1], all[2]]);
});

test('removes checkpoints for other contents of the same file, and checkpoints that did not change for a month', async () => {
  const day = 24 * 60 * 60 * 1000;
  const now = Date.UTC(2026, 10, 21, 10);
  const { session } = platform({ now: () => now });
  const checkpoints = openCheckpoints(session.world);
  await checkpoints.removeStale(note, '/in');
  const own = { ...note, path: '/in', updated: now };
  const others = {
    'of another content': { ...own, input: 'b' },
    'of another file': { ...own, input: 'c', path: '/other' },
    'of another operation': { ...own, input: 'd', operation: 'bulk delete' },
    'of another namespace': { ...own, input: 'e', target: 'u' },
    'of 29 days': { ...note, input: 'f', updated: now - 29 * day },
    'of 30 days': { ...note, input: 'h', updated: now - 30 * day },
    'of 31 days': { ...note, input: 'g', updated: now - 31 * day },
  };
  for (const one of [own, ...Object.values(others)]) await checkpoints.write(one);
  const folder = join(session.world.folders.state, 'checkpoints');
  for (const days of [29, 31]) {
    writeFileSync(join(folder, `${days}`), 'of a later version');
    utimesSync(join(folder, `${days}`), (now - days * day) / 1000, (now - days * day) / 1000);
  }
  await checkpoints.removeStale(own, '/in');
  const left = (await checkpoints.list()).map(({ input }) => input).sort();
  expect(left).toEqual(['a', 'c', 'd', 'e', 'f', 'h']);
  expect(readdirSync(folder).filter((name) => !name.endsWith('.json'))).toEqual(['29']);
});

test('ends the run with the reason if no checkpoint can be written', async () => {
  const { run, session, answering } = platform();
  answering(cutting());
  await run(numbered(25));
  const folder = join(session.world.folders.state, 'checkpoints');
  const [name = ''] = readdirSync(folder);
  answering(() => {
    mkdirSync(join(folder, name, 'in its place'), { recursive: true });
    return null;
  });
  expect((await run(numbered(25))).report.stopped).toMatchObject({
    code: 'store-invalid',
    message: expect.stringMatching(/^Cannot save the progress: .+\.$/),
  });
});
