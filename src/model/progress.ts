import type { Remedy } from './remedy.ts';

/** Units of progress, by their plural nouns. */
export const progressUnits = ['bytes', 'entries', 'hostnames', 'keys', 'objects', 'workers'] as const;

/** The progress of long work. */
export interface Progress {
  /** The current step, as a word for people: "checking", "writing". */
  readonly phase: string;
  /** The unit of `done` and `total`. */
  readonly unit: (typeof progressUnits)[number];
  readonly done: number;
  /** Undefined if unknown. */
  readonly total?: number | undefined;
  /** Number of repeated requests, and of entries that the platform did not accept. */
  readonly retries: number;
  readonly failed: number;
}

/** Receives the progress of a long piece of work. Messages may contain outside data. */
export interface Reporter {
  progress(progress: Progress): void;
  /** Receives a warning: a sentence, or data that the interface formats; `fields` are the same facts for a program. */
  warn(message: string | Remedy, fields?: Readonly<Record<string, unknown>>): void;
}
