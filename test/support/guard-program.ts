import type { ChildProcess } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { waitForExit } from './kills.ts';
import { startProcess } from './reliability/processes.ts';
import type { Person } from './run-command.ts';

/** A `guard exec` process whose program waits. */
export interface GuardProgram {
  readonly child: ChildProcess;
  /** The environment of the program behind the guard. */
  readonly variables: Readonly<Record<string, string>>;
  /** Returns the guard's output on stderr. */
  messages(): string;
  /** Ends the program, and thereby the guard. Returns the exit code. */
  stop(): Promise<number | null>;
}

/** Saves the environment of the program, then waits until its standard input ends. */
const script = 'env -0 > vars.part && mv vars.part vars && cat > /dev/null';

/** Runs `edgectl guard exec` until the test stops it. */
export async function startGuardProgram(
  { home, cwd, env }: Person,
  flags: readonly string[] = [],
): Promise<GuardProgram> {
  const child = startProcess({ home, cwd, env }, ['guard', 'exec', ...flags, '--', 'sh', '-c', script], {
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  let messages = '';
  child.stderr?.on('data', (data: Buffer) => {
    messages += data.toString('utf8');
  });
  const saved = join(cwd, 'vars');
  while (!existsSync(saved)) {
    if (child.exitCode !== null) throw new Error(`The guard has ended: ${messages}`);
    await pause(5);
  }
  const lines = readFileSync(saved, 'utf8')
    .split('\0')
    .filter((line) => line !== '');
  return {
    child,
    variables: Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
    ),
    messages: () => messages,
    async stop() {
      child.stdin?.end();
      return waitForExit(child);
    },
  };
}

/** Returns the paths of files below a folder that contain one of these strings. */
export function findFilesWith(folder: string, texts: readonly string[]): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => {
      const content = readFileSync(path, 'latin1');
      return texts.some((text) => content.includes(text));
    });
}
