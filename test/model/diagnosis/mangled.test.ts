import { expect, test } from 'vitest';
import { findDamagedToken } from '../../../src/model/diagnosis/rules/mangled.ts';

const token = 'a-Token-of-this-order-0123456789';

test.each([
  [`"${token}"`, 'has quotes that belong to its value.'],
  [`${token}.`, 'has a dot at its end.'],
  [token.toLowerCase(), 'has other upper and lower case.'],
  [token.slice(0, 20), 'is cut at its end.'],
  [` ${token}`, 'has blanks around it.'],
  [`a-Token-of \n-this-order-0123456789`, 'has a blank or a line feed within it.'],
  [`a-Token\u200b-of-this-order-0123456789`, 'has a character in it that cannot be seen.'],
  ['a-Token-of\\-this-order-0123456789', 'has backslashes that belong to its value.'],
  [`txt=${token}`, 'has more text around it.'],
])('%j %s', (text, how) => {
  expect(findDamagedToken([text], [token])).toEqual({ found: text, wanted: token, how });
});

test('another text is no spoilt one', () => {
  expect(findDamagedToken(['v=spf1 -all', token], [token])).toBeUndefined();
});
