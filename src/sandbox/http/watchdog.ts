import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { basename } from 'node:path';
import { platform } from 'node:process';

/**
 * Runs work that starts programs with this name, and makes sure that these programs end when this process ends, even after `kill -9`.
 * Resolves when their watchdog is running. On Windows, the system itself ends child processes.
 */
export async function withWatchdog<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (platform === 'win32') return work();
  const guards: Promise<unknown>[] = [];
  const onChild = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess };
    // The channel reports a child process before it has started.
    child.once('spawn', () => {
      if (basename(child.spawnfile) === name) guards.push(guard(child));
    });
  };
  subscribe('child_process', onChild);
  try {
    return await work();
  } finally {
    unsubscribe('child_process', onChild);
    await Promise.all(guards);
  }
}

/**
 * A shell script that reads process ids from a pipe, marked `+` for a running process and `-` for a process that has ended. When this
 * process ends, the pipe closes, and the script kills the remaining processes.
 */
const script = `all=' '
while read -r sign pid; do
  case $sign in
    +) all="$all$pid " ;;
    -) all="\${all%% $pid *} \${all#* $pid }" ;;
  esac
done
for pid in $all; do kill -9 "$pid"; done`;

interface Watchdog {
  send(line: string): void;
  readonly runs: Promise<unknown>;
}

/**
 * All children share a single watchdog, because starting a process is slow once this process has grown, and a served
 * worker restarts at each change.
 */
let watchdog: Watchdog | undefined;

async function guard(child: ChildProcess): Promise<void> {
  watchdog ??= startWatchdog();
  const { send, runs } = watchdog;
  send(`+ ${child.pid}\n`);
  child.once('exit', () => send(`- ${child.pid}\n`));
  // If the shell does not start, the worker runs without a watchdog.
  await runs;
}

/** Starts a shell in a separate process group, so that signals sent to this process's group do not reach the shell. */
function startWatchdog(): Watchdog {
  const shell = spawn('/bin/sh', ['-c', script], { stdio: ['pipe', 'ignore', 'ignore'], detached: true });
  const { stdin } = shell;
  const forget = (): void => {
    watchdog = undefined;
  };
  stdin.on('error', () => undefined);
  shell.once('exit', forget).once('error', forget);
  shell.unref();
  if ('unref' in stdin && typeof stdin.unref === 'function') stdin.unref();
  return { send: (line) => stdin.write(line), runs: once(shell, 'spawn').catch(() => undefined) };
}
