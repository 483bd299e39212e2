import { measureCharacter } from '../../../src/text/width.ts';
import { oneColumn } from './one-column.ts';

/** A sequence, a control character, or the text before the next sequence or control character. */
const piecePattern =
  /\u001b\[([0-?]*)[ -/]*([@-~])|\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b[^[\]]|[\u0000-\u001f\u007f]|[^\u0000-\u001f\u007f]+/g;

/** Matches strings in which every character is one column wide on all terminals: nearly all strings. */
const plainPattern = new RegExp(`^[\\0-\\x1f${oneColumn}]*$`);

/**
 * Keeps text at the columns that edgectl calculates. Terminals disagree about the width of flags, emoji, combining marks and new Unicode
 * characters: one, two or four columns. After each run of such characters, the aligner sets the cursor to the calculated column, so that
 * borders and adjacent panes stay aligned.
 */
export class ColumnAligner {
  /** The column of the cursor; undefined if unknown. */
  #column: number | undefined = 0;

  /** Returns a string with the cursor movements that align it. */
  write(text: string): string {
    if (plainPattern.test(text)) {
      this.#column = undefined;
      return text;
    }
    let written = '';
    for (const [found, codes = '', command] of text.matchAll(piecePattern)) {
      if (command !== undefined) this.#column = columnAfter(this.#column, codes, command);
      else if (found === '\r' || found === '\n') this.#column = 0;
      written += isText(found) ? this.#writeText(found) : found;
    }
    return written;
  }

  #writeText(text: string): string {
    let written = '';
    for (const [stretch, unsure] of text.matchAll(runPattern)) {
      written += stretch;
      if (this.#column === undefined) continue;
      this.#column += measureCharacter(stretch);
      if (unsure !== undefined) written += `\u001b[${this.#column + 1}G`;
    }
    return written;
  }
}

/** Matches runs of characters that are certainly one column wide, and runs of other characters. */
const runPattern = new RegExp(`[${oneColumn}]+|([^${oneColumn}]+)`, 'g');

function isText(found: string): boolean {
  return found[0] !== '\u001b' && !/^[\u0000-\u001f\u007f]$/.test(found);
}

/** Returns the cursor's column after a control sequence; undefined if unknown. */
function columnAfter(column: number | undefined, codes: string, command: string): number | undefined {
  const number = Number.parseInt(codes, 10) || 1;
  if (command === 'G') return number - 1;
  if (command === 'H' || command === 'f') return (Number(codes.split(';')[1]) || 1) - 1;
  if (command === 'E' || command === 'F') return 0;
  if (command === 'C' || command === 'D') {
    return column === undefined ? undefined : Math.max(0, column + (command === 'C' ? number : -number));
  }
  return column;
}
