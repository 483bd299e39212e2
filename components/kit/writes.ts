/** The writes of a pane, which continue after the pane is closed. */
export interface PaneWrites {
  /** Number of running writes. */
  readonly pending: number;
  /** Number of writes that failed or need an answer. */
  readonly unsettled: number;
  /** The first running write, for messages: `deleting`. */
  readonly words: string;
  /** Opens the dialog of the oldest write that failed or needs an answer. */
  recall(): void;
}

/** The key that returns to a write that failed or needs an answer. */
export const recallPress = "'";
