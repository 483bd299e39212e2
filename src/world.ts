import type { Readable, Writable } from 'node:stream';

/** Standard input: its bytes, and whether it is a terminal. */
export type InputStream = Readable & { isTTY?: boolean };

/** Standard output or standard error. `columns` and `rows` are set only on a terminal. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number };

/**
 * Everything outside the program, as one value. `main.ts` makes it from the process; tests make their own. Only `main.ts`
 * accesses `process`, `Date` and global random sources.
 */
export interface World {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  /** The original bytes of the arguments, if the system reports them. */
  readonly argvBytes?: () => Promise<readonly Uint8Array[]>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the working directory. */
  readonly cwd: string;
  readonly pid: number;
  readonly folders: UserFolders;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Direct output to the two streams, while they are unopened. Opening a stream replaces it. */
  readonly direct?: DirectOutputs;
  /** Milliseconds since the UNIX epoch. */
  now(): number;
  /** Cryptographically strong random bytes. */
  random(bytes: number): Uint8Array;
  /** Resolves after `milliseconds`; rejects with an AbortError when the signal fires first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** The signal that is aborted at the first Ctrl-C, SIGTERM or SIGHUP. */
  readonly interrupted: AbortSignal;
  /**
   * Runs work that may take seconds and cannot pause. Signal handlers cannot run meanwhile, so a signal ends the
   * process immediately. This is only for work that has not changed anything yet.
   */
  endable?<T>(work: () => T): T;
  /** Makes the program use less memory and more time, for work on thousands of items. */
  readonly spareMemory?: () => void;
  /**
   * Whether this is a dry run, which only shows what it would change: nothing is saved for undo, and no saved state is
   * deleted.
   */
  readonly changesNothing?: boolean;
  /**
   * Runs a function that uses the terminal and reads Ctrl-C itself, so that Ctrl-C does not interrupt the program meanwhile.
   */
  lending?<T>(run: () => Promise<T>): Promise<T>;
}

/** Writes a short chunk directly, and returns the number of bytes written; the rest goes to the stream. */
export type DirectOutput = (bytes: Uint8Array) => number;

/** Direct outputs for outputs that are pipes: a pipe has no terminal. */
export interface DirectOutputs {
  readonly stdout: DirectOutput | undefined;
  readonly stderr: DirectOutput | undefined;
}

/** Per-user folders, absolute paths. Each folder is created at the first write. */
export interface UserFolders {
  /** The folder of profiles and settings. */
  readonly config: string;
  /** The folder of files that can be recreated: checkpoints, first-seen dates. */
  readonly state: string;
  /** The folder of the sandbox profile's data. */
  readonly data: string;
}
