import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { systemReason } from '../files/system-reason.ts';
import { Problem } from '../model/problem.ts';
import type { World } from '../world.ts';

/** Throws if the name of the program is empty. */
export function checkProgram([program]: readonly string[]): void {
  if (program?.trim() !== '') return;
  throw new Problem('invalid-input', 'The program name is empty.', {
    hint: 'Specify the program after --. Is a variable unset?',
  });
}

/**
 * Runs a program with the streams of this process and the environment `env`. If this process is interrupted, sends SIGTERM to the program.
 * Returns the program's exit code, or 128 plus the number of the signal that killed it. Throws invalid-input if the program cannot be
 * started.
 */
export async function runProgram(
  world: World,
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  const child = spawn(program, args, { cwd: world.cwd, env, stdio: 'inherit' });
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

/**
 * Returns a hint for a program that was not found. For a path, the hint is to check the path; for a name, the hint explains how to run a
 * file or a shell builtin with this name.
 */
function formatMissingHint(program: string): string {
  if (program.includes('/')) return 'Check the path: it is relative to the working directory.';
  return `The program is not in PATH. Use ./${program} for a file in this folder, and sh -c '…' for shell builtins.`;
}
