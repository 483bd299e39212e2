import { badByte, decodeUtf8 } from './utf8.ts';

/** `ascii` also escapes every character above `~`, for terminals without reliable Unicode support. */
export interface EscapeOptions {
  readonly ascii?: boolean | undefined;
}

/** A part of an escaped string: either literal characters or escapes. */
export interface EscapedRun {
  readonly text: string;
  readonly escaped: boolean;
}

/** One line of a value. `start` is the offset of its first byte in the value. */
export interface EscapedLine {
  readonly text: string;
  readonly start: number;
}

const notPlain = /[^ -[\]-~]/;
const notPlainAscii = /[^ -[\]-~]/gu;

/**
 * Characters that are invisible, move the cursor, change the reading direction, resemble a space, or are drawn differently by
 * different terminals. U+2800 is the Braille pattern without dots.
 */
const unsafe = String.raw`\p{C}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u{2800}[\p{Zs}--[\u{20}]]`;

/**
 * Consecutive Jamo of one class, or Kirat Rai vowels. Such a sequence forms one grapheme of unlimited length, but terminals do not draw it
 * as one.
 */
const joinable = [
  String.raw`\u{1100}-\u{115f}\u{a960}-\u{a97c}`,
  String.raw`\u{1160}-\u{11a7}\u{d7b0}-\u{d7c6}`,
  String.raw`\u{11a8}-\u{11ff}\u{d7cb}-\u{d7fb}`,
  String.raw`\u{16d63}-\u{16d6a}`,
];
const joining = joinable.map((characters) => `(?<=[${characters}])[${characters}]`);
const joined = joinable.map((characters) => `[${characters}]{2}`).join('|');

/** The patterns are compiled on first use, because most output is plain ASCII, and compiling takes a millisecond. */
let expressions: { readonly notAsItself: RegExp; readonly unsafeCharacter: RegExp } | undefined;

/**
 * Returns the patterns. `notAsItself` matches unsafe characters and the backslash. `notAsItself` also matches the fifth and later combining
 * marks on a base, marks that would combine with an escape or with the text before this string, and all joining characters except the
 * first.
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

/** The escapes that consist of a letter, and the escaped backslash. */
export const named: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\u001b': '\\e',
};

/**
 * Escapes untrusted data for a terminal. The result is printable, on one line, and reversible (`unescapeText`). Control characters become
 * `\n`, `\r`, `\t`, `\e` or `\xHH`, other unsafe characters become `\u{H}`, and a backslash becomes `\\`.
 */
export function escapeText(text: string, options: EscapeOptions = {}): string {
  if (!notPlain.test(text)) return text;
  return text.replace(options.ascii ? notPlainAscii : expressionsForUnicode().notAsItself, escapeCharacter);
}

/** Escapes bytes as `escapeText` escapes strings: decodes UTF-8, and writes each invalid byte as `\xHH`. */
export function escapeBytes(bytes: Uint8Array, options: EscapeOptions = {}): string {
  const text = decodeUtf8(bytes);
  if (!notPlain.test(text)) return text;
  return text.replace(
    options.ascii ? notPlainAscii : expressionsForUnicode().notAsItself,
    escapeByteOrCharacter,
  );
}

/** Replaces every unsafe character, including the backslash, with the result of `write`. */
export function rewriteUnsafe(text: string, write: (character: string) => string): string {
  return notPlain.test(text) ? text.replace(expressionsForUnicode().notAsItself, write) : text;
}

/**
 * Converts bytes to lines of escaped text. A line feed ends a line and is not shown. If only a part of a long value is passed, it must
 * begin and end at a `characterStart`. Empty input yields one empty line.
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

/** Splits an escaped string into runs, so that escapes can be styled differently. The string may already have been cut to a width. */
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

/**
 * Replaces every unsafe character in JSON except line feeds with `\uXXXX`. The JSON value is unchanged, and the output is safe for a
 * terminal.
 */
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
