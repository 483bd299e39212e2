import { expect, test } from 'vitest';
import { buildPath } from '../../src/v4/path.ts';

test('encodes segments and the query separately', () => {
  expect(buildPath(['a/b', '%2e', 'é'], { prefix: 'x&y=z', limit: 5, cursor: undefined })).toBe(
    '/a%2Fb/%252e/%C3%A9?prefix=x%26y%3Dz&limit=5',
  );
});

test.each([
  ['an empty segment', () => buildPath(['a', ''])],
  ['a segment that goes up', () => buildPath(['a', '..', 'b'])],
  ['an unpaired surrogate in a segment', () => buildPath(['a\ud800'])],
  ['an unpaired surrogate in the query', () => buildPath(['a'], { prefix: 'x\udc00' })],
  ['an unpaired surrogate as a name in the query', () => buildPath(['a'], { '\ud800': 1 })],
])('refuses %s', (_, build) => {
  expect(build).toThrow(expect.objectContaining({ code: 'invalid-input' }));
});
