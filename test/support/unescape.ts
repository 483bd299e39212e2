import { Problem } from '../../src/model/problem.ts';
import { named } from '../../src/text/escape.ts';

/** A backslash with the next character, whether the two form an escape or not. */
const written = /\\(?:u\{[0-9a-f]{1,6}\}|x[0-9a-f]{2}|.?)/gisu;

/** Reverses `escapeText`. Rejects an invalid escape, and `\x80` and above. */
export function unescapeText(escaped: string): string {
  return escaped.replace(written, (sequence) => {
    const code = toCodePoint(sequence);
    if (sequence.startsWith('\\x') && code > 0x7f) throw badEscape(sequence, 'is a byte, not a character');
    return String.fromCodePoint(code);
  });
}

/** Reverses `escapeBytes`. Rejects an invalid escape, and lone surrogates. */
export function unescapeBytes(escaped: string): Uint8Array {
  const parts: Buffer[] = [];
  let end = 0;
  for (const match of escaped.matchAll(written)) {
    parts.push(Buffer.from(escaped.slice(end, match.index)));
    const code = toCodePoint(match[0]);
    if (code >= 0xd800 && code <= 0xdfff) throw badEscape(match[0], 'is half of a character');
    parts.push(match[0].startsWith('\\x') ? Buffer.of(code) : Buffer.from(String.fromCodePoint(code)));
    end = match.index + match[0].length;
  }
  parts.push(Buffer.from(escaped.slice(end)));
  return Buffer.concat(parts);
}

function toCodePoint(sequence: string): number {
  const plain = Object.keys(named).find((character) => named[character] === sequence);
  if (plain !== undefined) return plain.charCodeAt(0);
  const digits = /^\\(?:u\{(.+)\}|x(..))$/.exec(sequence);
  const code = Number.parseInt(digits?.[1] ?? digits?.[2] ?? '', 16);
  if (!(code <= 0x10ffff)) throw badEscape(sequence, 'is not an escape');
  return code;
}

function badEscape(sequence: string, why: string): Problem {
  const hint = 'Escapes are \\\\, \\n, \\r, \\t, \\e, \\xHH and \\u{H}.';
  return new Problem('invalid-input', `Bad escape: "${sequence}" ${why}.`, { hint });
}
