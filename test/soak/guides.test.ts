import { expect, test } from 'vitest';
import { runDocument } from '../support/document-lines.ts';

// Workers take seconds to begin, and hostnames ask DNS: these are no part of `npm test`.
test.each([
  ['docs/guides/hostnames.md', 20],
  ['docs/guides/workers.md', 13],
  ['docs/recipes.md', 25],
])(
  'every line of %s works, in order, in an empty folder',
  async (path, least) => {
    const ran = await runDocument(path);
    expect(ran.length).toBeGreaterThanOrEqual(least);
    for (const { line, code, wanted, said } of ran)
      expect({ line, code, said }).toEqual({ line, code: wanted, said });
  },
  120_000,
);
