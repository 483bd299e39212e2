import { characterStart } from './utf8.ts';

/** The kind of a value, guessed from its first bytes. `label` is a description for people, such as "text", "JSON" or "PNG image". */
export interface Kind {
  readonly kind: 'empty' | 'text' | 'json' | 'binary';
  readonly label: string;
}

const signatures: readonly (readonly [label: string, magic: string, offset?: number])[] = [
  ['PNG image', '\x89PNG\r\n\x1a\n'],
  ['JPEG image', '\xff\xd8\xff'],
  ['GIF image', 'GIF87a'],
  ['GIF image', 'GIF89a'],
  ['WebP image', 'WEBP', 8],
  ['AVIF image', 'ftypavif', 4],
  ['HEIC image', 'ftypheic', 4],
  ['HEIC image', 'ftypheix', 4],
  ['MP4 video', 'ftyp', 4],
  ['BMP image', 'BM'],
  ['icon', '\x00\x00\x01\x00'],
  ['PDF document', '%PDF-'],
  ['gzip archive', '\x1f\x8b'],
  ['Zstandard archive', '\x28\xb5\x2f\xfd'],
  ['ZIP archive', 'PK\x03\x04'],
  ['WebAssembly module', '\x00asm'],
  ['SQLite database', 'SQLite format 3\x00'],
];

/**
 * Guesses the kind from the first bytes; a few hundred bytes are enough. `whole` states whether `head` contains the entire value; if it
 * does not, an incomplete character at the end is allowed.
 */
export function guessKind(head: Uint8Array, whole: boolean): Kind {
  if (head.length === 0) return { kind: 'empty', label: 'empty' };
  const text = decodeText(whole ? head : head.subarray(0, lastCharacterEnd(head)));
  const signed = signatures.find(([, magic, at = 0]) => beginsWith(head, magic, at));
  if (signed !== undefined && (text === undefined || signed[1] === '%PDF-')) {
    return { kind: 'binary', label: signed[0] };
  }
  if (text === undefined) return { kind: 'binary', label: 'binary' };
  return isLikelyJson(text, whole) ? { kind: 'json', label: 'JSON' } : { kind: 'text', label: 'text' };
}

function beginsWith(bytes: Uint8Array, magic: string, at: number): boolean {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    .subarray(at, at + magic.length)
    .equals(Buffer.from(magic, 'latin1'));
}

/** Returns the end of the last complete character of the first bytes of a longer value. */
function lastCharacterEnd(head: Uint8Array): number {
  const last = characterStart(head, head.length - 1);
  return decodeText(head.subarray(last)) === undefined ? last : head.length;
}

/** Decodes the bytes; undefined if they are not UTF-8, or contain control characters that are not used in text. */
function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return /[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function isLikelyJson(text: string, whole: boolean): boolean {
  if (!whole) return /^\s*(?:\{\s*["}]|\[\s*["{[\]\d\-tfn])/.test(text);
  if (!/^\s*[{["]/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
