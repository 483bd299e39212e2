import type { Remedy } from './remedy.ts';

/** Counted things of long work, by their words. */
export const progressUnits = ['bytes', 'entries', 'hostnames', 'keys', 'objects', 'workers'] as const;

/** The progress of long work. */
export interface Progress {
  /** The present step, as a word for people: "checking", "writing". */
  readonly phase: string;
  /** The unit of `done` and `total`. */
  readonly unit: (typeof progressUnits)[number];
  readonly done: number;
  /** Undefined where it is not known. */
  readonly total?: number | undefined;
  /** Requests that were repeated, and entries that the platform did not take. */
  readonly retries: number;
  readonly failed: number;
}

/** Receives the progress of a long piece of work. Messages may contain outside data. */
export interface Reporter {
  progress(progress: Progress): void;
  /** Takes a warning in words, or as data that the surface words, and the same as fields for a program. */
  warn(message: string | Remedy, fields?: Readonly<Record<string, unknown>>): void;
}
