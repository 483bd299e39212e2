import { expect, test } from 'vitest';
import { runDocument } from './support/document-lines.ts';

test.each([
  ['docs/guides/key-value.md', 24],
  ['docs/guides/objects.md', 15],
  ['docs/guides/profiles.md', 13],
])('every line of %s works, in order, in an empty folder', async (path, least) => {
  const ran = await runDocument(path);
  expect(ran.length).toBeGreaterThanOrEqual(least);
  for (const { line, code, wanted, said } of ran)
    expect({ line, code, said }).toEqual({ line, code: wanted, said });
});
