// The use of colours is decided when Ink is first loaded, which can be in any file of a process.
import '../../components/kit/terminal/environment.ts';

import { afterAll, afterEach } from 'vitest';
import { checkAnswers, takeUnexplainedAnswers } from '../sandbox/contract/check-answers.ts';
import { recordExercised, saveExercised } from '../sandbox/contract/exercised.ts';
import { removeScratchFolders } from './world.ts';

checkAnswers();
recordExercised();

afterEach(refuseStrangeAnswers);
// Functions to run after the last test.
afterAll(refuseStrangeAnswers);
afterAll(saveExercised);

// Runs for each file, even if files share a process. This hook is registered before the hooks of the test file, so it
// runs after them, when the programs of the file have exited.
afterAll(removeScratchFolders);

/** Fails if a sandbox's response does not match the official SDK. */
function refuseStrangeAnswers(): void {
  const strange = takeUnexplainedAnswers();
  if (strange.length === 0) return;
  const way = 'Fix the response, or explain the difference in test/sandbox/contract/explained.ts.';
  throw new Error(`${strange.join('\n')}\n${way}`);
}
