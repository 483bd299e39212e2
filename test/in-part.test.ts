import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { playedInPart } from '../vitest.soak.config.ts';

test('the soak tests run in full every file that npm test runs in part', () => {
  const files = globSync('test/**/*.test.{ts,tsx}');
  const inPart = files.filter((file) => /from '.*\/support\/in-part\.ts'/.test(readFileSync(file, 'utf8')));
  expect(inPart.sort()).toEqual(playedInPart);
});
