import { markLength } from '../../../src/text/mark.ts';
import { graphemeLength, measureCharacter } from '../../../src/text/width.ts';

/**
 * Wraps escaped text to lines of up to `width` columns: at spaces if possible, otherwise after separators in names and addresses. A
 * relative time, such as `2 h ago`, stays on one line if possible.
 */
export function foldText(text: string, width: number): string[] {
  return breakLines(text, width, true);
}

/** Splits escaped text into lines of up to `width` columns, as close to the last column as possible, and keeps every space. */
export function cutText(text: string, width: number): string[] {
  return breakLines(text, width, false);
}

/** The last positions at which the current line can end, by kind; -1 if there is no such position. */
interface Breaks {
  space: number;
  /** The position of a space inside a relative time, such as `2 h ago`. */
  timeSpace: number;
  /** The position after a separator. */
  joint: number;
  hyphen: number;
}

function breakLines(text: string, width: number, words: boolean): string[] {
  const lines: string[] = [];
  const last: Breaks = { space: -1, timeSpace: -1, joint: -1, hyphen: -1 };
  let start = 0;
  let columns = 0;
  for (let at = 0; at < text.length; ) {
    const length = unitLength(text, at);
    const unit = measureCharacter(text.slice(at, at + length));
    if (text[at] === ' ') last[isInsideTime(text, at) ? 'timeSpace' : 'space'] = at;
    if (columns + unit > width && at > start) {
      const end = words ? findBreak(last, start, at) : at;
      lines.push(text.slice(start, end));
      // The space at a line break is dropped.
      start = words && text[end] === ' ' ? end + 1 : end;
      columns = measureCharacter(text.slice(start, at));
    }
    if (separators.has(text[at] ?? '') && !text.startsWith('/.', at - 1)) last.joint = at + length;
    else if (text[at] === '-' || text[at] === '_') last.hyphen = at + length;
    if (start <= at) columns += unit;
    at += length;
  }
  return [...lines, text.slice(start)];
}

/** Returns the position at which the line from `start` ends, at most `at`. */
function findBreak({ space, timeSpace, joint, hyphen }: Breaks, start: number, at: number): number {
  // A relative time is short, so it moves to the next line even if this line then becomes short.
  if (timeSpace > Math.max(start, space, joint)) return space > start ? space : timeSpace;
  return [space, joint, hyphen].find((place) => place > start + (at - start) / 2) ?? at;
}

/**
 * Characters after which a long name or address is preferably wrapped. Hyphens are used only if a line cannot be wrapped after any of these
 * characters.
 */
const separators: ReadonlySet<string> = new Set('./:=,&?');

const timeAfterSpace = /^ (?:ago|(?:s|min|h|days?)(?: ago)?)(?![\w-])/;

/** Returns whether a space is inside a relative time such as `2 h ago`. */
function isInsideTime(text: string, at: number): boolean {
  const before = text.charCodeAt(at - 1);
  const isAfterCount = before >= 0x30 && before <= 0x39;
  const isAfterUnit = text.startsWith(' ago', at);
  return (isAfterCount || isAfterUnit) && timeAfterSpace.test(text.slice(at, at + 10));
}

/** Returns the length of the escaped character or grapheme at a position, which must not be split. */
function unitLength(text: string, at: number): number {
  return markLength(text, at) ?? graphemeLength(text, at);
}
