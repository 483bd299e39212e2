import { expect, test } from 'vitest';
import { routes } from '../../../src/sandbox/http/app.ts';
import { matchPattern, spellOutMatch, v4Roots } from '../../../src/sandbox/traffic/match.ts';

test.each([
  ['PUT /pictures/**', 'PUT s3:/pictures/**'],
  ['/pictures', 's3:/pictures'],
  ['* s3:/accounts/**', '* s3:/accounts/**'],
  ['GET /zones/**', 'GET /zones/**'],
  ['/client/v4/zones', '/client/v4/zones'],
  ['* /**/a', '* /**/a'],
  ['/*', '/*'],
])('a fault that matches %s is written in full as %s', (match, spelled) => {
  expect(match).toMatch(matchPattern);
  expect(spellOutMatch(match)).toBe(spelled);
});

test('no route of the v4 API can be mistaken for a bucket', () => {
  const roots = routes.map(({ pattern }) => pattern.split('/')[1] ?? '');
  expect([...new Set(roots)].filter((root) => !v4Roots.includes(root))).toEqual([]);
});
