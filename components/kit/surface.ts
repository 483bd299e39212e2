import type { Redact } from '../../src/text/redact.ts';

/** The screen that a text from outside is drawn on. */
export interface Surface {
  /** Columns of the screen. */
  readonly columns: number;
  /**
   * Takes our own credentials out of what is drawn. It is asked for the whole text, before that is cut or folded: of a
   * piece nobody can tell. What is copied, edited or sent is never asked for.
   */
  readonly redact: Redact;
}
