import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { cacheFolder } from '../support/program.ts';
import type { HostedResult, HostedRun } from './wrangler-host.ts';

export interface Run {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
  /** The text of standard output and standard error. */
  readonly said: string;
}

export interface Wrangler {
  /** Runs the real wrangler in the given folder, which also contains its configuration and logs. Only one wrangler can run at a time. */
  (...args: string[]): Promise<Run>;
  /** Runs wrangler with input on stdin. */
  given(stdin: string, args: readonly string[]): Promise<Run>;
  /** Runs wrangler in a separate process. */
  process(args: readonly string[]): Promise<Run>;
  /** Returns a wrangler with changed environment variables; an undefined variable is unset. */
  with(env: Readonly<Record<string, string | undefined>>): Wrangler;
}

const installed = dirname(createRequire(import.meta.url).resolve('wrangler/package.json'));

/** Returns the real wrangler as a client of `apiBaseUrl`, which is the only host it can reach. */
export function openWrangler(folder: string, env: Readonly<Record<string, string | undefined>>): Wrangler {
  const run = (args: readonly string[]) => ({ cwd: folder, env: createEnvironment(folder, env), args });
  return Object.assign((...args: string[]) => runHosted(run(args)), {
    given: (stdin: string, args: readonly string[]) => runHosted({ ...run(args), stdin }),
    process: (args: readonly string[]) => runProcess(run(args)),
    with: (other: Readonly<Record<string, string | undefined>>) => openWrangler(folder, { ...env, ...other }),
  });
}

function createEnvironment(
  folder: string,
  more: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const env = {
    PATH: process.env['PATH'],
    TMPDIR: process.env['TMPDIR'],
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    CI: 'true',
    NO_COLOR: '1',
    WRANGLER_SEND_METRICS: 'false',
    WRANGLER_HIDE_BANNER: 'true',
    NODE_COMPILE_CACHE: cacheFolder(),
    ...more,
  };
  const set = Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return Object.fromEntries(set);
}

function toRun(code: number, stdout: Buffer, stderr: string): Run {
  return { code, stdout, stderr, said: `${stdout}\n${stderr}` };
}

function runProcess({ cwd, env, args }: HostedRun): Promise<Run> {
  const { promise, resolve } = Promise.withResolvers<Run>();
  const options = { cwd, encoding: 'buffer' as const, maxBuffer: 64 * 1024 * 1024, env };
  const program = join(installed, 'bin/wrangler.js');
  const child = execFile(process.execPath, [program, ...args], options, (error, stdout, stderr) => {
    resolve(toRun(error === null ? 0 : Number(error.code), stdout, stderr.toString()));
  });
  child.stdin?.end();
  return promise;
}

interface Host {
  readonly child: ChildProcess;
  readonly requests: Writable;
  readonly answers: Interface;
}

/** Maximum milliseconds of a run: longer than any run takes, so that a run that does not end cannot block the next run. */
const timeoutMs = 60_000;

/** The process that runs wrangler: the first run starts it, and it ends together with this process. */
let host: Host | undefined;
let last: Promise<unknown> = Promise.resolve();

function runHosted(run: HostedRun): Promise<Run> {
  const turn = last.then(() => ask(run));
  last = turn.catch(() => undefined);
  return turn;
}

async function ask(run: HostedRun): Promise<Run> {
  host ??= startHost(run.env);
  const { child, requests, answers } = host;
  const { promise, resolve, reject } = Promise.withResolvers<Run>();
  const broken = (code: number | null) => {
    host = undefined;
    reject(new Error(`wrangler has ended its process, with ${code}: ${run.args.join(' ')}`));
  };
  child.once('exit', broken);
  answers.once('line', (line) => {
    const { code, stdout, stderr } = JSON.parse(line) as HostedResult;
    resolve(toRun(code, Buffer.from(stdout, 'base64'), Buffer.from(stderr, 'base64').toString()));
  });
  const late = setTimeout(endWrangler, timeoutMs);
  requests.write(`${JSON.stringify(run)}\n`);
  return promise.finally(() => {
    clearTimeout(late);
    child.off('exit', broken);
  });
}

/**
 * Stops the process that runs wrangler; the next run starts a new process. Call this function after runs on local data, because garbage
 * collection of the Miniflare instances can block the process forever.
 */
export function endWrangler(): void {
  host?.child.kill('SIGKILL');
  host = undefined;
}

/** Starts the process with this environment, because wrangler reads some of the environment, such as color support, while it is loaded. */
function startHost(env: HostedRun['env']): Host {
  const script = join(import.meta.dirname, 'wrangler-host.ts');
  const args = ['--no-warnings', script, join(installed, 'wrangler-dist/cli.js')];
  const child = spawn(process.execPath, args, {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'pipe'],
  });
  const [, , , requests, answers] = child.stdio as [null, null, null, Writable, Readable];
  return { child, requests, answers: createInterface({ input: answers }) };
}
