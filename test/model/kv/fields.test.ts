import { expect, test } from 'vitest';
import { describeUnknownField, likelyField, unknownFields } from '../../../src/model/kv/bulk-fields.ts';

test('the fields that tools write are known', () => {
  const exported = { key: 'a', value: '', metadata: {}, expiration: 1, expiration_ttl: 60, base64: true };
  expect(unknownFields(exported)).toBeUndefined();
  expect(unknownFields({ key: 'a', constructor: 1, ttl: 5 })).toEqual(['constructor', 'ttl']);
  expect(unknownFields(JSON.parse('{"key": "a", "__proto__": 1}'))).toEqual(['__proto__']);
});

test.each([
  ['expirationTtl', 'expiration_ttl'],
  ['expirationTTL', 'expiration_ttl'],
  ['expiration-ttl', 'expiration_ttl'],
  ['ttl', 'expiration_ttl'],
  ['expires_at', 'expiration'],
  ['Expiration', 'expiration'],
  ['expirtion', 'expiration'],
  ['meta', 'metadata'],
  ['metaData', 'metadata'],
  ['isBase64', 'base64'],
  ['name', undefined],
  ['constructor', undefined],
  ['__proto__', undefined],
  ['', undefined],
])('%s most likely means %s', (field, meant) => {
  expect(likelyField(field, { key: 'a', value: '' })).toBe(meant);
});

test('what an entry has already is not what another field means', () => {
  expect(likelyField('meta', { key: 'a', value: '', metadata: {} })).toBeUndefined();
});

test('an unknown field is described with its entry, key and what it may mean, and cut when it is long', () => {
  const found = { index: 3, key: 'a', field: 'ttl' };
  expect(describeUnknownField({ ...found, meant: 'expiration_ttl' })).toBe(
    'Entry 3, key "a": the field "ttl" is not known and is ignored. Did you mean "expiration_ttl"?',
  );
  expect(describeUnknownField({ ...found, field: 'x'.repeat(500) })).toBe(
    `Entry 3, key "a": the field "${'x'.repeat(60)}…" is not known and is ignored.`,
  );
});
