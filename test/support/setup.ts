// Whether there are colours is decided where Ink is loaded first, which is in any of the files that share a process.
import '../../components/kit/terminal/environment.ts';

import { afterAll, afterEach } from 'vitest';
import { checkAnswers, takeUnexplainedAnswers } from '../sandbox/contract/check-answers.ts';
import { removeScratchFolders } from './world.ts';

checkAnswers();

afterEach(refuseStrangeAnswers);
// What hooks have asked for after the last test.
afterAll(refuseStrangeAnswers);

// Run anew for each file, also where files share a process. Registered before the hooks of the test file, and so run
// after them, when the programs that it started have ended.
afterAll(removeScratchFolders);

/** Fails where a sandbox has answered otherwise than the official SDK says. */
function refuseStrangeAnswers(): void {
  const strange = takeUnexplainedAnswers();
  if (strange.length === 0) return;
  const way = 'Mend the answer, or explain the difference in test/sandbox/contract/explained.ts.';
  throw new Error(`${strange.join('\n')}\n${way}`);
}
