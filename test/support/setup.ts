// Whether there are colours is decided where Ink is loaded first, which is in any of the files that share a process.
import '../../components/terminal/environment.ts';

import { afterAll } from 'vitest';
import { removeScratchFolders } from './world.ts';

// Run anew for each file, also where files share a process. Registered before the hooks of the test file, and so run
// after them, when the programs that it started have ended.
afterAll(removeScratchFolders);
