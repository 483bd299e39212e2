import { basename } from 'node:path';
import { Problem } from '../../model/problem.ts';
import { bypassesGuard } from '../../profiles/credential-variables.ts';
import type { World } from '../../world.ts';
import { checkProgram, runProgram } from '../program.ts';
import { type GuardOptions, openGuard } from './open-guard.ts';

export interface GuardExecOptions extends Omit<GuardOptions, 'client' | 'port' | 'endsWithProgram'> {
  readonly command: readonly string[];
  /** Name of the program in rules and in the audit log (default: `findProgramName`). */
  readonly client: string | undefined;
  readonly note: (message: string) => void;
}

/**
 * Runs a program behind a guard. The program gets an address and a token that are valid only for the guard, but never the real credentials.
 * The guard ends when the program ends. Returns the program's exit code, or 128 plus the number of the signal that killed the program.
 */
export async function execGuarded(world: World, options: GuardExecOptions): Promise<number> {
  const { command, warn } = options;
  checkProgram(command);
  const guard = await openGuard(world, {
    ...options,
    client: options.client ?? findProgramName(command),
    port: 0,
    endsWithProgram: true,
  });
  try {
    refuseSecretArguments(command, guard.secrets);
    options.note(guard.description);
    if (guard.danger !== undefined) warn(guard.danger);
    if (guard.readableCredentials.length > 0)
      warn(
        `The program can read credentials that the guard does not protect: ${guard.readableCredentials.join(', ')}.`,
      );
    const env = createGuardedEnvironment(world.env, guard.variables, guard.secrets);
    const run = () => runProgram(world, command, env);
    // On Ctrl-C, a terminal also signals the program, and the program decides how to react.
    return await (world.stdin.isTTY && world.lending ? world.lending(run) : run());
  } finally {
    await guard.close();
  }
}

/**
 * Returns the base name of the program in a command. For npx, returns the name of the package that npx runs, without the version; if a flag
 * with a value precedes the package, returns `npx`.
 */
export function findProgramName([program = '', ...args]: readonly string[]): string {
  const name = basename(program);
  if (name !== 'npx') return name;
  const at = args.findIndex((argument) => !argument.startsWith('-'));
  const isPlain = args.slice(0, at).every((flag) => /^(?:-[yq]|--(?:yes|quiet|no(?:-.*)?))$/.test(flag));
  return at === -1 || !isPlain ? name : (args[at] ?? '').replace(/(?<=.)@.*$/, '');
}

/** Refuses secrets in arguments, because other users can read the arguments of a program. */
function refuseSecretArguments(command: readonly string[], secrets: readonly string[]): void {
  const index = command.findIndex((argument) => secrets.some((secret) => argument.includes(secret)));
  if (index === -1) return;
  throw new Problem(
    'usage',
    `Argument ${index} of the program contains the credentials that the guard protects.`,
    {
      hint: 'Remove the argument: the program gets its own token in CLOUDFLARE_API_TOKEN.',
    },
  );
}

/**
 * Returns the environment of a guarded program, including the variables that point the program to the guard. Removes
 * the variables with known names, and every variable whose value contains one of the guard's secrets.
 */
export function createGuardedEnvironment(
  env: World['env'],
  variables: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): Record<string, string | undefined> {
  // The guard can use these keys for the S3 API. A very short value is a placeholder, and other variables could contain the same characters
  // by chance.
  const keys = ['R2', 'AWS'].map((prefix) => env[`${prefix}_SECRET_ACCESS_KEY`] ?? '');
  const hidden = [...secrets, ...keys.filter((key) => key.length >= 8)];
  const isSafe = ([name, value = '']: readonly [string, string | undefined]) =>
    !bypassesGuard(name) && !hidden.some((secret) => value.includes(secret));
  return {
    ...Object.fromEntries(Object.entries(env).filter(isSafe)),
    ...variables,
  };
}
