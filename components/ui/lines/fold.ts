import { markLength } from '../../../src/text/mark.ts';
import { graphemeLength, measureCharacter } from '../../../src/text/width.ts';

/** Wraps a marked text to lines of up to `width` columns, at spaces if possible. */
export function foldText(text: string, width: number): string[] {
  return breakLines(text, width, true);
}

/** Like `foldText`, but breaks only at the last column, so that no space of a value is dropped. */
export function cutText(text: string, width: number): string[] {
  return breakLines(text, width, false);
}

function breakLines(text: string, width: number, words: boolean): string[] {
  const lines: string[] = [];
  let start = 0;
  let columns = 0;
  let space = -1;
  for (let at = 0; at < text.length; ) {
    const length = unitLength(text, at);
    const unit = measureCharacter(text.slice(at, at + length));
    if (text[at] === ' ') space = at;
    if (columns + unit > width && at > start) {
      const atSpace = words && space > start + (at - start) / 2;
      const end = atSpace ? space : at;
      lines.push(text.slice(start, end));
      start = atSpace ? end + 1 : end;
      columns = measureCharacter(text.slice(start, at));
    }
    // The space at a line break is dropped.
    if (start <= at) columns += unit;
    at += length;
  }
  return [...lines, text.slice(start)];
}

/** Returns the length of a unit that must not be split: a mark, or a grapheme. */
function unitLength(text: string, at: number): number {
  return markLength(text, at) ?? graphemeLength(text, at);
}
