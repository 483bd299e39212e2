import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedNumberFault, mayHoldChangedNumber } from '../../../src/model/kv/changed-number.ts';

test.each([
  ['{"id": 9007199254740993}', '9007199254740993', '9007199254740992'],
  ['{"a": [{"b": -12345678901234567890}]}', '-12345678901234567890', '-12345678901234567000'],
  ['12345678901234567890123', '12345678901234567890123', '1.2345678901234568e+22'],
  ['{"a": 1e999}', '1e999', 'null'],
])('reports a number that would be stored as a different number: %s', (json, written, stored) => {
  expect(changedNumberFault(json)).toBe(`contains ${written}, which would be stored as ${stored}`);
  expect(mayHoldChangedNumber(JSON.parse(json))).toBe(true);
});

test.each([
  '{"id": "9007199254740993"}',
  '{"9007199254740993": 1}',
  '{"largest": 9007199254740991, "lowest": -9007199254740991}',
  '{"power": 9007199254740992, "printed": 12345678901234567000, "round": 1000000000000000000000}',
  '{"longitude": 0.12345678901234567, "exponent": 1.5e300, "fraction": 1234567890123456.5}',
])('accepts a number that would be stored unchanged: %s', (json) => {
  expect(changedNumberFault(json)).toBeUndefined();
});

test('checks numbers only in the given field', () => {
  const json = '{"id": 9007199254740993, "metadata": {"n": 12345678901234567890}}';
  expect(changedNumberFault(json, 'metadata')).toContain('12345678901234567890');
  expect(changedNumberFault('{"id": 9007199254740993, "metadata": {"n": 1}}', 'metadata')).toBeUndefined();
  expect(changedNumberFault('"text"', 'metadata')).toBeUndefined();
});

test('shortens a number of a million digits in the error', () => {
  const fault = changedNumberFault(`{"n": ${'9'.repeat(1_000_000)}}`) ?? '';
  expect(fault).toMatch(/^contains 9{40}…, which would be stored as null$/);
});

test('accepts everything that JSON.stringify prints', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(changedNumberFault(JSON.stringify(value))).toBeUndefined();
    }),
  );
});
