import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratchFolder } from './world.ts';

/** The built program. */
export const program = resolve(import.meta.dirname, '../../dist/edgectl.cjs');

/** Returns an environment with a separate home, and with only PATH from the developer's environment. */
export function userEnvironment(home: string): Record<string, string> {
  const path = process.env['PATH'] ?? '';
  return { PATH: path, HOME: home, XDG_CACHE_HOME: cacheFolder(), TERM: 'xterm-256color', LANG: 'C.UTF-8' };
}

/**
 * Returns the folder in which all programs of a run cache V8's compiled code. With separate caches, each program would compile everything
 * again.
 */
export function cacheFolder(): string {
  return join(tmpdir(), 'cache');
}

/** The content of the ready file of `edgectl sandbox start`. */
export interface Ready {
  readonly apiBaseUrl: string;
  readonly accountId: string;
  readonly zoneId: string;
  readonly apiToken: string;
  readonly email: string;
  readonly apiKey: string;
  readonly edgeUrl: string;
  readonly s3Endpoint: string;
  readonly pid: number;
}

export interface ServedSandbox {
  readonly ready: Ready;
  readonly folder: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Runs `edgectl sandbox start` on a free port with a separate folder, and waits for the ready file. */
export function startSandbox(flags: readonly string[] = []): Promise<ServedSandbox> {
  return startSandboxIn(scratchFolder('sandbox'), ['--port', '0', ...flags]);
}

/** Restarts a sandbox whose process was killed, with the same folder and port. */
export function startAgain({ folder, ready }: ServedSandbox): Promise<ServedSandbox> {
  const [port, s3Port] = [ready.apiBaseUrl, ready.s3Endpoint].map((url) => new URL(url).port);
  return startSandboxIn(folder, ['--port', port ?? '', '--s3-port', s3Port ?? '']);
}

async function startSandboxIn(folder: string, flags: readonly string[]): Promise<ServedSandbox> {
  const readyFile = join(folder, 'ready.json');
  rmSync(readyFile, { force: true });
  const args = ['sandbox', 'start', '--dir', folder, '--ready-file', readyFile, ...flags];
  const child = spawn(process.execPath, [program, ...args], {
    env: userEnvironment(folder),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => said.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  while (!existsSync(readyFile)) {
    if (child.exitCode !== null) throw new Error(`the sandbox did not start:\n${Buffer.concat(said)}`);
    await sleep(10);
  }
  return {
    ready: JSON.parse(readFileSync(readyFile, 'utf8')) as Ready,
    folder,
    child,
    stop: () => stopped(child),
  };
}

function stopped(child: ChildProcess): Promise<void> {
  return new Promise((settle) => {
    if (child.exitCode !== null || child.signalCode !== null) return settle();
    child.once('exit', () => settle());
    child.kill('SIGTERM');
  });
}
