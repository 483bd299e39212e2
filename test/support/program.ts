import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { scratchFolder } from './world.ts';

/** The built program. */
export const program = resolve(import.meta.dirname, '../../dist/edgectl.cjs');

/** An environment with a home of its own and nothing of the developer's but PATH. */
export function userEnvironment(home: string): Record<string, string> {
  const path = process.env['PATH'] ?? '';
  return { PATH: path, HOME: home, XDG_CACHE_HOME: cacheFolder(), TERM: 'xterm-256color', LANG: 'C.UTF-8' };
}

/** Where all programs of a run keep V8's compiled code: who has a home of their own would compile everything anew. */
export function cacheFolder(): string {
  return join(tmpdir(), 'cache');
}

/** What the ready file of `edgectl sandbox start` holds. */
export interface Ready {
  readonly apiBaseUrl: string;
  readonly accountId: string;
  readonly apiToken: string;
  readonly email: string;
  readonly apiKey: string;
  readonly edgeUrl: string;
  readonly pid: number;
}

export interface ServedSandbox {
  readonly ready: Ready;
  readonly folder: string;
  readonly child: ChildProcess;
  stop(): Promise<void>;
}

/** Starts `edgectl sandbox start` on a free port and a folder of its own, and waits for its ready file. */
export async function startSandbox(flags: readonly string[] = []): Promise<ServedSandbox> {
  const folder = scratchFolder('sandbox');
  const readyFile = join(folder, 'ready.json');
  const args = ['sandbox', 'start', '--port', '0', '--dir', folder, '--ready-file', readyFile, ...flags];
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
