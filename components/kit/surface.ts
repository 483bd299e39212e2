import type { Redact } from '../../src/text/redact.ts';

/** The properties of a screen area that are required to draw untrusted data: the width, and the redaction. */
export interface Surface {
  /** Columns of the screen area. */
  readonly columns: number;
  /**
   * Redacts edgectl's own credentials in a string before it is drawn. Pass the whole string, before cutting or folding, because a fragment
   * of a credential cannot be recognized. Copied, edited and sent data is never redacted.
   */
  readonly redact: Redact;
}

/** Columns and rows of a screen. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
  /** Whether a screen reader reads the screen aloud; if so, nothing is drawn side by side. */
  readonly isSpoken?: boolean;
}

/** A part of the screen that has the screen's full height. */
export interface Region {
  /** The first column. */
  readonly left: number;
  /** Total columns, including borders. */
  readonly width: number;
  /** Columns for the content. */
  readonly columns: number;
  /** Whether the region has borders; the upper border contains the title. */
  readonly isFramed: boolean;
}
