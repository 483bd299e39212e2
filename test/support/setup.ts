// Ink decides whether to use colors when it is first loaded, which can happen in any test file of a process.
import '../../components/kit/terminal/environment.ts';

import { afterAll, afterEach } from 'vitest';
import { checkAnswers, takeUnexplainedAnswers } from '../sandbox/contract/check-answers.ts';
import { recordExercised, saveExercised } from '../sandbox/contract/exercised.ts';
import { removeScratchFolders } from './world.ts';

checkAnswers();
recordExercised();

afterEach(refuseStrangeAnswers);
// Checks that run after the last test of a file.
afterAll(refuseStrangeAnswers);
afterAll(saveExercised);

// This hook runs for each file, even if files share a process. It is registered before the hooks of the test file, so it runs after those
// hooks, when the programs of the file have exited.
afterAll(removeScratchFolders);

/** Fails if a sandbox's answer does not match the official SDK. */
function refuseStrangeAnswers(): void {
  const strange = takeUnexplainedAnswers();
  if (strange.length === 0) return;
  const way = 'Fix the response, or explain the difference in test/sandbox/contract/explained.ts.';
  throw new Error(`${strange.join('\n')}\n${way}`);
}
