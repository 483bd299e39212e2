import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { systemReason } from '../../files/system-reason.ts';
import { Problem } from '../../model/problem.ts';
import type { World } from '../../world.ts';
import { startSandboxServer } from './sandbox.ts';
import type { SandboxStartOptions } from './start-options.ts';
import { openTemporaryFolder } from './temporary.ts';

/**
 * Runs a program with its own sandbox on free ports, which stops when the program ends. Without a `dir`, its data is deleted.
 * Returns the program's exit code, or 128 plus the number of the signal that killed it. Throws invalid-input if the program
 * cannot be started.
 */
export async function execInSandbox(
  world: World,
  command: readonly string[],
  options: Pick<
    SandboxStartOptions,
    'dir' | 'demo' | 'seed' | 'strict' | 'issuanceLimit' | 'onWorkerLog' | 'warn' | 'version' | 'proxyPort'
  >,
): Promise<number> {
  if (command[0]?.trim() === '')
    throw new Problem('invalid-input', 'The program name is empty.', {
      hint: 'Specify it after --. Is a variable unset?',
    });
  const own = options.dir === undefined ? openTemporaryFolder(world) : undefined;
  try {
    const ports = { port: 0, edgePort: 0, edgeTlsPort: 0, dnsPort: 0, s3Port: 0 };
    const dir = options.dir ?? own?.folder;
    const running = await startSandboxServer(world, {
      ...options,
      dir,
      ...ports,
      ephemeral: own !== undefined,
      readyFile: undefined,
    });
    try {
      return await runProgram(world, command, running.variables);
    } finally {
      await running.close();
    }
  } finally {
    own?.remove();
  }
}

/** Runs the program with our own streams. It handles a first interruption itself, because the terminal also sends it Ctrl-C. */
async function runProgram(
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
      ? `Program "${program}" not found.`
      : `Cannot start ${program}: ${systemReason(error)}.`;
    throw new Problem('invalid-input', words, {
      cause: error,
      ...(missing && { hint: formatMissingHint(program) }),
    });
  } finally {
    world.interrupted.removeEventListener('abort', pass);
  }
}

/** Returns a hint: for a path, to check it; for a name, that it may be a file or shell builtin. */
function formatMissingHint(program: string): string {
  if (program.includes('/')) return 'Check the path: it is relative to the working directory.';
  return `It is not in PATH. Use ./${program} for a file here, and sh -c '…' for shell builtins.`;
}
