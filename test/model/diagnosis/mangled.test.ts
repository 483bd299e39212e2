import { expect, test } from 'vitest';
import { findDamagedToken } from '../../../src/model/diagnosis/rules/mangled.ts';

const token = 'a-Token-of-this-order-0123456789';

test.each([
  [`"${token}"`, 'has quotes as part of its value.'],
  [`${token}.`, 'has a dot at its end.'],
  [token.toLowerCase(), 'differs in upper or lower case.'],
  [token.slice(0, 20), 'is truncated.'],
  [` ${token}`, 'has spaces around it.'],
  [`a-Token-of \n-this-order-0123456789`, 'contains a space or a line break.'],
  [`a-Token\u200b-of-this-order-0123456789`, 'contains an invisible character.'],
  ['a-Token-of\\-this-order-0123456789', 'has backslashes as part of its value.'],
  [`txt=${token}`, 'has additional text around it.'],
])('explains why %j is not the token: %s', (text, how) => {
  expect(findDamagedToken([text], [token])).toEqual({ found: text, wanted: token, how });
});

test('does not treat an unrelated value as a damaged token', () => {
  expect(findDamagedToken(['v=spf1 -all', token], [token])).toBeUndefined();
});
