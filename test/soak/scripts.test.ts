import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { playScripts } from '../support/script.ts';

/** `npm test` runs the scripts in its own process; in this test, each command runs the built program. */
const scripts = join(import.meta.dirname, '../scripts');
for (const entry of readdirSync(scripts, { withFileTypes: true })) {
  if (entry.isDirectory()) playScripts(join(scripts, entry.name), { inProcesses: true });
}
