import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runDocument } from './support/document-lines.ts';
import { surprising } from './support/document-steps.ts';
import { documentsRun } from './support/documents.ts';

const withJq = 'docs/json.md';
const guides = documentsRun('npm test');

test.each(guides.filter(([path]) => path !== withJq))(
  'every command line of %s has the documented result, in order, in an empty folder',
  async (path, least) => {
    const ran = await runDocument(path);
    expect(ran.length).toBeGreaterThanOrEqual(least);
    expect(surprising(ran)).toEqual([]);
  },
);

test('every command line of docs/json.md has the documented result, and jq finds the values', async ({
  skip,
}) => {
  skip(spawnSync('jq', ['--version']).error !== undefined, 'jq is not installed here');
  expect(guides.map(([path]) => path)).toContain(withJq);
  const ran = await runDocument(withJq);
  expect(surprising(ran)).toEqual([]);
  const filtered = ran.filter(({ text }) => text.includes('| jq'));
  expect(filtered.length).toBeGreaterThanOrEqual(9);
  const empty = filtered.filter(({ said }) => said.trim() === '' || said.startsWith('null'));
  // The list is empty if no command failed.
  expect(empty.map(({ text }) => text).filter((line) => !line.includes('edgectl doctor'))).toEqual([]);
});
