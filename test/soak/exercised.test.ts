import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exercisedParts, mergeExercised, writeExercised } from '../sandbox/contract/exercised.ts';

// docs/api.md calls a route faithful if the tests exercise all known parts of it. UPDATE_README=1 records the exercised parts again.
test('the tests of the sandbox and of the peers exercise exactly the recorded parts of the API', () => {
  const folder = mkdtempSync(join(tmpdir(), 'exercised-'));
  const env = { ...process.env, RECORD_EXERCISED: folder, EDGECTL_TESTS: 'whole' };
  execFileSync('npx', ['vitest', 'run', 'test/sandbox', 'test/peers'], { env, stdio: 'inherit' });
  const seen = mergeExercised(folder);
  if (process.env['UPDATE_README'] === '1') writeExercised(seen);
  const gone = Object.entries(exercisedParts()).flatMap(([route, parts]) =>
    parts.filter((part) => !seen[route]?.includes(part)).map((part) => `${route} ${part}`),
  );
  expect(gone).toEqual([]);
}, 3_600_000);
