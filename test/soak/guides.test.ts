import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runInOneShell } from '../support/document-shell.ts';
import { surprising } from '../support/document-steps.ts';
import { documentsRun } from '../support/documents.ts';

const programs = ['curl', 'jq', 'openssl'];

// Those of `npm test` too, which runs their lines in its own process: here each is a process of one shell, as it is with a reader.
test.for([...documentsRun('npm test'), ...documentsRun('soak')])(
  'a reader gets through %s: every line works, in order, in an empty folder, in one shell',
  { timeout: 120_000 },
  async ([path, least], { skip }) => {
    const missing = programs.filter((one) => spawnSync(one, ['--version']).error !== undefined);
    skip(missing.length > 0, `${missing.join(', ')}: not installed here`);
    const ran = await runInOneShell(path);
    expect(ran.length).toBeGreaterThanOrEqual(least);
    expect(surprising(ran)).toEqual([]);
  },
);
