import type { Redact } from '../../src/text/redact.ts';

/** The screen area on which data from outside is drawn. */
export interface Surface {
  /** Columns of the screen. */
  readonly columns: number;
  /**
   * Redacts edgectl's own credentials in everything that is drawn. This function receives the whole string before cutting or folding,
   * because a fragment of a credential cannot be recognized. Copied, edited and sent data is never redacted.
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

/** A full-height part of the screen. The content of a surface receives only the number of columns, not the layout. */
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
