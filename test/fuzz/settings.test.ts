import fc from 'fast-check';
import { expect } from 'vitest';
import { joinFolders, splitFolders } from '../../src/model/settings.ts';
import { fuzz } from './fuzz.ts';

/**
 * Paths (POSIX.1-2024, 3.170 "Filename": every byte except the slash and NUL), most of them with the characters that the
 * setting escapes.
 */
const part = fc.string({ unit: fc.constantFrom('\\', ':', '/', 'a', '\n', 'é'), maxLength: 6 });
const folders = fc.array(
  part.map((text) => `/${text}`),
  { minLength: 1, maxLength: 4 },
);

fuzz('trusted folders are read unchanged, regardless of their paths', [folders], (given) => {
  expect(splitFolders(joinFolders(given))).toEqual(given);
});
