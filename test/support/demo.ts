import { cpSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDemo } from '../../src/services/sandbox/sandbox.ts';
import type { World } from '../../src/world.ts';
import { foldersIn, scratchFolder, testWorld } from './world.ts';

const made = new Map<number, Promise<string>>();

/**
 * Creates a home that all test files of the process share. The home is not a scratch folder, which would be removed after each test file.
 */
async function makeHome(now: number): Promise<string> {
  const home = mkdtempSync(join(tmpdir(), 'demo-'));
  await prepareDemo(testWorld({ now: () => now, folders: foldersIn(home) }));
  return home;
}

/**
 * Returns the folders of a user whose sandbox contains the demo data that `edgectl demo` creates at `now` (milliseconds since the
 * epoch). The data is created once per process; each call returns a copy.
 */
export async function demoFolders(now: number): Promise<World['folders']> {
  const making = made.get(now) ?? makeHome(now);
  made.set(now, making);
  const home = join(scratchFolder('home'), 'home');
  cpSync(await making, home, { recursive: true });
  return foldersIn(home);
}
