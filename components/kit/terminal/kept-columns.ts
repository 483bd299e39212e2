import { columnsOf } from '../../../src/text/width.ts';
import { oneColumn } from './one-column.ts';

/** A sequence, a control character, or letters up to the next of these. */
const piece =
  /\u001b\[([0-?]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[^[\]]|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/g;

/** Strings for which all terminals agree on the width of each character, as for nearly all. */
const plain = new RegExp(`^[\\0-\\x1f${oneColumn}]*$`);

/**
 * Writes text so that it is where we calculate it. Terminals draw flags, emoji, marks and new Unicode characters in one column,
 * two or four: after each run of such characters the cursor is set to the calculated column, so that borders and adjacent panes
 * stay in place.
 */
export class KeptColumns {
  /** The column of the cursor; undefined where nobody knows. */
  #column: number | undefined = 0;

  /** The output instead of a string. */
  write(text: string): string {
    if (plain.test(text)) {
      this.#column = undefined;
      return text;
    }
    let written = '';
    for (const [found, codes = '', command] of text.matchAll(piece)) {
      if (command !== undefined) this.#column = moved(this.#column, codes, command);
      else if (found === '\r' || found === '\n') this.#column = 0;
      written += isText(found) ? this.#letters(found) : found;
    }
    return written;
  }

  #letters(text: string): string {
    let written = '';
    for (const [stretch, unsure] of text.matchAll(stretches)) {
      written += stretch;
      if (this.#column === undefined) continue;
      this.#column += columnsOf(stretch);
      if (unsure !== undefined) written += `\u001b[${this.#column + 1}G`;
    }
    return written;
  }
}

/** Letters of one column, and those of which that is not sure. */
const stretches = new RegExp(`[${oneColumn}]+|([^${oneColumn}]+)`, 'g');

function isText(found: string): boolean {
  return found[0] !== '\u001b' && !/^[\u0000-\u001f\u007f]$/.test(found);
}

/** The column behind a sequence. */
function moved(column: number | undefined, codes: string, command: string): number | undefined {
  const number = Number.parseInt(codes, 10) || 1;
  if (command === 'G') return number - 1;
  if (command === 'H' || command === 'f') return (Number(codes.split(';')[1]) || 1) - 1;
  if (command === 'E' || command === 'F') return 0;
  if (command === 'C' || command === 'D') {
    return column === undefined ? undefined : Math.max(0, column + (command === 'C' ? number : -number));
  }
  return column;
}
