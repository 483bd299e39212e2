import { rewriteUnsafe } from './escape.ts';
import { badByte, decodeUtf8 } from './utf8.ts';

/**
 * Outside data for a screen that can style marks: on one line, harmless, and with every stored character once, a backslash too.
 * Unsafe characters become marks. Marks are private-use characters, which outside data cannot contain, because those become
 * marks themselves: a stored `<U+202E>` is never taken for one.
 */
export function markText(text: string): string {
  return rewriteUnsafe(text, markOf);
}

/** As `markText`, for bytes: read as UTF-8, and each byte that is not becomes the mark `<HH>`. */
export function markBytes(bytes: Uint8Array): string {
  return rewriteUnsafe(decodeUtf8(bytes), markOf);
}

/** A range of marked text as it is drawn: text, or marks. */
export interface MarkedRun {
  readonly text: string;
  readonly marked: boolean;
}

/**
 * Private-use characters: a control character's mark is this one plus its code; the mark of any other character is between the
 * two.
 */
const controls = 0xe000;
const opening = '\ue100';
const closing = '\ue101';

const marks = /(?:[\ue000-\ue07f]|\ue100[^\ue101]*\ue101?)+/g;

/** A mark at an offset, so that none is torn at a line's end. */
export const wholeMark = /\ue100[^\ue101]*\ue101/y;

/** A marked text in runs, each as a terminal may show it: `␛` for ESC, `<U+202E>`, `<FF>` for a byte. */
export function markedRuns(marked: string): MarkedRun[] {
  const runs: MarkedRun[] = [];
  let end = 0;
  for (const match of marked.matchAll(marks)) {
    if (match.index > end) runs.push({ text: marked.slice(end, match.index), marked: false });
    runs.push({ text: drawn(match[0]), marked: true });
    end = match.index + match[0].length;
  }
  if (end < marked.length) runs.push({ text: marked.slice(end), marked: false });
  return runs;
}

function drawn(marked: string): string {
  return marked
    .replaceAll(opening, '<')
    .replaceAll(closing, '>')
    .replace(/[\ue000-\ue07f]/g, (mark) => pictureOf(mark.charCodeAt(0) - controls));
}

/** The Unicode picture of a control character. */
function pictureOf(code: number): string {
  return code === 0x7f ? '␡' : String.fromCharCode(0x2400 + code);
}

function markOf(character: string): string {
  if (character === '\\') return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return String.fromCharCode(controls + code);
  const isByte = character.length === 1 && code >= badByte && code <= badByte + 0xff;
  const name = isByte ? hex(code - badByte, 2) : `U+${hex(code, 4)}`;
  return `${opening}${name}${closing}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, '0');
}
