import { expect, test } from 'vitest';
import { type KeyWrite, readKey, writeKey } from '../../../components/kv/key-commands.ts';
import { type MemoryKv, memoryKv } from '../memory-kv.ts';

const now = Date.UTC(2026, 10, 21, 10);
const seconds = now / 1000;
const { signal } = new AbortController();

function accountWith(value?: string, extra = {}): MemoryKv {
  const kv = memoryKv(() => now);
  if (value !== undefined) kv.put('ns', 'key', value, extra);
  return kv;
}

function write(kv: MemoryKv, change: Partial<KeyWrite>) {
  const whole: KeyWrite = {
    does: 'write',
    key: 'key',
    value: Buffer.from('mine'),
    expiry: 'kept',
    metadata: 'kept',
    basis: undefined,
    ...change,
  };
  return writeKey(kv.service, 'ns', whole, now, signal);
}

test('reads a key whole, or says that there is none', async () => {
  const kv = accountWith('hello', { metadata: { a: 1 }, expiration: seconds + 500 });
  expect(await readKey(kv.service, 'ns', 'key', signal)).toEqual({
    entry: { name: 'key', metadata: { a: 1 }, expiration: seconds + 500 },
    value: Buffer.from('hello'),
  });
  expect(await readKey(kv.service, 'ns', 'other', signal)).toBeUndefined();
});

test('keeps expiry and metadata of the key as it is now', async () => {
  const kv = accountWith('old', { metadata: { a: 1 }, expiration: seconds + 500 });
  expect(await write(kv, {})).toMatchObject({ outcome: 'stored' });
  expect(kv.find('ns', 'key')).toEqual({
    entry: { name: 'key', metadata: { a: 1 }, expiration: seconds + 500 },
    value: Buffer.from('mine'),
  });
});

test('says how the key now is', async () => {
  const written = await write(accountWith('old'), { expiry: { ttl: 90 }, metadata: { json: { b: 2 } } });
  expect(written).toEqual({
    outcome: 'stored',
    value: Buffer.from('mine'),
    entry: { name: 'key', expiration: seconds + 90, metadata: { b: 2 } },
  });
});

test('keeps the value when only its expiry or metadata change', async () => {
  const kv = accountWith('theirs');
  await write(kv, { value: 'kept', metadata: { json: { b: 2 } } });
  expect(kv.find('ns', 'key')?.value).toEqual(Buffer.from('theirs'));
});

test.each([
  ['exists', 'theirs', 'absent'],
  ['changed', 'theirs', Buffer.from('before')],
  ['gone', undefined, Buffer.from('before')],
] as const)('holds a write back when the key %s', async (theirs, value, basis) => {
  const kv = accountWith(value);
  expect(await write(kv, { basis })).toEqual({ outcome: 'conflict', theirs });
  expect(kv.find('ns', 'key')?.value.toString()).toBe(value);
  expect(kv.calls.some((call) => call.startsWith('writeValue'))).toBe(false);
});

test('writes when the key is what the change was made from', async () => {
  const kv = accountWith('before');
  expect(await write(kv, { basis: Buffer.from('before') })).toMatchObject({ outcome: 'stored' });
  expect(await write(accountWith(), { basis: 'absent' })).toMatchObject({ outcome: 'stored' });
});

test('refuses to keep an expiry that is too near, and changes nothing', async () => {
  const kv = accountWith('old', { expiration: seconds + 20 });
  await expect(write(kv, {})).rejects.toMatchObject({
    code: 'invalid-input',
    message: expect.stringContaining('20 s'),
  });
  expect(kv.find('ns', 'key')?.value.toString()).toBe('old');
});

test('refuses to keep the value of a key that is gone', async () => {
  await expect(write(accountWith(), { value: 'kept' })).rejects.toMatchObject({ code: 'not-found' });
});
