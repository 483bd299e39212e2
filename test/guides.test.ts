import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runDocument } from './support/document-lines.ts';

const guides = [
  ['docs/guides/key-value.md', 24],
  ['docs/guides/objects.md', 15],
  ['docs/guides/profiles.md', 13],
  ['docs/guides/dns.md', 20],
] as const;

test.each(guides)('every line of %s works, in order, in an empty folder', expectToWork);

async function expectToWork(path: string, least: number): Promise<void> {
  const ran = await runDocument(path);
  expect(ran.length).toBeGreaterThanOrEqual(least);
  for (const { line, code, wanted, said } of ran)
    expect({ line, code, said }).toEqual({ line, code: wanted, said });
}

test('every line of docs/json.md works, and jq finds something with it', async ({ skip }) => {
  skip(spawnSync('jq', ['--version']).error !== undefined, 'jq is not installed here');
  const ran = await runDocument('docs/json.md');
  const filtered = ran.filter(({ line }) => line.includes('| jq'));
  expect(filtered.length).toBeGreaterThanOrEqual(9);
  for (const { line, code, said } of ran) expect({ line, code, said }).toEqual({ line, code: 0, said });
  const empty = filtered.filter(({ said }) => said.trim() === '' || said.startsWith('null'));
  // Nothing is wrong here.
  expect(empty.map(({ line }) => line).filter((line) => !line.includes('edgectl doctor'))).toEqual([]);
});
