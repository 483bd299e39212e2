import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { runInOneShell } from '../support/document-shell.ts';
import { surprising } from '../support/document-steps.ts';
import { documentsRun } from '../support/documents.ts';
import { scratchFolder } from '../support/world.ts';

const programs = ['curl', 'jq', 'openssl'];
const home = scratchFolder('home');

// Those of `npm test` too, which runs their lines in its own process: here each is a process of one shell, as it is with a reader,
// who reads one after the other, and some again: none may trip over what another has left behind.
const documents = [...documentsRun('npm test'), ...documentsRun('soak')];

test.for([...documents, ...documents])(
  'a reader gets through %s: every line works, in order, in an empty folder, after all before it, and again',
  { timeout: 120_000 },
  async ([path, least], { skip }) => {
    const missing = programs.filter((one) => spawnSync(one, ['--version']).error !== undefined);
    skip(missing.length > 0, `${missing.join(', ')}: not installed here`);
    const ran = await runInOneShell(path, home);
    expect(ran.length).toBeGreaterThanOrEqual(least);
    expect(surprising(ran)).toEqual([]);
  },
);
