// Tests the services directly, with the sandbox. Listings are in UTF-8 byte order (the provider's documents of the list endpoint:
// "lexicographically"). `onConflict` specifies what a copy does with an existing key.
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { KeyEntry } from '../../../../src/model/kv/kv.ts';
import { Problem } from '../../../../src/model/problem.ts';
import { Samples } from '../../../../src/model/samples.ts';
import { openCheckpoints } from '../../../../src/services/kv/bulk/checkpoints.ts';
import { readKey } from '../../../../src/services/kv/key-change.ts';
import { writeValue } from '../../../../src/services/kv/kv.ts';
import { createNamespace } from '../../../../src/services/kv/namespaces.ts';
import { type CopyOptions, copyKeys, previewCopy } from '../../../../src/services/kv/transfer/copy.ts';
import { diffNamespaces } from '../../../../src/services/kv/transfer/diff.ts';
import {
  exportEntries,
  exportFormatFor,
  exportTexts,
  openExportFile,
  toBulkEntry,
} from '../../../../src/services/kv/transfer/export.ts';
import { mergeListings } from '../../../../src/services/kv/transfer/merge.ts';
import { openSession } from '../../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../../src/services/session/session.ts';
import type { Answer, Call } from '../../../../src/v4/send.ts';
import { testWorld } from '../../../support/world.ts';

let session: Session;
let made = 0;
let paths: string[] = [];
/** The bodies of requests that read values, and of requests that write many keys. */
let bodies: { readonly path: string; readonly json: unknown }[] = [];
/** A function that runs before each request, and can return an answer that replaces the platform's answer. */
let meddle: (call: Call) => Promise<Answer | undefined> | Answer | undefined = () => undefined;
beforeAll(async () => {
  const opened = await openSession(
    testWorld(),
    { ...plainChoice, profile: 'sandbox' },
    { note: () => undefined },
  );
  const send: Session['send'] = async (call) => {
    paths.push(`${call.method} ${call.path}`);
    if (/\/bulk(?:\/get)?$/.test(call.path) && call.body instanceof Uint8Array)
      bodies.push({ path: call.path, json: JSON.parse(Buffer.from(call.body).toString()) });
    return (await meddle(call)) ?? opened.send(call);
  };
  session = { ...opened, send };
  return () => opened.close();
});

afterEach(() => {
  meddle = () => undefined;
});

const later = Math.floor(Date.now() / 1000) + 86_400;

/** Creates a namespace with keys. Each key is given by its value, or by a complete entry. */
async function spaceWith(keys: Record<string, string | Parameters<typeof writeValue>[3]>) {
  made += 1;
  const { id: namespaceId } = await createNamespace(session, `space-${made}`);
  for (const [key, value] of Object.entries(keys))
    await writeValue(
      session,
      namespaceId,
      key,
      typeof value === 'string' ? { value: Buffer.from(value) } : value,
    );
  paths = [];
  bodies = [];
  return { session, namespaceId };
}

const progress: object[] = [];
const reporter = { progress: (one: object) => progress.push(one), warn: () => undefined };
const plain: CopyOptions = { onConflict: 'fail', resume: false, resumeArguments: [], reporter };
const none = { count: 0, first: [], others: 0 };
const report = {
  copied: 0,
  earlier: 0,
  skipped: 0,
  replaced: undefined,
  expired: none,
  failed: none,
  lost: none,
};
const counts = (value: unknown) => JSON.parse(JSON.stringify(value));
async function gathered<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const all = async <T>(pages: AsyncIterable<readonly T[]>): Promise<T[]> => (await gathered(pages)).flat();
const textAt = async ({ namespaceId }: { readonly namespaceId: string }, key: string) =>
  (await readKey(session, namespaceId, key))?.value.toString();
const namesOf = (...names: string[]) => ({
  count: names.length,
  fingerprint: names.join(),
  async *pages() {
    yield names;
  },
});

async function* pagesOf(...pages: string[][]): AsyncGenerator<KeyEntry[]> {
  for (const page of pages) yield page.map((name) => ({ name }));
}

test.each([
  [[['a', 'c']], [['b', 'c', 'd']], ['a <', 'b >', 'c <>', 'd >']],
  [[], [['a']], ['a >']],
  [[['a']], [], ['a <']],
  [[], [], []],
  [
    [['a'], [], ['b']],
    [[], ['a', 'b']],
    ['a <>', 'b <>'],
  ],
  [
    [['a', 'b', 'c'], ['d']],
    [['c'], ['e']],
    ['a <', 'b <', 'c <>', 'd <', 'e >'],
  ],
  // In UTF-16 order, the first key would come after the second.
  [[['\uffee', '😀']], [['😀']], ['\uffee <', '😀 <>']],
])('merges two listings: %j and %j', async (left, right, expected) => {
  const pairs = await all(mergeListings(pagesOf(...left), pagesOf(...right)));
  const shown = pairs.map((pair) => `${pair.name} ${pair.left ? '<' : ''}${pair.right ? '>' : ''}`);
  expect(shown).toEqual(expected);
  for (const { name, left: one, right: other } of pairs)
    expect([one?.name ?? name, other?.name ?? name]).toEqual([name, name]);
});

test.each([[[['b', 'a']]], [[['a', 'a']]], [[['b'], ['a']]], [[['a'], ['a']]]])(
  'refuses a listing out of order: %j',
  async (pages) => {
    const merged = all(mergeListings(pagesOf(...pages), pagesOf()));
    await expect(merged).rejects.toThrow('The platform lists keys out of order, so they cannot be compared.');
  },
);

test('returns pairs as soon as both sides are known, before all keys are read', async () => {
  let asked = 0;
  async function* counted() {
    for (const page of ['a', 'b', 'c']) {
      asked += 1;
      yield [{ name: page }];
    }
  }
  const merged = mergeListings(counted(), pagesOf(['a'], ['b'], ['c']));
  expect((await merged.next()).value).toMatchObject([{ name: 'a' }]);
  expect(asked).toBe(1);
});

test('counts copied, skipped and replaced keys', async () => {
  const from = await spaceWith({ a: '1', b: '2', c: '3' });
  const to = await spaceWith({ b: 'theirs', z: 'theirs' });
  await expect(copyKeys(from, to, plain)).rejects.toMatchObject({
    code: 'refused',
    message: 'The destination already contains 1 key from the source: "b". Nothing was copied.',
    remedy: { kind: 'choose-existing', resume: [] },
  });
  const skip = { ...plain, onConflict: 'skip', countsReplaced: true } as const;
  expect(counts(await copyKeys(from, to, skip))).toEqual(
    counts({ ...report, copied: 2, skipped: 1, replaced: 0 }),
  );
  expect(await textAt(to, 'b')).toBe('theirs');
  progress.length = 0;
  const over = { ...plain, onConflict: 'overwrite', countsReplaced: true } as const;
  expect(counts(await copyKeys(from, to, over))).toEqual(counts({ ...report, copied: 3, replaced: 3 }));
  expect(await textAt(to, 'b')).toBe('2');
  expect(await textAt(to, 'z')).toBe('theirs');
  expect(progress.at(-1)).toEqual({ phase: 'copying', unit: 'keys', done: 3, retries: 0, failed: 0 });
  paths = [];
  expect(await copyKeys(from, to, { ...over, countsReplaced: false })).toMatchObject({
    copied: 3,
    replaced: undefined,
  });
  // Without counting, there is no reason to list the destination's keys.
  expect(paths.filter((path) => path.includes(`${to.namespaceId}/keys`))).toEqual([]);
});

test('reports the number of keys from the start for a copy without conflicts', async () => {
  const from = await spaceWith({ a: '1', b: '2' });
  const to = await spaceWith({});
  progress.length = 0;
  expect(await copyKeys(from, to, plain)).toMatchObject({ copied: 2, replaced: undefined });
  expect(progress.at(-1)).toMatchObject({ done: 2, total: 2 });
});

test('copies named keys with their values, metadata and expiry, and omits missing keys', async () => {
  const metadata = { by: 'us' };
  const from = await spaceWith({
    a: { value: Buffer.from('1'), metadata, expiration: later },
    b: '2',
    c: '3',
  });
  const to = await spaceWith({});
  const wanted = namesOf('a', 'b', 'missing');
  expect(await copyKeys(from, to, { ...plain, onConflict: 'skip', names: wanted })).toMatchObject({
    copied: 2,
  });
  expect(await readKey(session, to.namespaceId, 'a')).toEqual({
    entry: { name: 'a', metadata, expiration: later },
    value: Buffer.from('1'),
  });
  expect(await textAt(to, 'c')).toBeUndefined();
  const names = namesOf('a', 'b');
  expect(await copyKeys(from, to, { ...plain, onConflict: 'skip', names })).toMatchObject({
    copied: 0,
    skipped: 2,
  });
  await expect(copyKeys(from, to, { ...plain, names })).rejects.toThrow(
    'contains 2 keys from the source: "a", "b".',
  );
  const over = { ...plain, onConflict: 'overwrite', names, countsReplaced: true } as const;
  expect(await copyKeys(from, to, over)).toMatchObject({ copied: 2, replaced: 2 });
});

test('limits a copy by a prefix, and names only the first five of six existing keys', async () => {
  const keys = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [`p/${key}`, '1']));
  const from = await spaceWith({ ...keys, other: '1' });
  const to = await spaceWith({});
  expect(await copyKeys(from, to, { ...plain, prefix: 'p/' })).toMatchObject({ copied: 6 });
  expect(await textAt(to, 'other')).toBeUndefined();
  await expect(copyKeys(from, to, plain)).rejects.toThrow(
    'contains 6 keys from the source: "p/a", "p/b", "p/c", "p/d", "p/e", …. Nothing',
  );
  const five = { ...plain, names: namesOf('p/a', 'p/b', 'p/c', 'p/d', 'p/e') };
  await expect(copyKeys(from, to, five)).rejects.toThrow('"p/e". Nothing');
});

test.each([
  [later, later],
  [null, undefined],
])('copies a namespace onto itself only to set the expiry: %s', async (expiration, after) => {
  const metadata = { a: 1 };
  const space = await spaceWith({ a: { value: Buffer.from('1'), metadata, expiration: later - 1000 } });
  await expect(copyKeys(space, space, { ...plain, onConflict: 'overwrite' })).rejects.toMatchObject({
    code: 'usage',
    remedy: { kind: 'name-destination' },
  });
  progress.length = 0;
  const set = { ...plain, onConflict: 'overwrite', expiration } as const;
  expect(await copyKeys(space, space, set)).toMatchObject({ copied: 1 });
  expect(progress.at(-1)).toMatchObject({ phase: 'setting the expiry of', done: 1 });
  expect((await readKey(session, space.namespaceId, 'a'))?.entry).toEqual({
    name: 'a',
    metadata,
    ...(after !== undefined && { expiration: after }),
  });
});

test.each([
  ['skip', 'skip'],
  ['overwrite', 'replace'],
  ['fail', 'conflict'],
] as const)('previews the effect of %s on each key', async (onConflict, effect) => {
  const from = await spaceWith({ a: '1', b: '2' });
  const to = await spaceWith({ b: 'theirs', z: 'theirs' });
  expect(await all(previewCopy(from, to, { onConflict }))).toEqual([
    { key: 'a', effect: 'create' },
    { key: 'b', effect },
  ]);
  await expect(all(previewCopy(from, from, { onConflict }))).rejects.toMatchObject({ code: 'usage' });
});

test('names the differing parts of a key in a comparison, and requests no value in a comparison of names alone', async () => {
  const value = Buffer.from('1');
  const both = { same: { value, metadata: { a: 1 }, expiration: later }, 'p/x': '1' };
  const left = await spaceWith({
    ...both,
    gone: '1',
    value: '1',
    metadata: { value, metadata: { a: 1 } },
    expiry: { value, expiration: later },
  });
  const right = await spaceWith({ ...both, new: '1', value: '2', metadata: '1', expiry: '1' });
  const options = { keysOnly: false, reporter };
  progress.length = 0;
  const expected = [
    { key: 'expiry', change: 'changed', fields: ['expiration'] },
    { key: 'gone', change: 'removed' },
    { key: 'metadata', change: 'changed', fields: ['metadata'] },
    { key: 'new', change: 'added' },
    { key: 'value', change: 'changed', fields: ['value'] },
  ];
  expect(await all(diffNamespaces(left, right, options))).toEqual(expected);
  expect(progress.at(-1)).toEqual({ phase: 'comparing', unit: 'keys', done: 7, retries: 0, failed: 0 });
  // Only the values of keys that exist on both sides are requested.
  const asked = { keys: ['expiry', 'metadata', 'p/x', 'same', 'value'], type: 'text', withMetadata: false };
  expect(bodies.map(({ json }) => json)).toEqual([asked, asked]);
  paths = [];
  expect(await all(diffNamespaces(left, right, { ...options, keysOnly: true }))).toEqual(
    expected.slice(0, 4),
  );
  expect(paths.every((path) => path.includes('/keys'))).toBe(true);
  expect(await all(diffNamespaces(left, right, { ...options, prefix: 'p/' }))).toEqual([]);
});

test('exports all stored data of each key, in order, and omits missing keys of an export of named keys', async () => {
  const metadata = { a: 1 };
  const source = await spaceWith({ b: { value: Buffer.from([255]), metadata, expiration: later }, a: '1' });
  const lost = new Samples();
  progress.length = 0;
  const b = { key: 'b', value: '/w==', base64: true, metadata, expiration: later };
  bodies = [];
  expect(await all(exportEntries(source, { reporter, lost }))).toEqual([{ key: 'a', value: '1' }, b]);
  // The request omits the metadata, which the listing already contained.
  expect(bodies.map(({ json }) => json)).toEqual([{ keys: ['a', 'b'], type: 'text', withMetadata: false }]);
  expect(progress.at(-1)).toEqual({ phase: 'exporting', unit: 'keys', done: 2, retries: 0, failed: 0 });
  const names = namesOf('b', 'missing');
  expect(await all(exportEntries(source, { reporter, lost, names }))).toEqual([b]);
  expect(progress.at(-1)).toMatchObject({ done: 2, total: 2 });
  expect(await all(exportEntries(source, { reporter, lost, prefix: 'a' }))).toEqual([
    { key: 'a', value: '1' },
  ]);
});

test.each([null, undefined])('omits metadata that is %s from an entry', (metadata) => {
  expect(toBulkEntry({ name: 'k', metadata }, { value: 'v' })).toStrictEqual({ key: 'k', value: 'v' });
  expect(toBulkEntry({ name: 'k', metadata: {}, expiration: 0 }, { value: 'v' })).toStrictEqual({
    key: 'k',
    value: 'v',
    metadata: {},
    expiration: 0,
  });
});

test.each([
  [[], 'json', '[\n]\n'],
  [[], 'ndjson', ''],
  [[[], ['a', 'b'], [], ['c']], 'json', '[\n"a",\n"b",\n"c"\n]\n'],
  [[['a', 'b'], [], ['c']], 'ndjson', '"a"\n"b"\n"c"\n'],
] as const)('formats an export: %j as %s', async (groups, format, text) => {
  async function* entries() {
    for (const group of groups) yield group.map((key) => ({ key, value: '' }));
  }
  const count = { entries: 0 };
  const texts = exportTexts(entries(), format, count, ({ key }) => JSON.stringify(key));
  expect((await gathered(texts)).join('')).toBe(text);
  expect(count.entries).toBe(groups.flat().length);
});

test.each([
  ['all.json', 'json'],
  ['all.json.gz', 'json'],
  ['all.ndjson', 'ndjson'],
  ['json', 'ndjson'],
  ['all.json.bak', 'ndjson'],
])('writes the file %s as %s', (file, format) => {
  expect(exportFormatFor(file)).toBe(format);
});

test('creates the file of an export for its owner only, compressed if its name ends in .gz; refuses a folder', async () => {
  const world = testWorld();
  async function* text() {
    yield 'a'.repeat(10);
  }
  for (const name of ['all.ndjson', 'all.gz'])
    await (await openExportFile(world, name, 'refuse')).write(text());
  const read = (name: string) => readFileSync(join(world.cwd, name));
  expect(read('all.ndjson').toString()).toBe('aaaaaaaaaa');
  expect(gunzipSync(read('all.gz')).toString()).toBe('aaaaaaaaaa');
  expect(statSync(join(world.cwd, 'all.ndjson')).mode & 0o777).toBe(0o600);
  mkdirSync(join(world.cwd, 'folder'));
  await expect(openExportFile(world, 'folder', 'refuse')).rejects.toMatchObject({
    hint: 'Specify a file in the folder.',
  });
});

describe('a copy in several requests', () => {
  const four = { a: '1', b: '2', c: '3', d: '4' };
  const written = () =>
    bodies
      .filter(({ path }) => path.endsWith('/bulk'))
      .map(({ json }) => (json as { key: string }[]).map(({ key }) => key).join(''));
  /** The saved state of copies to this destination. */
  let destination = '';
  const saved = async () =>
    (await openCheckpoints(session.world).list()).filter(({ target }) => target.includes(destination));

  /** Creates two namespaces; a request to the second namespace accepts only one key. */
  async function twoSpaces(there: Parameters<typeof spaceWith>[0] = {}) {
    const from = await spaceWith(four);
    const to = await spaceWith(there);
    destination = to.namespaceId;
    return { from, to: { ...to, session: { ...session, bulkBytes: 1 } } };
  }

  /** Makes the connection fail when this key is written: immediately, or after a checkpoint confirms `after` keys. */
  function breakAt(key: string, after = 0) {
    meddle = async ({ path, body }) => {
      if (!path.endsWith('/bulk') || !(body instanceof Uint8Array)) return undefined;
      if (!Buffer.from(body).toString().includes(`"key":"${key}"`)) return undefined;
      // The requests take a few turns of the event loop. If they do not arrive in 1,000 turns, the assertion on the recorded requests fails.
      for (let turn = 0, found = 0; found < after && turn < 1000; turn += 1) {
        await new Promise((settle) => setImmediate(settle));
        found = (await saved())[0]?.confirmed[0]?.[1] ?? 0;
      }
      throw new Problem('unreachable', 'The connection was closed.');
    };
  }

  test('reports the copied keys if it fails, and saves a checkpoint that is sufficient to resume', async () => {
    const { from, to } = await twoSpaces();
    breakAt('c', 2);
    const options = { ...plain, resumeArguments: ['kv', 'copy', '--resume'] };
    const stopped = await copyKeys(from, to, options);
    expect(stopped).toMatchObject({ earlier: 0, stopped: { code: 'unreachable' } });
    expect(stopped.copied).toBeGreaterThanOrEqual(2);
    const [checkpoint] = await saved();
    expect(checkpoint).toMatchObject({
      operation: 'copy',
      entries: 4,
      confirmed: [[0, 2]],
      through: 'b',
      resume: options.resumeArguments,
    });
    meddle = () => undefined;
    // Keys that were copied earlier conflict with a new copy, whose error explains how to resume.
    await expect(copyKeys(from, to, plain)).rejects.toMatchObject({
      code: 'refused',
      remedy: { kind: 'choose-existing', resume: options.resumeArguments },
    });
    expect(await saved()).toEqual([checkpoint]);
    bodies = [];
    progress.length = 0;
    const resumed = await copyKeys(from, to, { ...options, resume: true, countsReplaced: true });
    expect(resumed).toMatchObject({ copied: 2, earlier: 2, replaced: undefined });
    expect('stopped' in resumed).toBe(false);
    expect(written().sort()).toEqual(['c', 'd']);
    expect(progress.at(-1)).toMatchObject({ done: 4, total: 4 });
    expect(await saved()).toEqual([]);
    for (const [key, value] of Object.entries(four)) expect(await textAt(to, key)).toBe(value);
  });

  test.each(['skip', 'overwrite'] as const)('resumes after the copied keys with %s', async (onConflict) => {
    const { from, to } = await twoSpaces({ a: 'theirs', d: 'theirs' });
    breakAt('c', 1);
    const options = { ...plain, onConflict, countsReplaced: true };
    await copyKeys(from, to, options);
    const [checkpoint] = await saved();
    expect(checkpoint).toMatchObject({ through: 'b' });
    expect(checkpoint).not.toHaveProperty('entries');
    meddle = () => undefined;
    bodies = [];
    const resumed = await copyKeys(from, to, { ...options, resume: true });
    const isSkip = onConflict === 'skip';
    expect(progress.at(-1)).toMatchObject({ done: isSkip ? 3 : 4 });
    expect(resumed).toMatchObject({ copied: isSkip ? 1 : 2, skipped: isSkip ? 1 : 0, replaced: undefined });
    expect(written().sort()).toEqual(isSkip ? ['c'] : ['c', 'd']);
  });

  test('resumes after two failures after the keys that both runs copied', async () => {
    const { from, to } = await twoSpaces();
    breakAt('b', 1);
    await copyKeys(from, to, plain);
    // The next copy fails before it writes anything.
    const noted = await saved();
    meddle = ({ path }) => {
      if (path.endsWith('/bulk')) throw new Problem('unreachable', 'The connection was closed.');
      return undefined;
    };
    expect(await copyKeys(from, to, { ...plain, resume: true })).toMatchObject({ earlier: 1, copied: 0 });
    expect(await saved()).toEqual(noted);
    breakAt('d', 3);
    expect(await copyKeys(from, to, { ...plain, resume: true })).toMatchObject({ earlier: 1, copied: 2 });
    expect(await saved()).toMatchObject([{ through: 'c', confirmed: [[0, 3]], entries: 4 }]);
    meddle = () => undefined;
    bodies = [];
    expect(await copyKeys(from, to, { ...plain, resume: true })).toMatchObject({ earlier: 3, copied: 1 });
    expect(written()).toEqual(['d']);
  });

  test('resumes from a gap, and copies the keys in the gap', async () => {
    const { from, to } = await twoSpaces();
    breakAt('a');
    await copyKeys(from, to, plain);
    const [checkpoint] = await saved();
    expect(checkpoint).toMatchObject({ confirmed: [] });
    expect(checkpoint).not.toHaveProperty('through');
    meddle = () => undefined;
    const again = { ...plain, onConflict: 'overwrite', resume: true } as const;
    expect(await copyKeys(from, to, { ...plain, resume: true })).toMatchObject({ copied: 4, earlier: 0 });
    expect(await copyKeys(from, to, again)).toMatchObject({ copied: 4, earlier: 0 });
    expect(await textAt(to, 'a')).toBe('1');
  });

  test('drops the earlier progress without --resume when it writes, and not before', async () => {
    const { from, to } = await twoSpaces();
    const over = { ...plain, onConflict: 'overwrite' } as const;
    breakAt('c', 2);
    await copyKeys(from, to, over);
    const before = await saved();
    meddle = ({ path }) => {
      if (path.includes(`${from.namespaceId}/keys`)) throw new Problem('unreachable', 'Out of reach.');
      return undefined;
    };
    expect(await copyKeys(from, to, over)).toMatchObject({ copied: 0, stopped: { code: 'unreachable' } });
    expect(await saved()).toEqual(before);
    breakAt('a');
    await copyKeys(from, to, over);
    expect(await saved()).toMatchObject([{ confirmed: [] }]);
    meddle = () => undefined;
    expect(await copyKeys(from, to, { ...over, resume: true })).toMatchObject({ copied: 4, earlier: 0 });
  });

  test('is a separate copy with other names, expiry, prefix or conflict rule', async () => {
    const { from, to } = await twoSpaces();
    const names = namesOf('a', 'b', 'c', 'd');
    const over = { ...plain, onConflict: 'overwrite', names } as const;
    const kinds: CopyOptions[] = [
      over,
      { ...over, names: namesOf('a', 'b', 'c') },
      { ...over, expiration: later },
      { ...plain, onConflict: 'overwrite' },
      { ...plain, onConflict: 'skip' },
      { ...plain, onConflict: 'overwrite', expiration: later },
    ];
    breakAt('a');
    for (const options of kinds) await copyKeys(from, to, options);
    const inputs = new Set((await saved()).map(({ input }) => input));
    expect(inputs.size).toBe(kinds.length);
    // Earlier versions used this file name, and their checkpoints remain valid.
    const whole = [...inputs].filter((input) => JSON.parse(input).length === 3);
    expect(
      whole
        .map((input) => JSON.parse(input))
        .map(([, prefix, rule]) => [prefix, rule])
        .sort(),
    ).toEqual([
      ['', 'overwrite'],
      ['', 'skip'],
    ]);
    meddle = () => undefined;
    for (const options of kinds) await copyKeys(from, to, { ...options, resume: true });
    expect(await saved()).toEqual([]);
  });

  test('reports the number of named keys, and how many it has processed', async () => {
    const { from, to } = await twoSpaces();
    progress.length = 0;
    const names = namesOf('a', 'b', 'c');
    await copyKeys(from, to, { ...plain, onConflict: 'skip', names });
    expect(progress.at(-1)).toMatchObject({ done: 3, total: 3 });
  });

  test('uses the maximum request size of the destination, up to four million bytes', async () => {
    const from = await spaceWith(four);
    const one = await spaceWith({});
    await copyKeys(from, one, plain);
    expect(written()).toEqual(['abcd']);
    bodies = [];
    const large = { ...one, session: { ...session, bulkBytes: 100_000_000 } };
    await copyKeys(from, large, { ...plain, onConflict: 'overwrite' });
    expect(written()).toEqual(['abcd']);
    expect(bodies.filter(({ path }) => path.endsWith('/get'))).toHaveLength(1);
    expect(bodies.find(({ path }) => path.endsWith('/get'))?.json).toMatchObject({ withMetadata: false });
  });

  test('sends a hundred keys per request with another expiry, because concurrent writes would be lost', async () => {
    const keys = Array.from({ length: 101 }, (_, at) => `k${String(at).padStart(3, '0')}`);
    const space = await spaceWith({});
    await session.send({
      method: 'PUT',
      path:
        (paths[0] ?? '') ||
        `/accounts/${await session.accountId()}/storage/kv/namespaces/${space.namespaceId}/bulk`,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(keys.map((key) => ({ key, value: '1' })))),
      repeatable: true,
    });
    bodies = [];
    const set = { ...plain, onConflict: 'overwrite', expiration: later } as const;
    expect(await copyKeys(space, space, set)).toMatchObject({ copied: 101 });
    const sizes = bodies
      .filter(({ path }) => path.endsWith('/bulk'))
      .map(({ json }) => (json as object[]).length);
    expect(sizes.sort()).toEqual([1, 100]);
    bodies = [];
    await copyKeys(space, await spaceWith({}), plain);
    expect(bodies.filter(({ path }) => path.endsWith('/bulk'))).toHaveLength(1);
  });

  test('reports keys that the destination does not accept, and saves them for --resume; counts none as replaced', async () => {
    const { from, to } = await twoSpaces();
    meddle = ({ path, body }) => {
      if (
        !path.endsWith('/bulk') ||
        !Buffer.from(body as Uint8Array)
          .toString()
          .includes('"key":"b"')
      )
        return undefined;
      const result = { successful_key_count: 0, unsuccessful_keys: ['b'] };
      const text = JSON.stringify({ success: true, result, errors: [], messages: [] });
      return { status: 200, headers: {}, body: Buffer.from(text) };
    };
    const over = { ...plain, onConflict: 'overwrite', countsReplaced: true } as const;
    const report = await copyKeys(from, to, over);
    expect(counts(report)).toMatchObject({ copied: 3, failed: { count: 1, first: ['b'] } });
    expect(report.replaced).toBeUndefined();
    expect(progress.at(-1)).toMatchObject({ failed: 1, retries: 3 });
    expect(await saved()).toMatchObject([{ through: 'a', confirmed: [[0, 1]] }]);
    meddle = () => undefined;
    expect(await copyKeys(from, to, { ...over, resume: true })).toMatchObject({ copied: 3, earlier: 1 });
  });

  test('skips keys that will expire within seconds, and does not count them as replaced', async () => {
    const soon = Math.floor(Date.now() / 1000) + 120;
    const from = await spaceWith({ a: '1', b: { value: Buffer.from('2'), expiration: soon } });
    const to = await spaceWith({});
    const world = { ...session.world, now: () => Date.now() + 100_000 };
    const slow = { ...to, session: { ...session, world } };
    const over = { ...plain, onConflict: 'overwrite', countsReplaced: true } as const;
    const report = await copyKeys(from, slow, over);
    expect(counts(report)).toMatchObject({ copied: 1, expired: { count: 1, first: ['b'] } });
    expect(report.replaced).toBeUndefined();
  });

  test('completes the requests in flight when it is interrupted, reports them, and can be resumed', async () => {
    const { to } = await twoSpaces();
    const from = await spaceWith({ ...four, e: '5', f: '6' });
    const stop = new AbortController();
    // Running requests get half a minute, but this time does not pass in the test.
    const sleep: Session['world']['sleep'] = (_, signal) =>
      new Promise((_settle, fail) => signal?.addEventListener('abort', () => fail(signal.reason)));
    const world = { ...session.world, interrupted: stop.signal, sleep };
    const warned: unknown[] = [];
    const options = { ...plain, reporter: { ...reporter, warn: (warning: unknown) => warned.push(warning) } };
    meddle = ({ path }) => {
      if (path.endsWith('/bulk')) stop.abort();
      return undefined;
    };
    const stoppable = { ...to, session: { ...to.session, world } };
    const report = await copyKeys(from, stoppable, options);
    expect(report).toMatchObject({ stopped: { code: 'interrupted', message: 'Interrupted.' } });
    expect(report.copied).toBeGreaterThan(0);
    expect(warned).toEqual([{ kind: 'stopping' }]);
    meddle = () => undefined;
    const rest = await copyKeys(from, to, { ...plain, resume: true });
    expect(rest.earlier + rest.copied).toBe(6);
  });
});

describe('a destination', () => {
  const listing = (names: readonly string[], cursor = '') => ({
    status: 200,
    headers: {},
    body: Buffer.from(
      JSON.stringify({
        success: true,
        result: names.map((name) => ({ name })),
        result_info: { count: names.length, cursor },
        errors: [],
        messages: [],
      }),
    ),
  });

  test('is listed only as far as the source if only replaced keys are counted', async () => {
    const from = await spaceWith({ b: '1' });
    const to = await spaceWith({});
    let pages = 0;
    meddle = ({ path }) => {
      if (!path.includes(`${to.namespaceId}/keys`)) return undefined;
      pages += 1;
      return pages < 9
        ? listing([['a', 'b'], ['c'], ['d'], ['e'], ['f'], ['g'], ['h'], ['i']][pages - 1] ?? [], `p${pages}`)
        : listing(['z']);
    };
    const over = { ...plain, onConflict: 'overwrite', countsReplaced: true } as const;
    expect(await copyKeys(from, to, over)).toMatchObject({ copied: 1, replaced: 1 });
    expect(pages).toBeLessThan(4);
  });

  test('is not complete for a copy that counts replaced keys before all pages of the source are read', async () => {
    const from = await spaceWith({ a: '1', b: '2', c: '3' });
    const to = await spaceWith({ a: 'theirs', z: 'theirs' });
    let pages = 0;
    meddle = ({ path }) => {
      if (!path.includes(`${from.namespaceId}/keys`)) return undefined;
      pages += 1;
      return pages === 1 ? listing(['a'], 'next') : listing(['b', 'c']);
    };
    const over = { ...plain, onConflict: 'overwrite', countsReplaced: true } as const;
    expect(await copyKeys(from, to, over)).toMatchObject({ copied: 3, replaced: 1 });
  });

  test('is listed without reading values, unless keys are named', async () => {
    const from = await spaceWith({ a: '1' });
    const to = await spaceWith({ a: '1', b: '2' });
    await copyKeys(from, to, { ...plain, onConflict: 'skip' });
    expect(bodies).toEqual([]);
    await copyKeys(from, to, { ...plain, onConflict: 'overwrite' });
    expect(paths.filter((path) => path.includes(`${to.namespaceId}/keys`))).toHaveLength(1);
  });
});
