/** A mouse event in a cell of the screen; columns and rows are counted from 0. */
export interface MouseAction {
  readonly kind: 'press' | 'drag' | 'release' | 'wheel-up' | 'wheel-down';
  readonly column: number;
  readonly row: number;
}

/** Turns on reports of presses and drags (mode 1002), in the format without coordinate limits (mode 1006). */
export const mouseOn = '\u001b[?1002h\u001b[?1006h';
export const mouseOff = '\u001b[?1006l\u001b[?1002l';

/** The format of mode 1006: button, column and row from 1, and whether the button was pressed. */
const reportPattern = /^\u001b\[<(\d+);(\d+);(\d+)([Mm])$/;

/** Bits of the button code: a drag, the wheel. The bits of Shift, Alt and Ctrl are ignored. */
const motionBit = 32;
const wheelBit = 64;

/** Parses a terminal's mouse report; undefined for any other string, and for presses of buttons other than the first and the wheel. */
export function readMouse(text: string): MouseAction | undefined {
  const [, button = '', column = '', row = '', end] = reportPattern.exec(text) ?? [];
  if (end === undefined) return undefined;
  const at = { column: Number(column) - 1, row: Number(row) - 1 };
  const code = Number(button) & (motionBit | wheelBit | 3);
  if (code === wheelBit) return { kind: 'wheel-up', ...at };
  if (code === wheelBit + 1) return { kind: 'wheel-down', ...at };
  if (end === 'm') return { kind: 'release', ...at };
  if (code === 0) return { kind: 'press', ...at };
  return code === motionBit ? { kind: 'drag', ...at } : undefined;
}
