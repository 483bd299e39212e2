import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'vitest';
import { waitForExit } from '../kills.ts';
import { program, type ServedSandbox, userEnvironment } from '../program.ts';
import { newPerson, type Person } from '../run-command.ts';

export interface ProcessOptions {
  readonly nodeFlags?: readonly string[];
  /** A shell line that runs in the program's process before the program: `ulimit -n 64`. */
  readonly limits?: string;
  /** Milliseconds before the process is killed and the run fails. */
  readonly timeout?: number;
}

export interface ProcessResult {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Starts the built program for a user. */
export function startProcess(
  { home, cwd, env }: Person,
  argv: readonly string[],
  { nodeFlags = [], limits, stdio = 'ignore' }: ProcessOptions & Pick<SpawnOptions, 'stdio'> = {},
): ChildProcess {
  const words = [process.execPath, ...nodeFlags, program, ...argv];
  const [command = '', ...args] =
    limits === undefined ? words : ['bash', '-c', `${limits}; exec "$@"`, 'bash', ...words];
  return spawn(command, args, { cwd, env: { ...userEnvironment(home), ...env }, stdio });
}

/** Runs the built program for a user until it ends. */
export async function runProcess(
  person: Person,
  argv: readonly string[],
  options: ProcessOptions = {},
): Promise<ProcessResult> {
  const child = startProcess(person, argv, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => out.push(chunk));
  child.stderr?.on('data', (chunk: Buffer) => err.push(chunk));
  const timeout = options.timeout ?? 50 * 60_000;
  const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
  await new Promise((settle) => child.once('close', settle));
  clearTimeout(timer);
  const texts = { out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() };
  if (child.signalCode === 'SIGKILL')
    expect.fail(`${argv.join(' ')}: no end after ${timeout} ms: ${texts.err}`);
  return { code: child.exitCode, ...texts };
}

/** Runs the built program, which must succeed, and returns the standard output of the program. */
export async function mustRun(
  person: Person,
  argv: readonly string[],
  options?: ProcessOptions,
): Promise<string> {
  const { code, out, err } = await runProcess(person, argv, options);
  if (code !== 0) expect.fail(`${argv.join(' ')}: exit ${code}\n${err}`);
  return out;
}

/** Kills (SIGKILL) a process after this many milliseconds. Returns whether it was still running. */
export async function killIn(child: ChildProcess, milliseconds: number): Promise<boolean> {
  await Promise.race([pause(milliseconds), waitForExit(child)]);
  child.kill('SIGKILL');
  await waitForExit(child);
  return child.signalCode === 'SIGKILL';
}

/** Returns the duration of some work in milliseconds. */
export async function measureDuration(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

/** Returns a user whose environment selects a sandbox in another process. */
export function personAt({ ready }: Pick<ServedSandbox, 'ready'>): Person {
  return newPerson({
    EDGECTL_API_BASE_URL: ready.apiBaseUrl,
    EDGECTL_API_TOKEN: ready.apiToken,
    EDGECTL_ACCOUNT_ID: ready.accountId,
  });
}

export async function createNamespace(person: Person, title: string): Promise<string> {
  return JSON.parse(await mustRun(person, ['kv', 'namespace', 'create', title, '--json'])).id;
}

/** Writes files below a folder. */
export function writeFiles(folder: string, files: ReadonlyMap<string, Uint8Array | string>): void {
  for (const [name, content] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
}

/** Reads all files below a folder, by their path relative to the folder. */
export function readFiles(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return new Map(
    entries
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [path.slice(folder.length + 1), readFileSync(path)]),
  );
}
