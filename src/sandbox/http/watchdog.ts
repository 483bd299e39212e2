import { type ChildProcess, spawn } from 'node:child_process';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { basename } from 'node:path';
import { platform } from 'node:process';

/**
 * Does work that starts a program by this name, and has each such process end with this one, however this one ends:
 * `kill -9` leaves no process the time to end its children. Resolves when their watchdogs run. On Windows the system
 * itself ends the children.
 */
export async function endingWithThisProcess<T>(name: string, work: () => Promise<T>): Promise<T> {
  if (platform === 'win32') return work();
  const guards: Promise<unknown>[] = [];
  const onChild = (message: unknown) => {
    const { process: child } = message as { process: ChildProcess };
    // The channel reports it before it has been started.
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
 * Keeps a list of processes from lines on a pipe, `+` for a running one and `-` for one that has ended, and ends the remaining
 * ones when the pipe closes, whose other end this process has.
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
  tell(line: string): void;
  readonly runs: Promise<unknown>;
}

/** One for all: starting a process is slow once this one has grown, and a served worker restarts at each change. */
let watchdog: Watchdog | undefined;

async function guard(child: ChildProcess): Promise<void> {
  watchdog ??= startWatchdog();
  const { tell, runs } = watchdog;
  tell(`+ ${child.pid}\n`);
  child.once('exit', () => tell(`- ${child.pid}\n`));
  // Without a shell the worker runs anyway.
  await runs;
}

/** A shell, in a separate group, so that a signal to ours does not reach it. */
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
  return { tell: (line) => stdin.write(line), runs: once(shell, 'spawn').catch(() => undefined) };
}
