import { beforeAll, expect, test } from 'vitest';
import { hashValue, type KeyChange, readKey, writeKey } from '../../../src/services/kv/key-change.ts';
import { type NewValue, writeValue } from '../../../src/services/kv/kv.ts';
import { createNamespace } from '../../../src/services/kv/namespaces.ts';
import { openSession } from '../../../src/services/session/open-session.ts';
import { plainChoice, type Session } from '../../../src/services/session/session.ts';
import { testWorld } from '../../support/world.ts';

const now = Date.UTC(2026, 10, 21, 10);
const seconds = now / 1000;
const basisOf = (value: string) => ({ sha256: hashValue(Buffer.from(value)) });

let session: Session;
let namespaceId: string;
/** The methods of the calls since the test reset the list. */
let calls: string[] = [];
let clock = now;
let made = 0;

beforeAll(async () => {
  const opened = await openSession(
    testWorld({ now: () => clock }),
    { ...plainChoice, profile: 'sandbox' },
    { note: () => undefined },
  );
  session = {
    ...opened,
    send(call) {
      calls.push(call.method);
      return opened.send(call);
    },
  };
  namespaceId = (await createNamespace(session, 'KV')).id;
  return () => opened.close();
});

/** Creates a separate key for each test, with this value or without a value. */
async function keyWith(value?: string, extra: Omit<NewValue, 'value'> = {}): Promise<string> {
  made += 1;
  const key = `key-${made}`;
  if (value !== undefined)
    await writeValue(session, namespaceId, key, { value: Buffer.from(value), ...extra });
  calls = [];
  return key;
}

function write(key: string, change: Partial<KeyChange>, anyKey?: boolean) {
  const whole: KeyChange = {
    key,
    value: Buffer.from('mine'),
    expiry: 'kept',
    metadata: 'kept',
    basis: undefined,
    ...change,
  };
  return writeKey(session, namespaceId, whole, anyKey === undefined ? {} : { anyKey });
}

const storedAt = (key: string) => readKey(session, namespaceId, key);
const textAt = async (key: string) => (await storedAt(key))?.value.toString();

test('reads a key completely, or reports that it does not exist', async () => {
  const key = await keyWith('hello', { metadata: { a: 1 }, expiration: seconds + 500 });
  expect(await storedAt(key)).toEqual({
    entry: { name: key, metadata: { a: 1 }, expiration: seconds + 500 },
    value: Buffer.from('hello'),
  });
  expect(await storedAt('other')).toBeUndefined();
});

test('keeps the current expiry and metadata of the key', async () => {
  const key = await keyWith('old', { metadata: { a: 1 }, expiration: seconds + 500 });
  expect(await write(key, {})).toMatchObject({ outcome: 'stored' });
  expect(await storedAt(key)).toEqual({
    entry: { name: key, metadata: { a: 1 }, expiration: seconds + 500 },
    value: Buffer.from('mine'),
  });
});

test('returns the new state of the key', async () => {
  const key = await keyWith('old');
  expect(await write(key, { expiry: { ttl: 90 }, metadata: { json: { b: 2 } } })).toEqual({
    outcome: 'stored',
    value: Buffer.from('mine'),
    entry: { name: key, expiration: seconds + 90, metadata: { b: 2 } },
  });
});

test('keeps the value if only its expiry or metadata changes', async () => {
  const key = await keyWith('theirs');
  await write(key, { value: 'kept', metadata: { json: { b: 2 } } });
  expect(await textAt(key)).toBe('theirs');
});

test.each([
  ['exists', 'theirs', 'absent'],
  ['changed', 'theirs', basisOf('before')],
  ['gone', undefined, basisOf('before')],
] as const)('refuses a write if the key %s, and reports the current state', async (theirs, value, basis) => {
  const key = await keyWith(value);
  const conflict = { outcome: 'conflict', theirs, ...(value !== undefined && basisOf(value)) };
  expect(await write(key, { basis })).toEqual(conflict);
  expect(await textAt(key)).toBe(value);
  expect(calls).not.toContain('PUT');
});

test('writes if the key still matches the state on which the change is based', async () => {
  const key = await keyWith('before');
  expect(await write(key, { basis: basisOf('before') })).toMatchObject({ outcome: 'stored' });
  expect(await write(await keyWith(), { basis: 'absent' })).toMatchObject({ outcome: 'stored' });
});

test('reads only the value if neither expiry nor metadata must be kept', async () => {
  const key = await keyWith('before', { metadata: { a: 1 } });
  await write(key, { basis: basisOf('before'), expiry: {}, metadata: { json: undefined } });
  expect(calls).toEqual(['GET', 'PUT']);
  expect(await storedAt(key)).toEqual({ entry: { name: key }, value: Buffer.from('mine') });
});

test.each<[string, Partial<KeyChange>]>([
  ['an expiry', { expiry: { ttl: 1 } }],
  ['metadata', { metadata: { json: [1] } }],
  ['a key', { key: '..' }],
])('rejects %s that cannot be stored, before anything is sent', async (_, change) => {
  const key = await keyWith('old');
  await expect(write(key, change)).rejects.toMatchObject({ code: 'invalid-input' });
  expect(calls).toEqual([]);
});

test('writes an unusual key if it already exists, or if unusual keys are allowed', async () => {
  await expect(write('two words', {})).rejects.toThrow('whitespace');
  expect(await write('two words', {}, true)).toMatchObject({ outcome: 'stored' });
  expect(await write('two words', { value: Buffer.from('again') })).toMatchObject({ outcome: 'stored' });
  calls = [];
  await expect(write('two words', {}, false)).rejects.toThrow('whitespace');
  expect(calls).toEqual([]);
});

test('refuses to keep an expiry that is less than a minute away, and changes nothing', async () => {
  const key = await keyWith('old', { expiration: seconds + 500 });
  clock += 480_000;
  await expect(write(key, {})).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('20 s'),
  });
  expect(await textAt(key)).toBe('old');
  clock = now;
});

test('refuses to keep the value of a deleted key', async () => {
  await expect(write(await keyWith(), { value: 'kept' })).rejects.toMatchObject({ code: 'not-found' });
});
