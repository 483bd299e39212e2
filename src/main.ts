import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import type { SessionLabel } from '../components/kit/session-label.ts';
import { directOutput } from './files/pipe.ts';
import { Problem } from './model/problem.ts';
import { credentialVariable } from './profiles/credential-variables.ts';
import type { Session } from './services/session/session.ts';
import type { UserFolders, World } from './world.ts';

/** The signals that end the program, and the exit code that shells use for each. */
const signalExitCodes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** The exit code for the received signal, if any, and the number of running operations that handle Ctrl-C themselves. */
const shutdown: { exitCode?: number; lent: number } = { lent: 0 };

const touchedStreams = new Set<'stdout' | 'stderr'>();

/** Opens a standard stream. Failures are reported to the writer. Without a listener, a failure would end the process. */
function openStream(name: 'stdout' | 'stderr'): NodeJS.WriteStream {
  if (!touchedStreams.has(name)) process[name].on('error', () => undefined);
  touchedStreams.add(name);
  return process[name];
}

/** Creates the World of a process. Ctrl-C, SIGTERM and SIGHUP abort `interrupted`; a second signal ends the process immediately. */
function systemWorld(process: NodeJS.Process): World {
  const interruption = new AbortController();
  const onSignal = (signal: NodeJS.Signals) => {
    const code = signalExitCodes[signal as keyof typeof signalExitCodes];
    if (signal === 'SIGINT' && shutdown.lent > 0) return;
    if (interruption.signal.aborted) process.exit(code);
    shutdown.exitCode = code;
    interruption.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, onSignal);
  // Without a listener, this signal makes Node open its debugger, through which every program on the machine could read the credentials in
  // memory.
  process.on('SIGUSR1', () => undefined);
  return {
    argv: process.argv.slice(2),
    argvBytes: readArgumentBytes,
    env: removeCredentials(process.env),
    // Reads the working directory only on demand, because it may have been deleted and not every command needs it.
    get cwd() {
      return workingFolder(process);
    },
    pid: process.pid,
    folders: userFolders(process.env),
    // The streams are getters, because opening a standard stream takes a millisecond, and some commands need no stream.
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return openStream('stdout');
    },
    get stderr() {
      return openStream('stderr');
    },
    direct: {
      stdout: directOutput(1, () => !touchedStreams.has('stdout')),
      stderr: directOutput(2, () => !touchedStreams.has('stderr')),
    },
    now: () => Date.now(),
    random: (bytes) => randomBytes(bytes),
    sleep: async (milliseconds, signal) => {
      await sleep(milliseconds, undefined, signal ? { signal } : {});
    },
    interrupted: interruption.signal,
    endable(work) {
      // The console's own handlers are kept, because the console must restore the terminal.
      for (const signal of signals) process.off(signal, onSignal);
      try {
        return work();
      } finally {
        for (const signal of signals) process.on(signal, onSignal);
      }
    },
    spareMemory,
    async lending(run) {
      shutdown.lent++;
      return run().finally(() => shutdown.lent--);
    },
  };
}

/**
 * Makes V8 collect young objects earlier. On a machine with a lot of memory, V8 would otherwise let young objects, such as the facts about
 * thousands of hostnames, fill more than 100 MB before it collects them.
 */
function spareMemory(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
}

/**
 * Removes the credentials from the environment that child processes inherit, because a bundler, a worker runtime or a shell does not need
 * them. Returns a copy of the original environment. Processes that need credentials receive them explicitly.
 */
function removeCredentials(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const taken = { ...env };
  for (const name of Object.keys(taken)) {
    if (credentialVariable.test(name)) delete env[name];
  }
  return taken;
}

/**
 * Reads the original bytes of the arguments, because Node replaces bytes that are not UTF-8 with U+FFFD. Only Linux reports the original
 * bytes; this function fails on other systems.
 */
async function readArgumentBytes(): Promise<Uint8Array[]> {
  const { readFile } = await import('node:fs/promises');
  const line = await readFile('/proc/self/cmdline', 'latin1');
  return line
    .split('\0')
    .slice(0, -1)
    .map((argument) => Buffer.from(argument, 'latin1'));
}

function workingFolder(process: NodeJS.Process): string {
  try {
    return process.cwd();
  } catch (error) {
    throw new Problem('system', 'The working directory no longer exists.', {
      cause: error,
      hint: 'Change to an existing folder: cd',
    });
  }
}

/**
 * Returns edgectl's folders in the XDG base directories, on every system, because operators expect dotfiles, and CI sets XDG variables.
 * Empty or relative paths are invalid according to the specification (basedir-spec, "Basics"). The folders are getters, because not every
 * command needs a home folder.
 */
function userFolders(env: NodeJS.ProcessEnv): UserFolders {
  const folder = (variable: string, fallback: string): string =>
    join(absoluteOrUndefined(env[variable]) ?? join(homeFolder(env), fallback), 'edgectl');
  return {
    get config() {
      return folder('XDG_CONFIG_HOME', '.config');
    },
    get state() {
      return folder('XDG_STATE_HOME', '.local/state');
    },
    get data() {
      return folder('XDG_DATA_HOME', '.local/share');
    },
  };
}

function homeFolder(env: NodeJS.ProcessEnv): string {
  const home = absoluteOrUndefined(env['HOME']) ?? absoluteOrUndefined(recordedHome());
  if (home !== undefined) return home;
  throw new Problem(
    'usage',
    "No home folder: HOME is not an absolute path, and the system's user database contains no home folder.",
    {
      hint: 'Set HOME to the absolute path of a folder.',
    },
  );
}

/** Returns the home folder in the system's user database. os.homedir cannot be used, because it returns the value of HOME. */
function recordedHome(): string | undefined {
  try {
    return userInfo().homedir;
  } catch {
    return undefined;
  }
}

function absoluteOrUndefined(path: string | undefined): string | undefined {
  return path !== undefined && isAbsolute(path) ? path : undefined;
}

/** Runs the command line. The console is passed as an argument, because neither interface may import the other. */
async function main(world: World): Promise<number> {
  const { runCommandLine } = await import('./cli/run.ts');
  return runCommandLine(world, async (consoleWorld, open, redact, opens, prepare) => {
    // Sets raw mode, because otherwise the terminal echoes typed characters until the console has loaded.
    const quiet = () => {
      if (process.stdin.isTTY && process.stdout.isTTY) process.stdin.setRawMode(true);
    };
    quiet();
    await prepare();
    // Sets raw mode again, because a question resets the terminal mode.
    quiet();
    const { HeapBound, Pulse, runConsole, createServices } = await import(
      '../components/app/run-console.tsx'
    );
    const heap = new HeapBound();
    return runConsole(
      consoleWorld,
      {
        async connect(choice, note, askWrite) {
          // No write can require approval before the session is open.
          const session: Session = await open(choice, note, (asked) =>
            pulse.whileAsking(() => askWrite(asked)),
          );
          const pulse = new Pulse(session);
          return {
            label: await formatSessionLabel(session),
            services: createServices({ ...session, send: pulse.watch(session.send) }),
            pulse,
            close: () => session.close(),
          };
        },
        open,
        redact,
      },
      { opens, drawn: heap.check },
    ).finally(() => heap.release());
  });
}

async function formatSessionLabel(session: Session): Promise<SessionLabel> {
  const { target, where, can, readOnly } = session;
  const isDemo = where.kind === 'sandbox' && session.world.env['EDGECTL_DEMO'] === '1';
  return { target, where, can, accountLabel: await session.accountLabel(), readOnly, isDemo };
}

main(systemWorld(process))
  .then(
    (code) => {
      process.exitCode = code === signalExitCodes.SIGINT ? (shutdown.exitCode ?? code) : code;
    },
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exitCode = 1;
    },
  )
  .finally(() => {
    // If the program is interrupted while nobody reads its output, the unwritten output would keep the process running forever.
    if (shutdown.exitCode !== undefined && touchedStreams.has('stdout') && process.stdout.writableLength > 0)
      process.exit();
    // Exits explicitly, after all work has ended and all output has been written. Otherwise, Node would free its heap piece by piece, which
    // takes a tenth of the minimal startup time.
    process.once('beforeExit', () => process.exit());
  });
