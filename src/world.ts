import type { Readable, Writable } from 'node:stream';

/** Standard input: bytes, and whether a person types them. */
export type InputStream = Readable & { isTTY?: boolean };

/** Standard output or standard error. `columns` and `rows` are set on a terminal only. */
export type OutputStream = Writable & { isTTY?: boolean; columns?: number; rows?: number };

/**
 * Everything outside of the program, as one value. `main.ts` makes it from the process; tests make another.
 * Below `main.ts` nothing reads `process`, `Date` or a global random source.
 */
export interface World {
  /** Arguments after the program's name. */
  readonly argv: readonly string[];
  /** The original bytes of the arguments, where the system reports them. */
  readonly argvBytes?: () => Promise<readonly Uint8Array[]>;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the working directory. */
  readonly cwd: string;
  readonly pid: number;
  readonly folders: UserFolders;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  /** Direct ways to the two streams, while these are untouched. Replacing a stream touches the old one first. */
  readonly direct?: DirectOutputs;
  /** Milliseconds since the UNIX epoch. */
  now(): number;
  /** Cryptographically strong random bytes. */
  random(bytes: number): Uint8Array;
  /** Resolves after `milliseconds`; rejects with an AbortError when the signal fires first. */
  sleep(milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** Aborted at the first Ctrl-C, SIGTERM or SIGHUP. */
  readonly interrupted: AbortSignal;
  /**
   * Runs work that may take seconds and cannot pause. No signal handler can run meanwhile, so a signal ends the process
   * immediately, as one without handlers. For work that has changed nothing yet.
   */
  endable?<T>(work: () => T): T;
  /** Makes the program use less memory and more time: for work on thousands of things. */
  readonly spareMemory?: () => void;
  /** Set in a dry run, which only shows what it would change: nothing is saved for undo, and nothing saved is deleted. */
  readonly changesNothing?: boolean;
  /** Runs something that has the terminal and reads Ctrl-C itself: that interrupts nothing here meanwhile. */
  lending?<T>(run: () => Promise<T>): Promise<T>;
}

/** Writes a short chunk directly, and returns how many of its bytes were written: the stream gets the others. */
export type DirectOutput = (bytes: Uint8Array) => number;

/** Those of outputs that are pipes: where there is one, nobody sees a terminal. */
export interface DirectOutputs {
  readonly stdout: DirectOutput | undefined;
  readonly stderr: DirectOutput | undefined;
}

/** Per-user folders, absolute. Nothing is created until it is written to. */
export interface UserFolders {
  /** Profiles and settings. */
  readonly config: string;
  /** Files that can be made again: checkpoints, first-seen dates. */
  readonly state: string;
  /** The sandbox profile's data. */
  readonly data: string;
}
