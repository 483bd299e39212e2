import type { Remedy } from './remedy.ts';

/** Units of progress, as plural nouns. */
export const progressUnits = ['bytes', 'entries', 'hostnames', 'keys', 'objects', 'workers'] as const;

/** The progress of a long operation. */
export interface Progress {
  /** The current step in one word for people, such as "checking" or "writing". */
  readonly phase: string;
  /** The unit of `done` and `total`. */
  readonly unit: (typeof progressUnits)[number];
  readonly done: number;
  /** The total; undefined if unknown. */
  readonly total?: number | undefined;
  /** Number of retried requests. */
  readonly retries: number;
  /** Number of entries that the platform did not accept. */
  readonly failed: number;
}

/** Receives the progress and warnings of a long operation. Messages may contain untrusted data. */
export interface Reporter {
  progress(progress: Progress): void;
  /** Reports a warning, as a sentence or as data that the interface formats. `fields` contains the same facts for programs. */
  warn(message: string | Remedy, fields?: Readonly<Record<string, unknown>>): void;
}
