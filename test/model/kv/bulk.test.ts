import { describe, expect, it } from 'vitest';
import { parseKeyEntry, parsePutEntry } from '../../../src/model/kv/bulk.ts';

const now = Date.UTC(2026, 10, 21);
const seconds = now / 1000;
const put = (value: unknown, anyKey = false) => parsePutEntry(value, 4, { now, anyKey });

describe('a bulk put entry', () => {
  it('is sent with its known fields, and rejected with an unknown field', () => {
    expect(put({ key: 'a', value: '1', metadata: { b: 1 }, base64: false })).toEqual({
      key: 'a',
      sent: { key: 'a', value: '1', metadata: { b: 1 } },
    });
    expect(put({ key: 'a', value: '1', other: 5 })).toMatchObject({ reason: 'unknown field "other"' });
  });

  it('is sent with its time to live and without its expiration, which is not checked', () => {
    expect(put({ key: 'a', value: '', expiration: 5, expiration_ttl: 60 })).toEqual({
      key: 'a',
      sent: { key: 'a', value: '', expiration_ttl: 60 },
    });
  });

  it.each([
    [null, 'not null'],
    ['text', 'not the string "text"'],
    [[1], 'not an array'],
    [{ value: 'x' }, 'key must be a string, not missing'],
    [{ key: 5, value: 'x' }, 'key must be a string, not number 5'],
    [{ key: '', value: 'x' }, 'a key cannot be empty'],
    [{ key: '..', value: 'x' }, 'it would name another path'],
    [{ key: 'é'.repeat(257), value: 'x' }, 'at most 512 bytes'],
    [{ key: 'a b', value: 'x' }, 'character 2 is U+0020'],
    [{ key: 'a' }, 'value must be a string, not missing'],
    [{ key: 'a', value: { b: 1 } }, 'value must be a string, not an object'],
    [{ key: 'a', value: 'a\ud800' }, 'half of a surrogate pair'],
    [{ key: 'a', value: 'x'.repeat(26_214_401) }, 'at most 26,214,400 bytes'],
    [{ key: 'a', value: '€'.repeat(8_738_134) }, 'at most 26,214,400 bytes'],
    [{ key: 'a', value: '????', base64: true }, 'not valid base64'],
    [{ key: 'a', value: 'YQ=', base64: true }, 'not valid base64'],
    [{ key: 'a', value: 'YQ==', base64: 'yes' }, 'base64 must be true or false'],
    [{ key: 'a', value: '', metadata: [] }, 'metadata must be a JSON object'],
    [{ key: 'a', value: '', metadata: { m: 'x'.repeat(1020) } }, 'at most 1,024 bytes'],
    [{ key: 'a', value: '', expiration_ttl: 59 }, 'at least 60'],
    [{ key: 'a', value: '', expiration_ttl: '60' }, 'expiration_ttl must be a number'],
    [{ key: 'a', value: '', expiration: seconds + 59 }, 'at least 60 seconds ahead'],
    [{ key: 'a', value: '', expiration: seconds + 100.5 }, 'a whole number of UNIX seconds'],
  ])('is rejected with its index: %j', (value, reason) => {
    expect(put(value)).toMatchObject({ index: 4, reason: expect.stringContaining(reason) });
  });

  it('may contain whitespace and control characters in its key with anyKey, but no empty key', () => {
    expect(put({ key: 'a b\n', value: '' }, true)).toMatchObject({ key: 'a b\n' });
    expect(put({ key: '', value: '' }, true)).toMatchObject({ reason: 'a key cannot be empty' });
  });
});

describe('a bulk delete entry', () => {
  it('is a key, or an object with a name', () => {
    expect(parseKeyEntry('a b', 0)).toEqual({ key: 'a b', sent: 'a b' });
    expect(parseKeyEntry({ name: 'a', metadata: 1 }, 0)).toEqual({ key: 'a', sent: 'a' });
  });

  it.each([5, null, {}, { name: 5 }, [], '', '..'])('is rejected: %j', (value) => {
    expect(parseKeyEntry(value, 7)).toMatchObject({ index: 7, reason: expect.any(String) });
  });
});
