import { markLength } from '../../../src/text/mark.ts';
import { graphemeLength, measureCharacter } from '../../../src/text/width.ts';

/**
 * Wraps a marked text to lines of up to `width` columns: at spaces if possible, otherwise after separators in names and addresses. A count
 * and its unit stay on the same line.
 */
export function foldText(text: string, width: number): string[] {
  return breakLines(text, width, true);
}

/** Like `foldText`, but breaks only at the last column, and keeps every space of a value. */
export function cutText(text: string, width: number): string[] {
  return breakLines(text, width, false);
}

function breakLines(text: string, width: number, words: boolean): string[] {
  const lines: string[] = [];
  let start = 0;
  let columns = 0;
  let space = -1;
  let joint = -1;
  let hyphen = -1;
  for (let at = 0; at < text.length; ) {
    const length = unitLength(text, at);
    const unit = measureCharacter(text.slice(at, at + length));
    if (text[at] === ' ' && !isInsideTime(text, at)) space = at;
    if (columns + unit > width && at > start) {
      const isUsable = (place: number) => words && place > start + (at - start) / 2;
      const atSpace = isUsable(space);
      const end = atSpace ? space : ([joint, hyphen].find(isUsable) ?? at);
      lines.push(text.slice(start, end));
      start = atSpace ? end + 1 : end;
      columns = measureCharacter(text.slice(start, at));
    }
    if (separators.has(text[at] ?? '') && !text.startsWith('/.', at - 1)) joint = at + length;
    else if (text[at] === '-' || text[at] === '_') hyphen = at + length;
    // The space at a line break is dropped.
    if (start <= at) columns += unit;
    at += length;
  }
  return [...lines, text.slice(start)];
}

/** Characters after which a long name or address is wrapped. A hyphen is not a break point. */
const separators: ReadonlySet<string> = new Set('./:=,&?');

const timeAfterSpace = /^ (?:ago|(?:s|min|h|days?)(?: ago)?)(?![\w-])/;

/** Whether a space is inside a relative time such as `2 h ago`. */
function isInsideTime(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const isAfterCount = before >= 0x30 && before <= 0x39;
  const isAfterUnit = text.startsWith(' ago', at);
  return (isAfterCount || isAfterUnit) && timeAfterSpace.test(text.slice(at, at + 10));
}

/** Returns the length of a unit that must not be split: a mark, or a grapheme. */
function unitLength(text: string, at: number): number {
  return markLength(text, at) ?? graphemeLength(text, at);
}
