import { runCommandLine } from '../../src/cli/run.ts';
import type { World } from '../../src/world.ts';
import { checkJson } from '../answers/check.ts';
import { foldersIn, scratchFolder, type TestWorldOptions, testWorld } from './world.ts';

/** A user of a machine: a home folder, a working directory, and an environment. */
export interface Person {
  readonly home: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The result of a command. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
  /** The duration of each simulated sleep, in milliseconds. */
  readonly slept: readonly number[];
}

export function newPerson(env: Readonly<Record<string, string>> = {}): Person {
  return { home: scratchFolder('home'), cwd: scratchFolder('cwd'), env };
}

export interface RunOptions extends Omit<TestWorldOptions, 'argv' | 'cwd' | 'env' | 'folders'> {
  /** A clock that only sleeps advance, in milliseconds since the epoch (default: the machine's clock). */
  readonly clock?: { now: number };
}

/** Runs a command line in this process. Sleeps take no time; their durations are recorded. */
export async function runCommand(
  person: Person,
  argv: readonly string[],
  { clock, ...options }: RunOptions = {},
): Promise<Ran> {
  const slept: number[] = [];
  const timed = clock === undefined ? options : { ...options, now: () => clock.now };
  const folders = foldersIn(person.home);
  const world = testWorld({ ...timed, argv, folders, cwd: person.cwd, env: person.env });
  const commandWorld: World = {
    ...world,
    async sleep(milliseconds, signal) {
      // The grace period after Ctrl-C must not end before the running request.
      if (milliseconds === 30_000 && clock === undefined)
        await new Promise((_, reject) => signal?.addEventListener('abort', reject));
      slept.push(milliseconds);
      if (clock !== undefined) clock.now += milliseconds;
      await new Promise((settle) => setImmediate(settle));
      signal?.throwIfAborted();
    },
  };
  const code = await runCommandLine(commandWorld, async () => 1);
  const ran = { code, out: world.outText(), err: world.errText(), slept };
  checkJson(argv, ran);
  return ran;
}
