import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { runCommandLine } from '../../src/cli/run.ts';
import type { Ready } from '../../src/model/sandbox/ready.ts';
import { checkJson } from '../answers/check.ts';
import { program } from './program.ts';
import { scratchFolder, type TestWorld, testWorld } from './world.ts';

/** The working directory and the environment of a script's commands. */
export interface Surroundings {
  readonly folder: string;
  /** The environment, which includes HOME. */
  readonly env: Readonly<Record<string, string>>;
}

export interface Result {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line in this process, with real sleeps and a real clock. */
export async function runHere(
  around: Surroundings,
  argv: readonly string[],
  stdin = '',
  interrupted = new AbortController().signal,
): Promise<Result> {
  const world = createWorld(around, argv, stdin, interrupted);
  const code = await runCommandLine(world, async () => 1);
  const [out, err] = [world.outText(), world.errText()];
  checkJson(argv, { code, out, err });
  return { code, stdout: out, stderr: err };
}

function createWorld(
  { folder, env }: Surroundings,
  argv: readonly string[],
  stdin: string,
  interrupted: AbortSignal,
): TestWorld {
  const home = env['HOME'] ?? '';
  const folders = {
    config: join(home, '.config/edgectl'),
    state: join(home, '.local/state/edgectl'),
    data: join(home, '.local/share/edgectl'),
  };
  return {
    ...testWorld({ argv, stdin, interrupted, cwd: folder, env, folders }),
    sleep: async (milliseconds, signal) => void (await pause(milliseconds, undefined, signal && { signal })),
  };
}

/** Runs a command line with the built program, in a separate process. */
export function runProcess(around: Surroundings, argv: readonly string[], stdin = ''): Promise<Result> {
  return new Promise((settle, reject) => {
    const child = spawn(process.execPath, [program, ...argv], { cwd: around.folder, env: around.env });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk));
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk));
    child.once('error', reject);
    child.once('close', (code) =>
      settle({ code, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    child.stdin.on('error', () => undefined);
    child.stdin.end(stdin);
  });
}

export interface SandboxHere {
  readonly ready: Ready;
  readonly folder: string;
  stop(): Promise<void>;
}

/** Runs `edgectl sandbox start` in this process, on a free port and in a separate folder (unless flags set one). */
export async function startSandboxHere(flags: readonly string[] = []): Promise<SandboxHere> {
  const folder = scratchFolder('sandbox');
  const readyFile = join(folder, 'ready.json');
  const argv = ['sandbox', 'start', '--port', '0', '--dir', folder, '--ready-file', readyFile, ...flags];
  const interruption = new AbortController();
  let ended: Result | undefined;
  const running = runHere({ folder, env: { HOME: folder } }, argv, '', interruption.signal);
  const noted = running.then((result) => {
    ended = result;
  });
  while (!existsSync(readyFile)) {
    if (ended !== undefined) throw new Error(`the sandbox did not start:\n${ended.stdout}${ended.stderr}`);
    await pause(5);
  }
  return {
    ready: JSON.parse(readFileSync(readyFile, 'utf8')) as Ready,
    folder,
    async stop() {
      interruption.abort();
      await noted;
    },
  };
}
