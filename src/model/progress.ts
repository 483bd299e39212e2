/** How far a long piece of work is. */
export interface Progress {
  /** What it is at, as a word for people: "checking", "writing". */
  readonly phase: string;
  /** What `done` and `total` count. */
  readonly unit: 'bytes' | 'entries' | 'keys' | 'objects';
  readonly done: number;
  /** Undefined where nobody knows it. */
  readonly total?: number | undefined;
  /** Requests that were repeated, and entries that the platform did not take. */
  readonly retries: number;
  readonly failed: number;
}

/** Who is told of a long piece of work. Messages may hold bytes from outside. */
export interface Watch {
  progress(progress: Progress): void;
  /** Something that a person should know, with the same as fields for a program. */
  warn(message: string, fields?: Readonly<Record<string, unknown>>): void;
}
