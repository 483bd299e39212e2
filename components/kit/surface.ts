import type { Redact } from '../../src/text/redact.ts';

/** The screen on which outside data is drawn. */
export interface Surface {
  /** Columns of the screen. */
  readonly columns: number;
  /**
   * Redacts our own credentials in everything that is drawn. It receives the whole string, before it is cut or folded: a piece
   * cannot be recognised. Copied, edited and sent data is never redacted.
   */
  readonly redact: Redact;
}

/** Columns and rows of a screen. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
  /** Whether it is heard and not seen: nothing is side by side. */
  readonly isSpoken?: boolean;
}

/** A part of the screen from top to bottom. Its content receives its columns, and never the reason for their number. */
export interface Region {
  /** The first column. */
  readonly left: number;
  /** Columns of the whole, borders among them. */
  readonly width: number;
  /** Columns for its content. */
  readonly columns: number;
  /** Whether it has borders, which carry its title. */
  readonly isFramed: boolean;
  /** Whether it is that of the list before, which takes no presses. */
  readonly isParent: boolean;
}
