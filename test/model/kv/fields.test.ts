import { expect, test } from 'vitest';
import { likelyField, unknownFieldFault } from '../../../src/model/kv/bulk-fields.ts';

test('accepts the fields of exported entries, and reports unknown fields', () => {
  const exported = { key: 'a', value: '', metadata: {}, expiration: 1, expiration_ttl: 60, base64: true };
  expect(unknownFieldFault(exported)).toBeUndefined();
  expect(unknownFieldFault({ key: 'a', constructor: 1, ttl: 5 })).toBe(
    'unknown field "constructor"; unknown field "ttl", use "expiration_ttl"',
  );
  expect(unknownFieldFault(JSON.parse('{"key": "a", "__proto__": 1}'))).toBe('unknown field "__proto__"');
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
])('parses the field %s as %s', (field, meant) => {
  expect(likelyField(field, { key: 'a', value: '' })).toBe(meant);
});

test('does not suggest a field that the entry contains', () => {
  expect(likelyField('meta', { key: 'a', value: '', metadata: {} })).toBeUndefined();
});

test('shortens a long field name', () => {
  expect(unknownFieldFault({ ['x'.repeat(500)]: 1 })).toBe(`unknown field "${'x'.repeat(60)}…"`);
});
