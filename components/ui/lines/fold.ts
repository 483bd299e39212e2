import { wholeMark } from '../../../src/text/mark.ts';
import { columnsOf, graphemeLength } from '../../../src/text/width.ts';

/** A whole escape, so that none is torn at a line's end. */
const wholeEscape = /\\(?:u\{[0-9a-f]+\}|x[0-9a-f]{2}|.)/y;

/** An escaped or marked text in lines of at most `width` columns: broken at spaces where there are some, else anywhere. */
export function foldText(text: string, width: number): string[] {
  return linesOf(text, width, true);
}

/** Like `foldText`, broken only at the last column: nothing of a value is dropped. */
export function cutText(text: string, width: number): string[] {
  return linesOf(text, width, false);
}

function linesOf(text: string, width: number, words: boolean): string[] {
  const lines: string[] = [];
  let start = 0;
  let columns = 0;
  let space = -1;
  for (let at = 0; at < text.length; ) {
    const length = unitLength(text, at);
    const unit = columnsOf(text.slice(at, at + length));
    if (text[at] === ' ') space = at;
    if (columns + unit > width && at > start) {
      const atSpace = words && space > start + (at - start) / 2;
      const end = atSpace ? space : at;
      lines.push(text.slice(start, end));
      start = atSpace ? end + 1 : end;
      columns = columnsOf(text.slice(start, at));
    }
    // The space at a line break is on neither line.
    if (start <= at) columns += unit;
    at += length;
  }
  return [...lines, text.slice(start)];
}

/** Length of what is not to be torn: an escape, a mark, or a grapheme. */
function unitLength(text: string, at: number): number {
  return writtenLength(text, at) ?? graphemeLength(text, at);
}

/** Length of the escape or mark that begins at an offset. */
function writtenLength(text: string, at: number): number | undefined {
  const whole = text[at] === '\\' ? wholeEscape : text.charCodeAt(at) === 0xe100 ? wholeMark : undefined;
  if (whole === undefined) return undefined;
  whole.lastIndex = at;
  return whole.exec(text)?.[0].length;
}
