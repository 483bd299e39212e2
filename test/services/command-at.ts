import { runCommandLine } from '../../src/cli/run.ts';
import { checkJson } from '../answers/check.ts';
import type { TestSandbox } from '../sandbox/test-sandbox.ts';
import { type TestWorldOptions, testWorld } from '../support/world.ts';

export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command line in this process, with an environment that selects the sandbox of `place`. */
export async function commandAt(
  place: TestSandbox,
  cwd: string,
  argv: readonly string[],
  options: TestWorldOptions = {},
): Promise<Ran> {
  const { accountId, apiToken } = place.sandbox.access();
  const env = {
    EDGECTL_API_BASE_URL: place.apiBaseUrl,
    EDGECTL_ACCOUNT_ID: accountId,
    EDGECTL_API_TOKEN: apiToken,
  };
  const world = testWorld({ argv, cwd, env, ...options });
  const code = await runCommandLine(world, async () => 1);
  const ran = { code, out: world.outText(), err: world.errText() };
  checkJson(argv, ran);
  return ran;
}
