import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runInOneShell } from '../support/document-shell.ts';
import { surprising } from '../support/document-steps.ts';
import { documentsRun } from '../support/documents.ts';
import { scratchFolder } from '../support/world.ts';

const programs = ['curl', 'jq', 'openssl'];
const home = scratchFolder('home');

// `npm test` also runs these lines, in its own process. In this test, each line is a process in one shell, as for a reader who follows the
// documents in order and repeats some of them: no document may fail because of files or data that an earlier document left behind.
const documents = [...documentsRun('npm test'), ...documentsRun('soak')];

test.for([...documents, ...documents])(
  'every command line of %s has the documented result in an empty folder, in order, after the previous documents, and in a second run',
  { timeout: 120_000 },
  async ([path, least], { skip }) => {
    const missing = programs.filter((one) => spawnSync(one, ['--version']).error !== undefined);
    skip(missing.length > 0, `${missing.join(', ')}: not installed here`);
    const ran = await runInOneShell(path, home);
    expect(ran.length).toBeGreaterThanOrEqual(least);
    expect(surprising(ran)).toEqual([]);
  },
);
