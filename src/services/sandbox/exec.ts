import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { systemReason } from '../../files/system-reason.ts';
import { Problem } from '../../model/problem.ts';
import type { World } from '../../world.ts';
import { startSandbox } from './sandbox.ts';
import type { SandboxStart } from './start-options.ts';
import { openTemporaryFolder } from './temporary.ts';

/**
 * Runs a program against a sandbox of its own, on free ports, which ends with it; without a `dir` its data end too.
 * Gives the program's exit code, or 128 and the number of the signal that killed it. Refuses with invalid-input what is
 * no program.
 */
export async function execInSandbox(
  world: World,
  command: readonly string[],
  options: Pick<
    SandboxStart,
    'dir' | 'demo' | 'seed' | 'strict' | 'issuanceLimit' | 'onWorkerLog' | 'warn' | 'version' | 'proxyPort'
  >,
): Promise<number> {
  if (command[0]?.trim() === '')
    throw new Problem('invalid-input', 'The name of the program is empty.', {
      hint: 'Put it after --. Is it a variable that is not set?',
    });
  const own = options.dir === undefined ? openTemporaryFolder(world) : undefined;
  try {
    const ports = { port: 0, edgePort: 0, edgeTlsPort: 0, dnsPort: 0, s3Port: 0 };
    const dir = options.dir ?? own?.folder;
    const running = await startSandbox(world, {
      ...options,
      dir,
      ...ports,
      ephemeral: own !== undefined,
      readyFile: undefined,
    });
    try {
      return await codeOf(world, command, running.variables);
    } finally {
      await running.close();
    }
  } finally {
    own?.remove();
  }
}

/** Runs the program on our own streams. A first interruption is left to it, as the terminal sends it Ctrl-C as well. */
async function codeOf(
  world: World,
  [program = '', ...args]: readonly string[],
  extra: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const child = spawn(program, args, { cwd: world.cwd, env: { ...world.env, ...extra }, stdio: 'inherit' });
  const pass = () => child.kill('SIGTERM');
  world.interrupted.addEventListener('abort', pass);
  try {
    const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
    return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    const words = missing
      ? `There is no program "${program}".`
      : `${program} cannot be started: ${systemReason(error)}.`;
    throw new Problem('invalid-input', words, {
      cause: error,
      ...(missing && { hint: missingHint(program) }),
    });
  } finally {
    world.interrupted.removeEventListener('abort', pass);
  }
}

/** A path was typed as one; a name is looked up, and may be a word that only a shell knows. */
function missingHint(program: string): string {
  if (program.includes('/')) return 'Check the path: it is relative to the working directory.';
  return `It is looked up in PATH. A file here is ./${program}; what only a shell knows runs by sh -c '…'.`;
}
