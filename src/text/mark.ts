import { rewriteUnsafe } from './escape.ts';
import { badByte, decodeUtf8 } from './utf8.ts';

/**
 * Formats untrusted data for a screen that can style marks: safe, on one line, and with every stored character exactly once, including
 * backslashes. Unsafe characters become marks. Marks consist of private-use characters. Private-use characters in the data also become
 * marks, so a stored `<U+202E>` cannot be confused with a mark.
 */
export function markText(text: string): string {
  return rewriteUnsafe(text, characterMark);
}

/** Formats bytes as `markText` formats strings: decodes UTF-8, and replaces each invalid byte with the mark `<HH>`. */
export function markBytes(bytes: Uint8Array): string {
  return rewriteUnsafe(decodeUtf8(bytes), byteMark);
}

/**
 * Formats a string like `markText`, but with marks that can be typed on any keyboard: `<U+202E>`, and `<U+001B>` instead of a picture for a
 * control character.
 */
export function typeableText(text: string): string {
  return rewriteUnsafe(text, (character) => (character === '\\' ? character : `<${codeName(character)}>`));
}

/** A part of a marked string, for drawing: either text or marks. */
export interface MarkedRun {
  readonly text: string;
  readonly marked: boolean;
}

/**
 * Private-use characters for marks. The mark of a control character is the first code plus the character's code. The mark of any other
 * character is enclosed by the other two codes.
 */
const controls = 0xe000;
const opening = '\ue100';
const closing = '\ue101';

/** Matches marks, and the remainder of a mark that was cut to a width. */
const marks = /(?:[\ue000-\ue07f\ue101]|\ue100[U+0-9A-F]*\ue101?)+/g;
const anyMark = /[\ue000-\ue101]/;
const wholeMark = /\ue100[^\ue101]*\ue101/y;

/**
 * Returns the length of the mark at an offset of a marked string, so that no mark is split at the end of a line; undefined if no mark of
 * several characters begins there.
 */
export function markLength(marked: string, at: number): number | undefined {
  if (marked.charCodeAt(at) !== 0xe100) return undefined;
  wholeMark.lastIndex = at;
  return wholeMark.exec(marked)?.[0].length;
}

/** Splits a marked string into runs, in the form that a terminal shows: `␛` for ESC, `<U+202E>` for a character, `<FF>` for a byte. */
export function markedRuns(marked: string): MarkedRun[] {
  if (!anyMark.test(marked)) return [{ text: marked, marked: false }];
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
    .replace(/[\ue000-\ue07f]/g, (mark) => visibleMark(mark.charCodeAt(0) - controls));
}

/** Returns the Unicode control picture of a control character. */
function visibleMark(code: number): string {
  return code === 0x7f ? '␡' : String.fromCharCode(0x2400 + code);
}

function characterMark(character: string): string {
  if (character === '\\') return character;
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20 || code === 0x7f) return String.fromCharCode(controls + code);
  return `${opening}${codeName(character)}${closing}`;
}

/** Returns the mark of a character, or of a byte that is not valid UTF-8. */
function byteMark(character: string): string {
  const code = character.charCodeAt(0);
  const isByte = character.length === 1 && code >= badByte && code <= badByte + 0xff;
  return isByte ? `${opening}${hex(code - badByte, 2)}${closing}` : characterMark(character);
}

function codeName(character: string): string {
  return `U+${hex(character.codePointAt(0) ?? 0, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).toUpperCase().padStart(digits, '0');
}
