import type { Readable, Writable } from 'node:stream';

/** Standard input: its bytes, and whether it is a terminal. */
export type InputStream = Readable & { isTTY?: boolean };

/** Standard output or standard error. `columns` and `rows` are set only on a terminal. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number };

/**
 * Everything outside the program, as one value. `main.ts` and the library create it from the process, and each test creates its own World.
 * Except for two modules that handle the terminal, no other code reads the process, the clock or a global random source
 * (test/floors.test.ts).
 */
export interface World {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  /** Returns the original bytes of the arguments, if the system reports them. */
  readonly argvBytes?: () => Promise<readonly Uint8Array[]>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the working directory. */
  readonly cwd: string;
  readonly pid: number;
  readonly folders: UserFolders;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Direct output to stdout and stderr until their streams are opened. When a stream is opened, it replaces the direct output. */
  readonly direct?: DirectOutputs;
  /** Returns the current time in milliseconds since the UNIX epoch. */
  now(): number;
  /** Returns cryptographically strong random bytes. */
  random(bytes: number): Uint8Array;
  /** Resolves after `milliseconds`. Rejects with an AbortError if the signal is aborted first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** The signal that is aborted at the first Ctrl-C, SIGTERM or SIGHUP. */
  readonly interrupted: AbortSignal;
  /**
   * Runs work that may take seconds and cannot pause. Signal handlers cannot run meanwhile, so a signal ends the process immediately. Use
   * this only for work that has not changed anything yet.
   */
  endable?<T>(work: () => T): T;
  /** Makes the program use less memory at the cost of speed, for work on thousands of items. */
  readonly spareMemory?: () => void;
  /**
   * Whether this is a dry run, which only shows what it would change. In a dry run, nothing is saved for undo, and no saved state is
   * deleted.
   */
  readonly changesNothing?: boolean;
  /** Runs a function that uses the terminal and handles Ctrl-C itself. Meanwhile, Ctrl-C does not interrupt the program. */
  lending?<T>(run: () => Promise<T>): Promise<T>;
}

/** Writes a short chunk directly, and returns the number of bytes that were written. The caller writes the rest to the stream. */
export type DirectOutput = (bytes: Uint8Array) => number;

/** The direct outputs; undefined for an output that cannot be written directly, such as a terminal. */
export interface DirectOutputs {
  readonly stdout: DirectOutput | undefined;
  readonly stderr: DirectOutput | undefined;
}

/** The user's folders, as absolute paths. Each folder is created when something is first written to it. */
export interface UserFolders {
  /** The folder of profiles and settings. */
  readonly config: string;
  /** The folder of the data that edgectl keeps between runs, such as checkpoints, the undo journal and the audit log. */
  readonly state: string;
  /** The folder of the sandbox profile's data. */
  readonly data: string;
}
