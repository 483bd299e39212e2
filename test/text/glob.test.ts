import { expect, test } from 'vitest';
import { globMatcher } from '../../src/text/glob.ts';
import { cost } from '../fuzz/fuzz.ts';

test.each([
  ['user:*:cart', ['user:1/x:cart', 'user::cart'], ['user:1', 'xuser:1:cart', 'user:1:cart2']],
  ['a?c', ['abc', 'a/c', 'a😀c'], ['ac', 'abbc']],
  ['[a-c]x[!0-9]', ['axy', 'cx/'], ['dxy', 'ax1', 'ax']],
  ['[]a\\]]-[^-a]', [']-b', 'a-!'], ['b-b', 'a--']],
  ['{user,cart}:{a,b*}', ['user:a', 'cart:bcd'], ['user:c', 'userbcart:a']],
  ['x{,y{1,2}}', ['x', 'xy1', 'xy2'], ['xy', 'xy3']],
  ['{a}[', ['{a}['], ['a[']],
  ['{a,b', ['{a,b'], ['a']],
  ['\\*\\{a,b\\}', ['*{a,b}'], ['xa']],
  ['(a|b)+!', ['(a|b)+!'], ['a']],
  ['*', ['', '.a', 'a\nb'], []],
])('the pattern %s matches exactly the expected names', (glob, fitting, others) => {
  const matches = globMatcher(glob);
  for (const name of fitting) expect([name, matches(name)]).toEqual([name, true]);
  for (const name of others) expect([name, matches(name)]).toEqual([name, false]);
});

test.each(['', 'x'.repeat(5000)])('rejects an empty pattern and a pattern of 5,000 characters', (glob) => {
  expect(() => globMatcher(glob)).toThrow('A pattern must not be');
});

test('matches a pattern with many stars in linear time', () => {
  const name = 'a'.repeat(512);
  expect(cost(() => globMatcher(`${'*a'.repeat(30)}*b`)(name))).toBeLessThan(1000);
  expect(cost(() => globMatcher(`${'{a*,*a,*}'.repeat(30)}b`)(name))).toBeLessThan(1000);
  expect(cost(() => globMatcher('{a,'.repeat(1300)))).toBeLessThan(3000);
});
