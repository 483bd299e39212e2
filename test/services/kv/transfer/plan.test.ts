// Services alone, over the sandbox. The order of a listing is that of UTF-8 bytes (the provider's documents of the list
// endpoint: "lexicographically"); what a copy does with a key that is there already is what its flag says.
import { beforeAll, expect, test } from 'vitest';
import type { KeyEntry } from '../../../../src/model/kv/kv.ts';
import { Samples } from '../../../../src/model/samples.ts';
import { readKey } from '../../../../src/services/kv/key-change.ts';
import { writeValue } from '../../../../src/services/kv/kv.ts';
import { createNamespace } from '../../../../src/services/kv/namespaces.ts';
import { type CopyOptions, copyKeys, previewCopy } from '../../../../src/services/kv/transfer/copy.ts';
import { diffNamespaces } from '../../../../src/services/kv/transfer/diff.ts';
import { entryOf, exportEntries, exportTexts } from '../../../../src/services/kv/transfer/export.ts';
import { mergeListings } from '../../../../src/services/kv/transfer/merge.ts';
import { openSession } from '../../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../../src/services/session/session.ts';
import { testWorld } from '../../../support/world.ts';

let session: Session;
let made = 0;
let paths: string[] = [];
beforeAll(async () => {
  const opened = await openSession(
    testWorld(),
    { ...plainChoice, profile: 'sandbox' },
    { note: () => undefined },
  );
  const send: Session['send'] = (call) => {
    paths.push(`${call.method} ${call.path}`);
    return opened.send(call);
  };
  session = { ...opened, send };
  return () => opened.close();
});

const later = Math.floor(Date.now() / 1000) + 86_400;

/** A namespace with keys: a value each, or all of an entry. */
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
  // In UTF-16 the first would be behind the second.
  [[['\uffee', '😀']], [['😀']], ['\uffee <', '😀 <>']],
])('two listings side by side: %j and %j', async (left, right, expected) => {
  const pairs = await all(mergeListings(pagesOf(...left), pagesOf(...right)));
  const shown = pairs.map((pair) => `${pair.name} ${pair.left ? '<' : ''}${pair.right ? '>' : ''}`);
  expect(shown).toEqual(expected);
  for (const { name, left: one, right: other } of pairs)
    expect([one?.name ?? name, other?.name ?? name]).toEqual([name, name]);
});

test.each([[[['b', 'a']]], [[['a', 'a']]], [[['b'], ['a']]], [[['a'], ['a']]]])(
  'a listing out of order is refused: %j',
  async (pages) => {
    const merged = all(mergeListings(pagesOf(...pages), pagesOf()));
    await expect(merged).rejects.toThrow('The platform lists keys out of order; they cannot be compared.');
  },
);

test('pairs come as soon as both sides are known, not when all is read', async () => {
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

test('a copy counts what it copied, skipped and replaced', async () => {
  const from = await spaceWith({ a: '1', b: '2', c: '3' });
  const to = await spaceWith({ b: 'theirs', z: 'theirs' });
  await expect(copyKeys(from, to, plain)).rejects.toMatchObject({
    code: 'refused',
    message: 'The destination has 1 key of the source already: "b". Nothing was copied.',
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
  // Without counting there is no reason to list the destination.
  expect(paths.filter((path) => path.includes(`${to.namespaceId}/keys`))).toEqual([]);
});

test('a copy without conflicts knows how many keys there are, from the start', async () => {
  const from = await spaceWith({ a: '1', b: '2' });
  const to = await spaceWith({});
  progress.length = 0;
  expect(await copyKeys(from, to, plain)).toMatchObject({ copied: 2, replaced: undefined });
  expect(progress.at(-1)).toMatchObject({ done: 2, total: 2 });
});

test('named keys are copied with all that is stored under them; one that is missing is left out', async () => {
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
    'has 2 keys of the source already: "a", "b".',
  );
  const over = { ...plain, onConflict: 'overwrite', names, countsReplaced: true } as const;
  expect(await copyKeys(from, to, over)).toMatchObject({ copied: 2, replaced: 2 });
});

test('a prefix limits a copy; more than five keys that are there are named in part', async () => {
  const keys = Object.fromEntries(['a', 'b', 'c', 'd', 'e', 'f'].map((key) => [`p/${key}`, '1']));
  const from = await spaceWith({ ...keys, other: '1' });
  const to = await spaceWith({});
  expect(await copyKeys(from, to, { ...plain, prefix: 'p/' })).toMatchObject({ copied: 6 });
  expect(await textAt(to, 'other')).toBeUndefined();
  await expect(copyKeys(from, to, plain)).rejects.toThrow(
    'has 6 keys of the source already: "p/a", "p/b", "p/c", "p/d", "p/e", …. Nothing',
  );
  const five = { ...plain, names: namesOf('p/a', 'p/b', 'p/c', 'p/d', 'p/e') };
  await expect(copyKeys(from, to, five)).rejects.toThrow('"p/e". Nothing');
});

test.each([
  [later, later],
  [null, undefined],
])('onto itself a namespace is copied only to set the expiry: %s', async (expiration, after) => {
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
] as const)('a preview says what %s does to each key', async (onConflict, effect) => {
  const from = await spaceWith({ a: '1', b: '2' });
  const to = await spaceWith({ b: 'theirs', z: 'theirs' });
  expect(await all(previewCopy(from, to, { onConflict }))).toEqual([
    { key: 'a', effect: 'create' },
    { key: 'b', effect },
  ]);
  await expect(all(previewCopy(from, from, { onConflict }))).rejects.toMatchObject({ code: 'usage' });
});

test('a difference names what is other: value, metadata, expiry; names alone ask for no value', async () => {
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
  // Values of keys that both sides have, and of no others.
  const shared = ['expiry', 'metadata', 'p/x', 'same', 'value'];
  expect(paths.filter((path) => path.includes('bulk/get'))).toHaveLength(2);
  expect(shared).toHaveLength(5);
  paths = [];
  expect(await all(diffNamespaces(left, right, { ...options, keysOnly: true }))).toEqual(
    expected.slice(0, 4),
  );
  expect(paths.every((path) => path.includes('/keys'))).toBe(true);
  expect(await all(diffNamespaces(left, right, { ...options, prefix: 'p/' }))).toEqual([]);
});

test('an export has all that is stored, in order; named keys too, and missing ones not', async () => {
  const metadata = { a: 1 };
  const source = await spaceWith({ b: { value: Buffer.from([255]), metadata, expiration: later }, a: '1' });
  const lost = new Samples();
  progress.length = 0;
  const b = { key: 'b', value: '/w==', base64: true, metadata, expiration: later };
  expect(await all(exportEntries(source, { reporter, lost }))).toEqual([{ key: 'a', value: '1' }, b]);
  expect(progress.at(-1)).toEqual({ phase: 'exporting', unit: 'keys', done: 2, retries: 0, failed: 0 });
  const names = namesOf('b', 'missing');
  expect(await all(exportEntries(source, { reporter, lost, names }))).toEqual([b]);
  expect(progress.at(-1)).toMatchObject({ done: 2, total: 2 });
  expect(await all(exportEntries(source, { reporter, lost, prefix: 'a' }))).toEqual([
    { key: 'a', value: '1' },
  ]);
});

test.each([null, undefined])('an entry says nothing of metadata that are %s', (metadata) => {
  expect(entryOf({ name: 'k', metadata }, { value: 'v' })).toStrictEqual({ key: 'k', value: 'v' });
  expect(entryOf({ name: 'k', metadata: {}, expiration: 0 }, { value: 'v' })).toStrictEqual({
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
] as const)('the text of an export: %j as %s', async (groups, format, text) => {
  async function* entries() {
    for (const group of groups) yield group.map((key) => ({ key, value: '' }));
  }
  const count = { entries: 0 };
  const texts = exportTexts(entries(), format, count, ({ key }) => JSON.stringify(key));
  expect((await gathered(texts)).join('')).toBe(text);
  expect(count.entries).toBe(groups.flat().length);
});
