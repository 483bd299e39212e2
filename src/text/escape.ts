import { badByte, decodeUtf8 } from './utf8.ts';

/** `ascii` escapes everything above `~` as well, for terminals that are not to be trusted with Unicode. */
export interface EscapeOptions {
  readonly ascii?: boolean | undefined;
}

/** A stretch of an escaped text: either characters that stand for themselves, or escapes. */
export interface EscapedRun {
  readonly text: string;
  readonly escaped: boolean;
}

/** One line of a value. `start` is the offset of its first byte in the bytes that were given. */
export interface EscapedLine {
  readonly text: string;
  readonly start: number;
}

const notPlain = /[^ -[\]-~]/;
const notPlainAscii = /[^ -[\]-~]/gu;

/**
 * Characters that are invisible, move the cursor or the reading direction, look like a space without being one, or have
 * no glyph that two terminals agree on. U+2800 is the Braille pattern without dots.
 */
const unsafe = String.raw`\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}[\p{Zs}--[\u{20}]]`;

/** Jamo of one class, or Kirat Rai vowels, in a row: one grapheme without bound, which terminals do not draw as one. */
const joinable = [
  String.raw`\u{1100}-\u{115f}\u{a960}-\u{a97c}`,
  String.raw`\u{1160}-\u{11a7}\u{d7b0}-\u{d7c6}`,
  String.raw`\u{11a8}-\u{11ff}\u{d7cb}-\u{d7fb}`,
  String.raw`\u{16d63}-\u{16d6a}`,
];
const joining = joinable.map((characters) => `(?<=[${characters}])[${characters}]`);
const joined = joinable.map((characters) => `[${characters}]{2}`).join('|');

/** Made at first use: most output is plain ASCII, and these take a millisecond to make. */
let expressions: { readonly notAsItself: RegExp; readonly unsafeCharacter: RegExp } | undefined;

/**
 * `notAsItself` finds, besides the unsafe ones and the backslash, the fifth and further combining marks on one base,
 * marks that would sit on an escape or on whatever stands before the text, and joining characters but the first.
 */
function expressionsForUnicode(): NonNullable<typeof expressions> {
  expressions ??= {
    unsafeCharacter: new RegExp(`[${unsafe}]`, 'gv'),
    notAsItself: new RegExp(
      [
        String.raw`[\\${unsafe}]`,
        String.raw`(?<=\p{M}{4}|(?:^|[\\${unsafe}]|${joined})\p{M}{0,3})\p{M}`,
        ...joining,
      ].join('|'),
      'gv',
    ),
  };
  return expressions;
}

/** The escapes with a letter, and the backslash. */
export const named: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u001b': '\\e',
};

/**
 * Escapes outside data for a terminal: printable, on one line, and reversible (`unescapeText`). Control characters become `\n`,
 * `\r`, `\t`, `\e` or `\xHH`, other unsafe characters `\u{H}`, a backslash `\\`.
 */
export function escapeText(text: string, options: EscapeOptions = {}): string {
  if (!notPlain.test(text)) return text;
  return text.replace(options.ascii ? notPlainAscii : expressionsForUnicode().notAsItself, escapeCharacter);
}

/** As `escapeText`, for bytes: read as UTF-8, and each byte that is not becomes `\xHH`. */
export function escapeBytes(bytes: Uint8Array, options: EscapeOptions = {}): string {
  const text = decodeUtf8(bytes);
  if (!notPlain.test(text)) return text;
  return text.replace(
    options.ascii ? notPlainAscii : expressionsForUnicode().notAsItself,
    escapeByteOrCharacter,
  );
}

/** Escapes every unsafe character; a backslash is one of them. */
export function rewriteUnsafe(text: string, write: (character: string) => string): string {
  return notPlain.test(text) ? text.replace(expressionsForUnicode().notAsItself, write) : text;
}

/**
 * Bytes as lines of escaped text: a line feed ends a line and is not shown. Give it a window of a long value that
 * begins and ends at a `characterStart`. No bytes are one empty line.
 */
export function escapeLines(bytes: Uint8Array, options: EscapeOptions = {}): EscapedLine[] {
  const lines: EscapedLine[] = [];
  for (let start = 0; ; ) {
    const feed = bytes.indexOf(0x0a, start);
    const end = feed === -1 ? bytes.length : feed;
    lines.push({ text: escapeBytes(bytes.subarray(start, end), options), start });
    if (feed === -1) return lines;
    start = feed + 1;
  }
}

const escapes = /(?:\\(?:u\{[0-9a-f]*\}?|x[0-9a-f]{0,2}|.?))+/g;

/** An escaped text in runs, so that escapes can be drawn apart. It may have been cut to a width before. */
export function escapedRuns(escaped: string): EscapedRun[] {
  const runs: EscapedRun[] = [];
  let end = 0;
  for (const match of escaped.matchAll(escapes)) {
    if (match.index > end) runs.push({ text: escaped.slice(end, match.index), escaped: false });
    runs.push({ text: match[0], escaped: true });
    end = match.index + match[0].length;
  }
  if (end < escaped.length) runs.push({ text: escaped.slice(end), escaped: false });
  return runs;
}

/** JSON text in which every unsafe character is written `\uXXXX`: the same value, and harmless on a terminal. */
export function escapeJson(json: string): string {
  if (!/[^\n -~]/.test(json)) return json;
  return json.replace(expressionsForUnicode().unsafeCharacter, (character) =>
    character === '\n'
      ? character
      : Array.from({ length: character.length }, (_, index) => unit(character, index)).join(''),
  );
}

function unit(text: string, index: number): string {
  return `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`;
}

function escapeCharacter(character: string): string {
  const short = named[character];
  if (short !== undefined) return short;
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  return code < 0x80 ? `\\x${digits.padStart(2, '0')}` : `\\u{${digits}}`;
}

function escapeByteOrCharacter(character: string): string {
  const code = character.charCodeAt(0);
  if (character.length > 1 || code < badByte || code > badByte + 0xff) return escapeCharacter(character);
  return `\\x${(code - badByte).toString(16)}`;
}
