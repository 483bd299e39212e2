import { appendFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import type { Progress } from '../../../../src/model/progress.ts';
import { openBulkJob } from '../../../../src/services/kv/bulk/bulk.ts';
import { collectKeys } from '../../../../src/services/kv/bulk/clear.ts';
import { describeFault, FaultList, readEntries } from '../../../../src/services/kv/bulk/entries.ts';
import { getBulk } from '../../../../src/services/kv/bulk/get.ts';
import { type BulkInput, openBulkInput, openSpooledInput } from '../../../../src/services/kv/bulk/input.ts';
import { readItemValues, readValues, type ValueSource } from '../../../../src/services/kv/bulk/values.ts';
import type { Session } from '../../../../src/services/session/session.ts';
import type { Answer, Call } from '../../../../src/v4/send.ts';
import { testWorld } from '../../../support/world.ts';
import { refusal, result, stubPlatform } from '../../hostnames/platform.ts';

interface Stored {
  readonly value: string | Buffer;
  readonly metadata?: unknown;
  readonly expiration?: number;
}

const MiB = 1024 ** 2;

/** Creates a namespace in memory that records its requests. `answer` can replace the answers. */
function namespace(
  stored: Readonly<Record<string, Stored>> = {},
  answer: (call: Call, keys: readonly string[]) => Promise<object | undefined> | object | undefined = () =>
    undefined,
  more: Partial<Session> = {},
) {
  const asked: string[] = [];
  const groups: (readonly string[])[] = [];
  const held = new Map(Object.entries(stored));
  const json = (reply: ReturnType<typeof result>): Answer => ({
    status: reply?.status ?? 0,
    headers: {},
    body: Buffer.from(JSON.stringify(reply?.json)),
  });
  const session: Session = {
    ...stubPlatform(() => undefined).session,
    bulkBytes: 100 * MiB,
    async send(call) {
      const path = call.path.replace(/^.*namespaces\/ns\//, '');
      asked.push(`${call.method} ${path}`);
      const { keys = [], withMetadata } =
        call.body === undefined ? {} : JSON.parse(Buffer.from(call.body as Uint8Array).toString());
      if (path === 'bulk/get') groups.push(keys);
      const other = await answer(call, keys);
      if (other !== undefined) return json(other as ReturnType<typeof result>);
      if (path.startsWith('values/')) {
        const one = held.get(decodeURIComponent(path.slice(7)));
        if (one === undefined) return json(refusal(404, 10009, 'key not found'));
        return { status: 200, headers: {}, body: Buffer.from(one.value) };
      }
      if (path.startsWith('keys')) {
        const prefix = new URLSearchParams(path.split('?')[1]).get('prefix') ?? '';
        const names = [...held.keys()].filter((key) => key.startsWith(prefix)).sort();
        return json(result(names.map((name) => ({ name, ...held.get(name), value: undefined }))));
      }
      const values: Record<string, unknown> = Object.create(null);
      for (const key of keys) {
        const one = held.get(key);
        const text = one === undefined ? null : one.value.toString();
        const full = { value: text, metadata: one?.metadata ?? null, expiration: one?.expiration };
        Object.defineProperty(values, key, {
          value: withMetadata && one !== undefined ? full : text,
          enumerable: true,
        });
      }
      return json(result({ values }));
    },
    ...more,
  };
  const source: ValueSource = { session, namespaceId: 'ns' };
  return { session, source, asked, groups };
}

const tooLong = refusal(413, 10_000, 'too large');
const lost = refusal(410, 10_000, 'the value is lost');
const quiet = { progress: () => undefined, warn: () => undefined };

async function* pages<T>(...all: readonly (readonly T[])[]): AsyncGenerator<readonly T[]> {
  yield* all;
}

async function collected<T>(parts: AsyncIterable<readonly T[]>): Promise<T[]> {
  const all: T[] = [];
  for await (const part of parts) all.push(...part);
  return all;
}

const numbers = (count: number) => Array.from({ length: count }, (_, index) => `k${index}`);

// The provider returns the values of up to 100 keys in one answer.
test('requests the values of up to a hundred keys at a time, and returns them in order', async () => {
  const keys = numbers(500);
  let running = 0;
  let maximum = 0;
  const { source, groups } = namespace(
    Object.fromEntries(keys.map((key) => [key, { value: `v ${key}` }])),
    async () => {
      running += 1;
      maximum = Math.max(maximum, running);
      await setImmediate();
      running -= 1;
      return undefined;
    },
  );
  const found = await collected(
    readItemValues(source, pages(keys.slice(0, 300), keys.slice(300)), (key) => key),
  );
  expect(found).toEqual(keys.map((key) => ({ item: key, value: { value: `v ${key}` } })));
  expect(groups[0]).toHaveLength(16);
  expect(Math.max(...groups.map(({ length }) => length))).toBe(100);
  expect(groups.flat()).toHaveLength(500);
  expect(maximum).toBe(4);
});

test('requests fewer keys at a time if values are long, and sends fewer requests in parallel', async () => {
  const keys = numbers(20);
  const of = async (length: number, bulkBytes: number) => {
    const stored = Object.fromEntries(keys.map((key) => [key, { value: 'x'.repeat(length) }]));
    let running = 0;
    const maximum: number[] = [];
    const { source, groups } = namespace(
      stored,
      async () => {
        running += 1;
        maximum.push(running);
        await setImmediate();
        running -= 1;
        return undefined;
      },
      { bulkBytes },
    );
    const items = (async function* () {
      // The pages contain one key each until the length of values is known.
      yield keys.slice(0, 1);
      yield keys.slice(1, 2);
      yield keys.slice(2, 3);
      yield keys.slice(3, 4);
      yield keys.slice(4);
    })();
    const found = await collected(readItemValues(source, items, (key) => key));
    expect(found.map(({ item }) => item)).toEqual(keys);
    return { last: groups.at(-2)?.length, together: Math.max(...maximum.slice(5)) };
  };
  // Pages have the size that the backend prefers, but not more than a megabyte.
  expect(await of(1000, 10_000)).toEqual({ last: 9, together: 4 });
  expect(await of(350_000, 100 * MiB)).toEqual({ last: 2, together: 2 });
});

test('passes entries without a name through, and returns no value for missing keys', async () => {
  const { source, groups } = namespace({ a: { value: '1' } });
  const items = [{ name: 'a' }, {}, { name: 'none' }];
  const found = await collected(
    readItemValues(source, pages<{ name?: string }>(items, [{}]), ({ name }) => name),
  );
  expect(found.map(({ value }) => value?.value)).toEqual(['1', undefined, undefined, undefined]);
  expect(groups).toEqual([['a', 'none']]);
});

test('returns values with their metadata and expiry if requested', async () => {
  const stored = {
    plain: { value: '1' },
    full: { value: '2', metadata: { n: 1 }, expiration: 4_102_444_800 },
    zero: { value: '', metadata: 0 },
  };
  const { source } = namespace(stored);
  const keys = [...Object.keys(stored), 'none', 'toString'];
  expect(Object.fromEntries(await readValues({ ...source, withMetadata: true }, keys))).toEqual(stored);
  const without = Object.fromEntries(await readValues(source, keys));
  expect(without).toEqual({ plain: { value: '1' }, full: { value: '2' }, zero: { value: '' } });
});

test('returns binary values as base64, and a value with the replacement character unchanged', async () => {
  const bytes = Buffer.from([0xff, 0x00, 0x41]);
  const { source, asked } = namespace({
    bytes: { value: bytes, metadata: { n: 1 } },
    mark: { value: 'a\ufffdb' },
    text: { value: 'ä' },
  });
  const found = await readValues({ ...source, withMetadata: true }, ['bytes', 'mark', 'text']);
  expect(Object.fromEntries(found)).toEqual({
    bytes: { value: bytes.toString('base64'), base64: true, metadata: { n: 1 } },
    mark: { value: 'a\ufffdb' },
    text: { value: 'ä' },
  });
  expect(asked.slice(1).sort()).toEqual(['GET values/bytes', 'GET values/mark']);
});

test('requests a value separately if it is too long for the answer, and omits a value that was deleted', async () => {
  const isLong = (_: Call, keys: readonly string[]) => (keys.includes('long') ? tooLong : undefined);
  const stored = { a: { value: '1' }, long: { value: 'xyz', metadata: { n: 1 }, expiration: 4_102_444_800 } };
  const { source, groups } = namespace(stored, isLong);
  const keys = ['a', 'b', 'long', 'c', 'd'];
  const found = await readValues({ ...source, withMetadata: true }, keys);
  expect(Object.fromEntries(found)).toEqual(stored);
  expect(groups[0]).toEqual(keys);
  const plain = await readValues(source, ['long']);
  expect(Object.fromEntries(plain)).toEqual({ long: { value: 'xyz' } });
  const bare = namespace({ long: { value: 'xyz' } }, isLong);
  const without = await readValues({ ...bare.source, withMetadata: true }, ['long']);
  expect(Object.fromEntries(without)).toEqual({ long: { value: 'xyz' } });
  const gone = namespace({}, isLong);
  expect((await readValues({ ...gone.source, withMetadata: true }, ['long'])).size).toBe(0);
  expect(gone.asked).toEqual(['POST bulk/get', 'GET values/long']);
});

test('names keys with lost values, and reads all other keys', async () => {
  const named = new Set<string>();
  const isLost = (_: Call, keys: readonly string[]) => (keys.includes('lost') ? lost : undefined);
  const { source } = namespace({ a: { value: '1' }, b: { value: '2' } }, isLost);
  const found = await readValues({ ...source, lost: named }, ['a', 'lost', 'b']);
  expect([Object.fromEntries(found), [...named]]).toEqual([
    { a: { value: '1' }, b: { value: '2' } },
    ['lost'],
  ]);
  expect((await readValues(source, ['lost'])).size).toBe(0);
});

test.each([
  ['a refusal', refusal(403, 10_000, 'no'), { code: 'not-permitted' }],
  ['no values', result({}), { message: expect.stringContaining('it has no values') }],
  ['a list', result({ values: [] }), { message: expect.stringContaining('it has no values') }],
  ['null', result({ values: null }), { message: expect.stringContaining('it has no values') }],
  ['nothing', result(null), { message: expect.stringContaining('it has no values') }],
])('fails if it receives %s instead of values', async (_, reply, problem) => {
  const { source, asked } = namespace({}, () => reply);
  await expect(readValues(source, ['a', 'b'])).rejects.toMatchObject(problem);
  expect(asked).toHaveLength(1);
  const items = readItemValues(source, pages(numbers(40)), (key) => key);
  await expect(collected(items)).rejects.toMatchObject(problem);
});

test('marks a read of values as repeatable and read-only, even if it is a POST', async () => {
  const calls: Call[] = [];
  const { source } = namespace({ bytes: { value: Buffer.from([0xff]) } }, (call) => {
    calls.push(call);
    return undefined;
  });
  await readValues(source, ['bytes']);
  expect(calls).toMatchObject([
    { method: 'POST', repeatable: true, readsOnly: true },
    { method: 'GET', repeatable: true, wholeAnswer: 25 * MiB },
  ]);
});

test('refuses a value of an unknown shape', async () => {
  const values = { number: 7, list: ['x'], null: null, object: { value: 7 }, text: 'x' };
  const { source } = namespace({}, () => result({ values }));
  expect([...(await readValues(source, Object.keys(values))).keys()]).toEqual(['text']);
});

/** Returns all entries of an input. */
async function readContent(input: BulkInput): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of input.chunks()) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString();
}

test('writes all keys of a namespace, or the keys with a prefix, to a file of keys', async () => {
  const { session } = namespace({ 'a"1': { value: '' }, a2: { value: '' }, b: { value: '' } });
  const messages: Progress[] = [];
  const seen: string[] = [];
  const reporter = { ...quiet, progress: (one: Progress) => messages.push(one) };
  const some = await collectKeys(session, 'ns', 'a', reporter, (key) => seen.push(key));
  expect([some.name, some.path]).toEqual(['the keys that start with "a"', undefined]);
  expect(JSON.parse(await readContent(some))).toEqual(['a"1', 'a2']);
  expect(seen).toEqual(['a"1', 'a2']);
  expect(messages.at(-1)).toEqual({ phase: 'listing', unit: 'keys', done: 2, retries: 0, failed: 0 });
  const all = await collectKeys(session, 'ns', '', quiet);
  expect([all.name, JSON.parse(await readContent(all))]).toEqual(['the namespace', ['a"1', 'a2', 'b']]);
  const none = await collectKeys(session, 'ns', 'zz', quiet);
  expect(await readContent(none)).toBe('[]');
  for (const input of [some, all, none]) await input.close();
});

test('leaves no gap in the file for pages without keys, and stops listing on Ctrl-C', async () => {
  const control = new AbortController();
  const names = (page: readonly string[], cursor = '') =>
    result(
      page.map((name) => ({ name })),
      { cursor },
    );
  const replies = [names([], 'one'), names(['a', 'b'], 'two'), names([], 'three'), names(['c'])];
  let number = 0;
  const signals = new Set<AbortSignal | undefined>();
  const { session } = namespace({}, ({ signal }) => {
    signals.add(signal);
    number += 1;
    return replies[number - 1];
  });
  const world = { ...session.world, interrupted: control.signal };
  const input = await collectKeys({ ...session, world }, 'ns', '', quiet);
  expect(JSON.parse(await readContent(input))).toEqual(['a', 'b', 'c']);
  expect([...signals]).toEqual([control.signal]);
  await input.close();
});

function file(content: string | Uint8Array) {
  const world = testWorld();
  const path = join(world.cwd, 'in');
  writeFileSync(path, content);
  return { world, path };
}

test('reads an input several times, compressed or not, and reports its position', async () => {
  const text = `[${'1,'.repeat(MiB)}2]`;
  for (const content of [text, gzipSync(text)]) {
    const { world, path } = file(content);
    const input = await openBulkInput(world, 'in');
    expect([input.name, input.path, input.bytes, input.position()]).toEqual(['in', path, content.length, 0]);
    expect((await readContent(input)) === text).toBe(true);
    expect(input.position()).toBe(content.length);
    const again = input.chunks();
    await again.next();
    expect(input.position()).toBeGreaterThan(0);
    await again.return(undefined);
    expect((await readContent(input)) === text).toBe(true);
    await input.close();
    await expect(readContent(input)).rejects.toThrow();
  }
});

test('accepts a file shorter than two bytes, or with a start similar to gzip', async () => {
  for (const content of [Buffer.from([0x1f]), Buffer.from([0x1f, 0x8c, 1]), Buffer.from([0x20, 0x8b])]) {
    const input = await openBulkInput(file(content).world, 'in');
    expect(Buffer.from(await readContent(input)).length).toBeGreaterThan(0);
    await input.close();
  }
});

test.each<[string, (path: string, time: Date) => void]>([
  [
    'in length',
    (path, time) => {
      appendFileSync(path, ' ');
      utimesSync(path, time, time);
    },
  ],
  ['at the same length', (path) => utimesSync(path, 5, 5)],
  ['to a shorter one', (path) => writeFileSync(path, '')],
])('refuses a file that is changed %s', async (_, change) => {
  const { world, path } = file('["a"]');
  const time = new Date(1_700_000_000_000);
  utimesSync(path, time, time);
  const input = await openBulkInput(world, 'in');
  change(path, time);
  await expect(readContent(input)).rejects.toMatchObject({
    code: 'invalid-input',
    message: 'in changed while it was being read.',
    hint: expect.stringContaining('when no program is writing to the file'),
  });
  await input.close();
});

test('refuses a truncated or damaged compressed file', async () => {
  const packed = gzipSync('["a"]'.repeat(100));
  const damaged = Buffer.from(packed);
  damaged[12] = (damaged[12] ?? 0) ^ 0xff;
  for (const content of [packed.subarray(0, -8), damaged]) {
    const input = await openBulkInput(file(content).world, 'in');
    await expect(readContent(input)).rejects.toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/^Cannot read in: /),
    });
    await input.close();
  }
  // A file that changes during the run is reported as changed, not as damaged.
  const { world, path } = file(packed);
  const input = await openBulkInput(world, 'in');
  writeFileSync(path, packed.subarray(0, 12));
  await expect(readContent(input)).rejects.toThrow(/^in changed while it was being read\.$/);
  await input.close();
});

test('spools input that can be read only once, up to a limit', async () => {
  const world = testWorld({ stdin: '["a"]' });
  const input = await openBulkInput(world, '-');
  expect([input.name, input.path, await readContent(input), await readContent(input)]).toEqual([
    'standard input',
    undefined,
    '["a"]',
    '["a"]',
  ]);
  await input.close();
  const spooled = await openSpooledInput(world, 'the list', Readable.from([Buffer.from('["b"]')]));
  expect([spooled.name, spooled.path, await readContent(spooled)]).toEqual(['the list', undefined, '["b"]']);
  await spooled.close();
  const amount = (limit: number) =>
    openBulkInput(testWorld({ stdin: 'x'.repeat(8) }), '-', { bytes: limit, words: '7 bytes' });
  await expect(amount(7)).rejects.toThrow(
    'standard input is too long: the maximum for input from a pipe is 7 bytes.',
  );
  await (await amount(8)).close();
  // A file generated by the kernel counts as an ordinary file, and a run that reads it can be resumed.
  const made = await openBulkInput(world, '/proc/version');
  expect(made.path).toBe('/proc/version');
  await made.close();
  const device = await openBulkInput(world, '/dev/null');
  expect([device.path, device.bytes]).toEqual([undefined, 0]);
  await device.close();
});

test('reads each key of a file once, and requests nothing if a key is invalid', async () => {
  const { source, groups, asked } = namespace({ a: { value: '1' }, b: { value: '2' } });
  const input = await openBulkInput(file('["a", "b", {"name": "none"}, "a"]').world, 'in');
  const messages: Progress[] = [];
  const reporter = { ...quiet, progress: (one: Progress) => messages.push(one) };
  const found = await collected(getBulk(source, input, reporter));
  expect(found).toEqual([
    { item: 'b', value: { value: '2' } },
    { item: 'none', value: undefined },
    { item: 'a', value: { value: '1' } },
  ]);
  expect(groups).toEqual([['b', 'none', 'a']]);
  expect(messages.at(-1)).toMatchObject({ phase: 'reading', unit: 'keys', done: 3, total: 4 });
  await input.close();
  asked.splice(0);
  const wrong = await openBulkInput(file('["a", 7, ".."]').world, 'in');
  await expect(collected(getBulk(source, wrong, quiet))).rejects.toMatchObject({
    message: '2 of 3 entries in in are invalid; nothing was sent.',
  });
  expect(asked).toEqual([]);
  await wrong.close();
});

test('compares value, metadata and expiry of each key in a preview, and writes nothing', async () => {
  const expiration = 4_102_444_800;
  const full = { value: '1', metadata: { n: [1] }, expiration };
  const stored = { plain: { value: 'ä' }, bytes: { value: Buffer.from([0xff]) }, full };
  const { session, asked } = namespace(stored, (_, keys) => (keys.includes('lost') ? lost : undefined));
  const rows: readonly (readonly [object, string])[] = [
    [{ key: 'plain', value: 'ä' }, 'same'],
    [{ key: 'plain', value: 'a' }, 'change'],
    [{ key: 'plain', value: 'ä', metadata: null }, 'same'],
    [{ key: 'plain', value: 'ä', metadata: { n: 1 } }, 'change'],
    [{ key: 'plain', value: 'ä', expiration }, 'change'],
    [{ key: 'plain', value: 'ä', expiration_ttl: 60 }, 'change'],
    [{ key: 'plain', value: 'w6Q=', base64: true }, 'same'],
    [{ key: 'plain', value: 'w6Q=' }, 'change'],
    [{ key: 'bytes', value: '/w==', base64: true }, 'same'],
    [{ key: 'bytes', value: '\ufffd' }, 'change'],
    [{ key: 'full', ...full }, 'same'],
    [{ key: 'full', ...full, metadata: { n: [2] } }, 'change'],
    [{ key: 'full', value: '1', expiration }, 'change'],
    [{ key: 'full', value: '1', metadata: full.metadata }, 'change'],
    [{ key: 'full', ...full, expiration: expiration + 1 }, 'change'],
    [{ key: 'full', ...full, expiration: undefined, expiration_ttl: 60 }, 'change'],
    [{ key: 'new', value: '' }, 'create'],
    [{ key: 'lost', value: '' }, 'change'],
  ];
  const effects = async (content: unknown, operation: 'bulk put' | 'bulk delete' = 'bulk put') => {
    const input = await openBulkInput(
      { ...session.world, cwd: file(JSON.stringify(content)).world.cwd },
      'in',
    );
    const job = await openBulkJob(session, 'ns', input, {
      operation,
      anyKey: false,
      skipInvalid: true,
      batchSize: 10,
      resume: false,
      resumeArguments: undefined,
      reporter: quiet,
    });
    const all = await collected(job.preview());
    await input.close();
    return all;
  };
  for (const [entry, effect] of rows)
    expect([entry, await effects([entry])]).toMatchObject([entry, [{ effect }]]);
  expect(await effects(['plain', 'none', 'lost', 7, 'none'], 'bulk delete')).toEqual([
    { key: 'plain', effect: 'delete' },
    { key: 'lost', effect: 'delete' },
    { key: 'none', effect: 'missing' },
  ]);
  expect(asked.filter((call) => !/^(POST bulk\/get|GET values)/.test(call))).toEqual([]);
});

test('stops reading on Ctrl-C before anything is changed', async () => {
  const { world } = file('["a"]');
  const input = await openBulkInput(world, 'in');
  const stop = AbortSignal.abort();
  const parse = (value: unknown) => ({ key: String(value), sent: String(value) });
  await expect(
    collected(
      (async function* () {
        for await (const _ of readEntries(input, parse, () => undefined, { stop })) yield [];
      })(),
    ),
  ).rejects.toMatchObject({ code: 'interrupted', message: 'Interrupted; nothing was changed.' });
  const { session } = namespace({ a: { value: '' } });
  const options = {
    operation: 'bulk delete',
    anyKey: false,
    skipInvalid: false,
    batchSize: 10,
    resume: false,
    resumeArguments: undefined,
    reporter: quiet,
  } as const;
  const control = new AbortController();
  const stopped = { ...session, world: { ...session.world, interrupted: control.signal } };
  const job = await openBulkJob(stopped, 'ns', input, options);
  control.abort();
  await expect(collected(job.preview())).rejects.toMatchObject({ code: 'interrupted' });
  await input.close();
});

test('reports entries with their index and line, and does not parse entries that it skips', async () => {
  const { world } = file('"a"\n\n"b"\nnot json\n"c"');
  const input = await openBulkInput(world, 'in');
  const seen: unknown[] = [];
  const counts: number[] = [];
  const parse = (value: unknown, index: number) =>
    value === 'c' ? { index, key: 'c', reason: 'it is c' } : { key: String(value), sent: String(value) };
  let bytes = 0;
  const reading = readEntries(input, parse, (entry, index, line) => seen.push([entry, index, line]), {
    skip: (index) => index === 1,
    onContent: (chunk) => {
      bytes += chunk.length;
    },
  });
  for await (const count of reading) counts.push(count);
  expect(seen).toEqual([
    [{ key: 'a', sent: 'a' }, 0, 1],
    [{ index: 2, reason: expect.stringMatching(/^invalid JSON: /) }, 2, 4],
    [{ index: 3, key: 'c', reason: 'it is c' }, 3, 5],
  ]);
  expect([counts.at(-1), bytes]).toEqual([4, input.bytes]);
  await input.close();
});

test('shows the first of many errors, and saves many more errors for programs', () => {
  const faults = new FaultList();
  for (let index = 0; index < 12_000; index += 1) faults.add({ index, reason: 'r' });
  expect([faults.count, faults.first.length, faults.all.length]).toEqual([12_000, 20, 10_000]);
  expect(describeFault({ index: 0, key: 'k', reason: 'it is wrong' })).toBe('Entry 1, key "k": it is wrong.');
  expect(describeFault({ index: 0, line: 3, reason: 'it is wrong' })).toBe('Line 3 (entry 1): it is wrong.');
});
