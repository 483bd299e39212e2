import { expect, test } from 'vitest';
import { findDamagedToken } from '../../../src/model/diagnosis/rules/mangled.ts';

const token = 'a-Token-of-this-order-0123456789';

test.each([
  [`"${token}"`, 'contains quotes as part of its value.'],
  [`${token}.`, 'ends with a dot.'],
  [token.toLowerCase(), 'has letters in the wrong case.'],
  [token.slice(0, 20), 'is truncated.'],
  [` ${token}`, 'has leading or trailing spaces.'],
  [`a-Token-of \n-this-order-0123456789`, 'contains a space or a line break.'],
  [`a-Token\u200b-of-this-order-0123456789`, 'contains an invisible character.'],
  ['a-Token-of\\-this-order-0123456789', 'contains backslashes as part of its value.'],
  [`txt=${token}`, 'contains additional text.'],
])('explains why %j is not the token: %s', (text, how) => {
  expect(findDamagedToken([text], [token])).toEqual({ found: text, wanted: token, how });
});

test('does not treat an unrelated value as a damaged token', () => {
  expect(findDamagedToken(['v=spf1 -all', token], [token])).toBeUndefined();
});
