// The contract: "The undo journal" in docs/decisions.md (an entry is complete before the change is sent), and "edgectl undo": the old value
// is restored completely, only on the platform where it was saved, and later writes by other people are lost only if the user confirms the
// loss.
import { createHash } from 'node:crypto';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import { Problem } from '../../../src/model/problem.ts';
import { undoLimits } from '../../../src/model/undo/entry.ts';
import { hashValue, readKey } from '../../../src/services/kv/key-change.ts';
import { type NewValue, writeValue } from '../../../src/services/kv/kv.ts';
import { createNamespace } from '../../../src/services/kv/namespaces.ts';
import { createBucket } from '../../../src/services/objects/buckets.ts';
import {
  type NewObject,
  readObject,
  readObjectEntry,
  removeObject,
  writeObject,
} from '../../../src/services/objects/objects.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { openJournal } from '../../../src/services/undo/journal.ts';
import { fitsJournal, removeObjectWithUndo, storeWithUndo } from '../../../src/services/undo/objects.ts';
import { restore } from '../../../src/services/undo/restore.ts';
import { removeKeyWithUndo, writeKeyWithUndo } from '../../../src/services/undo/values.ts';
import { readBody } from '../../../src/v4/send.ts';
import { testWorld } from '../../support/world.ts';

const start = Date.UTC(2026, 10, 21, 10);
const plain = { force: false, withoutExpiry: false };
const force = { ...plain, force: true };
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

let clock = start;
const world = testWorld({ now: () => clock });
const journal = openJournal(world);
let session: Session;
let namespaceId: string;
let refuse: Problem | Error | undefined;
let made = 0;
/** The methods of the requests. */
let calls: string[] = [];

beforeAll(async () => {
  const opened = await openSession(world, { ...plainChoice, profile: 'sandbox' }, { note: () => undefined });
  const send: Session['send'] = (call) => {
    calls.push(call.method);
    if (refuse !== undefined && call.method !== 'GET') throw refuse;
    return opened.send(call);
  };
  session = { ...opened, send };
  namespaceId = (await createNamespace(session, 'KV')).id;
  await createBucket(session, 'assets');
  return () => opened.close();
});

beforeEach(async () => {
  await journal.purge();
  refuse = undefined;
  clock += 3_600_000;
  made += 1;
});

async function put(text: string, extra: Omit<NewValue, 'value'> = {}): Promise<string> {
  const key = `key-${made}`;
  await writeValue(session, namespaceId, key, { value: Buffer.from(text), ...extra });
  return key;
}

async function removed(key: string) {
  const { before, entry } = await removeKeyWithUndo(session, namespaceId, key);
  if (entry === undefined) throw new Error('nothing was kept');
  return { before, entry };
}

const stored = (key: string) => readKey(session, namespaceId, key);
const saved = async () => (await journal.list()).entries;
const isNew = (text: string) => ({
  value: Buffer.from(text),
  expiry: {},
  metadata: { json: undefined },
  basis: undefined,
});

test('restores a deleted key completely, and only once', async () => {
  const expiration = Math.floor(clock / 1000) + 500;
  const key = await put('old', { metadata: { a: [1] }, expiration });
  const whole = await stored(key);
  const { before, entry } = await removed(key);
  expect(before).toEqual(whole);
  expect(entry).toMatchObject({
    did: 'deleted',
    by: 'script',
    target: 'production',
    thing: { kind: 'value', namespaceId, key, expiration, metadata: { a: [1] } },
    size: 3,
    sha256: hashValue(Buffer.from('old')),
    left: 'nothing',
  });
  expect(await stored(key)).toBeUndefined();
  expect(await restore(session, entry, plain)).toEqual({
    outcome: 'restored',
    what: { kind: 'value', namespaceId, entry: { name: key, expiration, metadata: { a: [1] } } },
  });
  expect(await stored(key)).toEqual(whole);
  expect(await saved()).toEqual([]);
});

test('saves neither expiry nor metadata for a key that has neither', async () => {
  const key = await put('plain');
  const { entry } = await removed(key);
  expect(entry.thing).toStrictEqual({ kind: 'value', namespaceId, key });
  expect(await restore(session, entry, plain)).toStrictEqual({
    outcome: 'restored',
    what: { kind: 'value', namespaceId, entry: { name: key } },
  });
  expect(await stored(key)).toEqual({ entry: { name: key }, value: Buffer.from('plain') });
});

test('saves nothing for a missing key', async () => {
  expect(await removeKeyWithUndo(session, namespaceId, `none-${made}`)).toEqual({
    before: undefined,
    entry: undefined,
  });
  const change = { key: `none-${made}`, ...isNew('first') };
  const { written, entry } = await writeKeyWithUndo(session, namespaceId, change);
  expect(written.outcome).toBe('stored');
  expect(entry).toBeUndefined();
  expect(await saved()).toEqual([]);
});

test('saves the value that a restore replaces', async () => {
  const key = await put('old', { metadata: { m: 1 } });
  const { entry } = await writeKeyWithUndo(session, namespaceId, { key, ...isNew('new') });
  if (entry === undefined) throw new Error('nothing was kept');
  expect(entry).toMatchObject({ did: 'replaced', left: { mark: hashValue(Buffer.from('new')) } });
  expect((await stored(key))?.value.toString()).toBe('new');
  expect(await restore(session, entry, plain)).toMatchObject({ outcome: 'restored' });
  expect(await stored(key)).toMatchObject({ entry: { metadata: { m: 1 } }, value: Buffer.from('old') });
  const [inTurn, ...others] = await saved();
  expect(others).toEqual([]);
  expect(inTurn).toMatchObject({ did: 'restored', left: { mark: hashValue(Buffer.from('old')) } });
  expect(inTurn && Buffer.from(await journal.read(inTurn)).toString()).toBe('new');
});

test.each([
  ['another value', 'other', undefined, 'another value: 5 B, text "other"'],
  ['the same value with other metadata', 'old', { by: 'them' }, 'another value: 3 B, text "old"'],
])(
  'requires --force to overwrite %s that was written since, and saves it first',
  async (_, text, metadata, there) => {
    const key = await put('old', { metadata: { by: 'us' } });
    const { entry } = await removed(key);
    await put(text, { metadata });
    expect(await restore(session, entry, plain)).toEqual({
      outcome: 'other',
      why: `Since the value of ${key} was deleted, ${there} has been written there.`,
    });
    expect((await stored(key))?.entry.metadata).toEqual(metadata);
    expect(await saved()).toHaveLength(1);
    expect(await restore(session, entry, force)).toMatchObject({ outcome: 'restored' });
    expect((await stored(key))?.entry.metadata).toEqual({ by: 'us' });
    expect(await saved()).toMatchObject([{ did: 'restored', size: text.length }]);
  },
);

test.each([undefined, { a: 1 }])('writes an unchanged value, and saves nothing: %j', async (metadata) => {
  const key = await put('old', { metadata });
  const { entry } = await writeKeyWithUndo(session, namespaceId, { key, ...isNew('new') });
  if (entry === undefined) throw new Error('nothing was kept');
  await put('old', { metadata });
  expect(await restore(session, entry, plain)).toMatchObject({ outcome: 'restored' });
  expect(await saved()).toEqual([]);
  expect((await stored(key))?.entry.metadata).toEqual(metadata);
});

// For a key without metadata, the API writes `null`.
test('treats null metadata as none', async () => {
  const key = await put('old');
  const { entry } = await removed(key);
  if (entry.thing.kind !== 'value') throw new Error('another kind');
  await put('old');
  const nulled = { ...entry, thing: { ...entry.thing, metadata: null } };
  expect(await restore(session, nulled, plain)).toMatchObject({ outcome: 'restored' });
  expect(await saved()).toEqual([]);
  expect(await stored(key)).toEqual({ entry: { name: key }, value: Buffer.from('old') });
});

test('restores a deleted key whose name edgectl accepts only with --any-key', async () => {
  const key = `white space ${made}\n`;
  await writeValue(session, namespaceId, key, { value: Buffer.from('old'), anyKey: true });
  const { entry } = await removed(key);
  expect(await restore(session, entry, plain)).toMatchObject({ outcome: 'restored' });
  expect((await stored(key))?.value.toString()).toBe('old');
});

// The platform rejects an expiry less than 60 seconds away.
test('restores a value without its expiry if the expiry is less than a minute away, or does not restore the value', async () => {
  const expiration = Math.floor(clock / 1000) + 100;
  const key = await put('old', { expiration });
  const { entry } = await removed(key);
  clock += 41_000;
  expect(await restore(session, entry, force)).toEqual({
    outcome: 'expired',
    why: expect.stringContaining(
      `The expiry of the value of ${key} has passed, or is less than a minute away`,
    ),
  });
  expect(await stored(key)).toBeUndefined();
  clock -= 1_000;
  expect(await restore(session, entry, plain)).toMatchObject({ outcome: 'restored' });
  expect((await stored(key))?.entry.expiration).toBe(expiration);
  const again = await removed(key);
  clock += 100_000;
  expect(await restore(session, again.entry, { force: false, withoutExpiry: true })).toEqual({
    outcome: 'restored',
    what: { kind: 'value', namespaceId, entry: { name: key } },
  });
  expect((await stored(key))?.entry).toEqual({ name: key });
});

// After a 5xx, or without an answer, it is unknown whether the key was deleted.
test.each([
  ['refused by the platform', new Problem('refused', 'No.', { status: 403 }), 0],
  ['refused before it was sent', new Problem('usage', 'No.'), 0],
  ['answered with a 400', new Problem('refused', 'No.', { status: 400 }), 0],
  ['answered with a 500', new Problem('refused', 'No.', { status: 500 }), 1],
  ['not answered', new Problem('unreachable', 'No.'), 1],
  ['failed by an internal error', new Error('No.'), 1],
])('keeps an entry unless the delete certainly failed: %s', async (_, problem, entries) => {
  const key = await put('old');
  refuse = problem;
  await expect(removeKeyWithUndo(session, namespaceId, key)).rejects.toThrow('No.');
  expect(await saved()).toHaveLength(entries);
});

test('restores an entry only on the platform where it was saved', async () => {
  const key = await put('old');
  const { entry } = await removed(key);
  const elsewhere = { ...session, accountId: async () => 'f'.repeat(32) };
  await expect(restore(elsewhere, entry, force)).rejects.toMatchObject({
    code: 'usage',
    message: expect.stringMatching(
      /^The item was deleted or replaced on .* can be restored only there, not on .*f{32}/,
    ),
    hint: expect.stringContaining("Choose the entry's profile, account and target"),
  });
  expect(await stored(key)).toBeUndefined();
  expect(await saved()).toHaveLength(1);
});

const metadata = {
  httpMetadata: { contentType: 'text/plain', cacheControl: 'no-store', cacheExpiry: Date.UTC(2027, 0, 1) },
  customMetadata: { owner: 'web' },
  storageClass: 'Standard',
};

async function putObject(text: string, extra: Omit<NewObject, 'size' | 'open'> = metadata) {
  const address = { bucket: 'assets', key: `object-${made}` };
  await writeObject(session, address, { ...extra, size: text.length, open: () => chunksOf(text) });
  return address;
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}

async function objectText(address: Parameters<typeof readObject>[1]): Promise<string | undefined> {
  const opened = await readObject(session, address);
  return opened && Buffer.from(await readBody(opened.body, 100)).toString();
}

test('restores a deleted object with its metadata', async () => {
  const address = await putObject('old');
  const before = await readObjectEntry(session, address);
  const entry = await removeObjectWithUndo(session, address);
  if (entry === undefined) throw new Error('nothing was kept');
  const thing = { kind: 'object', ...address, etag: md5('old'), ...metadata };
  expect(entry).toMatchObject({ did: 'deleted', left: 'nothing', size: 3 });
  expect(entry.thing).toEqual(thing);
  expect(await readObjectEntry(session, address)).toBeUndefined();
  clock += 5_000;
  const back = { ...before, uploaded: clock };
  const { storageClass: _, ...shown } = back;
  expect(await restore(session, entry, plain)).toEqual({
    outcome: 'restored',
    what: { kind: 'object', bucket: 'assets', entry: shown },
  });
  expect(await readObjectEntry(session, address)).toMatchObject({ ...back, uploaded: expect.any(Number) });
  expect(await objectText(address)).toBe('old');
  expect(await saved()).toEqual([]);
});

test('restores an object without metadata, and adds no metadata', async () => {
  const address = await putObject('old', { httpMetadata: {}, customMetadata: {} });
  const before = await readObjectEntry(session, address);
  const entry = await removeObjectWithUndo(session, address);
  if (entry === undefined) throw new Error('nothing was kept');
  calls = [];
  expect(await restore(session, entry, plain)).toStrictEqual({
    outcome: 'restored',
    what: {
      kind: 'object',
      bucket: 'assets',
      entry: {
        key: address.key,
        size: 3,
        etag: md5('old'),
        uploaded: clock,
        httpMetadata: {},
        customMetadata: {},
      },
    },
  });
  expect(calls).toEqual(['GET', 'PUT']);
  const { uploaded: _, ...back } = before ?? {};
  expect(await readObjectEntry(session, address)).toMatchObject(back);
});

test('restores an object that was replaced, and saves its replacement', async () => {
  const address = await putObject('old');
  const change = () => putObject('new', { httpMetadata: {}, customMetadata: {} });
  const { entry } = await storeWithUndo(session, address, async () => md5('new'), change);
  if (entry === undefined) throw new Error('nothing was kept');
  expect(entry).toMatchObject({ did: 'replaced', left: { mark: md5('new') } });
  expect(await restore(session, entry, plain)).toMatchObject({ outcome: 'restored' });
  expect(await objectText(address)).toBe('old');
  const [inTurn, ...others] = await saved();
  expect(others).toEqual([]);
  expect(inTurn).toMatchObject({ did: 'restored', left: { mark: md5('old') } });
  expect(inTurn && Buffer.from(await journal.read(inTurn)).toString()).toBe('new');
  // The value is the same as before the change, so restoring writes it again, and no data is lost.
  clock += 1;
  expect(
    await storeWithUndo(
      session,
      address,
      async () => md5('old'),
      () => putObject('old'),
    ),
  ).toBeDefined();
  const [again] = await saved();
  expect(again && (await restore(session, again, plain))).toMatchObject({ outcome: 'restored' });
  expect(await saved()).toHaveLength(1);
});

test('requires --force to overwrite an object that was stored since', async () => {
  const address = await putObject('old');
  const entry = await removeObjectWithUndo(session, address);
  if (entry === undefined) throw new Error('nothing was kept');
  await putObject('theirs');
  expect(await restore(session, entry, plain)).toEqual({
    outcome: 'other',
    why: `Since the object assets/${address.key} was deleted, another object: 6 B, etag ${md5('theirs')} has been written there.`,
  });
  expect(await objectText(address)).toBe('theirs');
  expect(await restore(session, entry, force)).toMatchObject({ outcome: 'restored' });
  expect(await objectText(address)).toBe('old');
});

test('restores an object that was replaced and then deleted', async () => {
  const address = await putObject('old');
  const { entry } = await storeWithUndo(
    session,
    address,
    async () => md5('new'),
    () => putObject('new'),
  );
  if (entry === undefined) throw new Error('nothing was kept');
  await removeObject(session, address);
  expect(await restore(session, entry, plain)).toMatchObject({ outcome: 'restored' });
  expect(await objectText(address)).toBe('old');
});

test('saves no missing object, and notifies the caller about an object that is too large for the journal', async () => {
  const tooLarge: number[] = [];
  const note = (size: number) => tooLarge.push(size);
  const address = { bucket: 'assets', key: `large-${made}` };
  expect(await removeObjectWithUndo(session, address, note)).toBeUndefined();
  const size = undoLimits.entryBytes + 1;
  async function* open() {
    yield Buffer.alloc(size);
  }
  await writeObject(session, address, { httpMetadata: {}, customMetadata: {}, size, open });
  expect(await removeObjectWithUndo(session, address, note)).toBeUndefined();
  expect(tooLarge).toEqual([size]);
  expect([size - 1, size].map(fitsJournal)).toEqual([true, false]);
  await writeObject(session, address, { httpMetadata: {}, customMetadata: {}, size, open });
  expect(await removeObjectWithUndo(session, address)).toBeUndefined();
  expect(await readObjectEntry(session, address)).toBeUndefined();
  expect(await saved()).toEqual([]);
});
