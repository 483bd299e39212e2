import type { Session } from '../session/session.ts';

/** How an account is recorded. */
export interface Recording {
  readonly session: Session;
  /** Writes values, metadata, variables and code as they are; masked ones of the same length when false. */
  readonly withValues: boolean;
  /** Keys of a namespace and objects of a bucket at most. */
  readonly most: number;
  /** Told of each part that is left out, in a sentence. */
  note(message: string): void;
}
