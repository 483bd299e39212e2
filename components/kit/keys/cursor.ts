/** The selected row of a list, and the first row on the screen when the cursor was last moved. */
export interface Cursor {
  readonly index: number;
  readonly top: number;
}

const moves = ['up', 'down', 'page-up', 'page-down', 'first', 'last'] as const;

/** A cursor movement in a list. */
export type Move = (typeof moves)[number];

/** Returns whether an action is a move. */
export function isMove(action: string): action is Move {
  return moves.some((move) => move === action);
}

export const atStart: Cursor = { index: 0, top: 0 };

/**
 * Returns the index of the first row to draw. The selected row is among the `height` drawn rows, and no drawn row is empty if the list is
 * long enough.
 */
export function firstVisibleRow(cursor: Cursor, length: number, height: number): number {
  const index = clamp(cursor.index, length);
  const lowest = Math.max(0, index - height + 1);
  const highest = Math.min(index, Math.max(0, length - height));
  return Math.max(lowest, Math.min(cursor.top, Math.max(lowest, highest)));
}

/** Returns the cursor after a move in a list of `length` rows, on a screen of `height` rows. */
export function moveCursor(cursor: Cursor, move: Move, length: number, height: number): Cursor {
  const page = Math.max(1, height - 1);
  const steps: Record<Move, number> = {
    up: -1,
    down: 1,
    'page-up': -page,
    'page-down': page,
    first: Number.NEGATIVE_INFINITY,
    last: Number.POSITIVE_INFINITY,
  };
  const index = clamp(cursor.index + steps[move], length);
  const top = firstVisibleRow(cursor, length, height) + (move.startsWith('page') ? steps[move] : 0);
  const moved = { index, top: Math.max(0, top) };
  return { index, top: firstVisibleRow(moved, length, height) };
}

/** Returns the cursor on another row, with the same rows on the screen if possible. */
export function moveCursorTo(cursor: Cursor, index: number, length: number): Cursor {
  return { index: clamp(index, length), top: cursor.top };
}

function clamp(index: number, length: number): number {
  return Math.max(0, Math.min(index, length - 1));
}
