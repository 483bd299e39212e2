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

/** Columns and rows of a screen. */
export interface ScreenSize {
  readonly columns: number;
  readonly rows: number;
  /** Whether it is heard and not seen: nothing stands beside anything. */
  readonly isSpoken?: boolean;
}

/** A part of the screen from top to bottom. What stands in it is told its columns, and never why it has so many. */
export interface Region {
  /** The first column. */
  readonly left: number;
  /** Columns of the whole, borders among them. */
  readonly width: number;
  /** Columns for what stands in it. */
  readonly columns: number;
  /** Whether it has borders, which carry its title. */
  readonly isFramed: boolean;
  /** Whether it is that of the list before, which takes no presses. */
  readonly isParent: boolean;
}
