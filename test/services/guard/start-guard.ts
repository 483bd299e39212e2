import { runCommandLine } from '../../../src/cli/run.ts';
import { HeldRequests } from '../../../src/services/guard/held.ts';
import type { World } from '../../../src/world.ts';
import type { Person } from '../../support/run-command.ts';
import { foldersIn, type TestWorldOptions, testWorld } from '../../support/world.ts';

/** A `guard start` command that runs in this process. */
export interface StartedGuard {
  readonly apiBaseUrl: string;
  readonly apiToken: string;
  /** The options that S3 clients need to use the guard. */
  readonly s3: {
    readonly endpoint: string;
    readonly credentials: { accessKeyId: string; secretAccessKey: string };
  };
  /** Sends a request with the guard's token. */
  call(method: string, path: string, options?: RequestInit): Promise<{ status: number; text: string }>;
  /** Waits until stderr contains a match, and returns the text so far. */
  untilShown(pattern: RegExp): Promise<string>;
  /** Interrupts the guard, and returns its exit code and messages. */
  stop(): Promise<{ code: number; err: string }>;
}

/** Runs `guard start --json` until the test stops it. */
export async function startGuard(
  { home, cwd, env }: Person,
  flags: readonly string[] = [],
  options: TestWorldOptions = {},
): Promise<StartedGuard> {
  const interruption = new AbortController();
  const argv = ['guard', 'start', '--json', ...flags];
  const world = testWorld({
    ...options,
    argv,
    cwd,
    env,
    folders: foldersIn(home),
    interrupted: interruption.signal,
  });
  const ended = runCommandLine({ ...world, sleep: realSleep }, async () => 1);
  const until = async (isReached: () => boolean) => {
    while (!isReached() && !(await Promise.race([ended.then(() => true), realSleep(5)])));
    if (!isReached()) throw new Error(`The guard ended early or never showed it: ${world.errText()}`);
  };
  await until(() => world.outText().trimEnd().endsWith('}'));
  const printed = JSON.parse(world.outText());
  const { apiBaseUrl, apiToken, s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = printed;
  return {
    apiBaseUrl,
    apiToken,
    s3: { endpoint: printed.s3Endpoint, credentials: { accessKeyId, secretAccessKey } },
    async call(method, path, init) {
      const headers = { authorization: `Bearer ${apiToken}`, ...init?.headers };
      const answer = await fetch(`${apiBaseUrl}${path}`, { ...init, method, headers });
      return { status: answer.status, text: await answer.text() };
    },
    async untilShown(pattern) {
      await until(() => pattern.test(world.errText()));
      return world.errText();
    },
    async stop() {
      interruption.abort();
      return { code: await ended, err: world.errText() };
    },
  };
}

function realSleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal?.addEventListener('abort', () => {
      clearTimeout(timer);
      reject(signal.reason);
    });
  });
}

/** Creates the held requests of a guard; nobody can answer these requests. */
export function heldByNobody(world: World, waitMs = 0): HeldRequests {
  return new HeldRequests({
    name: '100',
    place: 'a test',
    waitMs,
    world,
    lock: undefined,
  });
}
