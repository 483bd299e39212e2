import { characterStart, decodeUtf8 } from '../utf8.ts';
import type { Matcher, Range } from './pattern.ts';
import { withinTime } from './within-time.ts';

/** Number of bytes per search step. A longer line is searched in pieces. */
const stepBytes = { part: 32_768, expression: 16_384, fuzzy: 16_384 };

/** Number of bytes of a line that adjacent pieces share, so that matches across the boundary are found. */
const overlap = 2048;

/** Maximum number of milliseconds that an expression may take per step. */
const maxStep = 50;

/** Maximum number of saved matches. */
const maxFound = 100_000;

const lineFeed = 0x0a;

/** A range of bytes, read as UTF-8, that is searched in one step. */
interface Piece {
  readonly from: number;
  readonly end: number;
  /** Matches before this offset are ignored, because they were found in an earlier piece. */
  readonly since: number;
  /** Whether the line continues after this piece. If so, a match that begins in the last `overlap` bytes is found in the next step. */
  readonly isCut: boolean;
}

/**
 * Finds a pattern in UTF-8 bytes, line by line, in steps of limited duration. No step blocks for longer than a few frames, regardless of
 * the length of the value or the cost of the expression. If an expression takes too long for a few lines, the search ends with a fault.
 */
export class ByteSearch {
  readonly bytes: Uint8Array;
  readonly matcher: Matcher;
  /**
   * Offsets of matches in ascending order. For a fuzzy pattern: the first match in each line. For a negated pattern: the start of each
   * matching line.
   */
  readonly hits = new Offsets();
  readonly #from = new Offsets();
  readonly #to = new Offsets();
  #at = 0;
  #since = 0;
  #lineStart = 0;
  #lineLets = true;
  #fault: string | undefined;
  #isFull = false;

  constructor(bytes: Uint8Array, matcher: Matcher) {
    this.bytes = bytes;
    this.matcher = matcher;
  }

  /** Returns the number of bytes that have been searched. */
  get reached(): number {
    return this.#at;
  }

  get isDone(): boolean {
    return this.#at >= this.bytes.length || this.#fault !== undefined || this.#isFull;
  }

  /** Returns whether the maximum number of matches has been reached. */
  get isFull(): boolean {
    return this.#isFull;
  }

  /** Returns the reason why the search was aborted; undefined if it was not. */
  get fault(): string | undefined {
    return this.#fault;
  }

  /** Searches the next bytes. */
  step(): void {
    if (this.isDone) return;
    const piece = this.#nextPiece();
    const text = decodeUtf8(this.bytes.subarray(piece.from, piece.end));
    const { how, isNegated } = this.matcher.pattern;
    if (how === 'part' && !isNegated)
      this.#keep(this.matcher.rangesIn(text), { piece, text, start: piece.from });
    else if (!this.#searchLines(piece, text)) return;
    this.#isFull = this.#from.length >= maxFound || this.hits.length >= maxFound;
    this.#at = piece.end;
    this.#since = piece.isCut ? piece.end - overlap : piece.end;
  }

  /** Returns the matches that are in or overlap a range of bytes. */
  within(from: number, to: number): Range[] {
    const found: Range[] = [];
    // A binary search is possible: matches are not nested, so their ends are also sorted.
    for (let index = this.#to.lowest(from + 1); index < this.#from.length; index++) {
      const start = this.#from.at(index);
      if (start >= to) break;
      found.push([start, this.#to.at(index)]);
    }
    return found;
  }

  #nextPiece(): Piece {
    const { bytes } = this;
    const since = this.#since;
    const isWithinLine = since < this.#at;
    const from = isWithinLine ? characterStart(bytes, Math.max(0, since - overlap)) : this.#at;
    const limit = Math.min(this.#at + stepBytes[this.matcher.pattern.how], bytes.length);
    if (limit === bytes.length) return { from, end: limit, since, isCut: false };
    const ahead = bytes.subarray(this.#at, limit);
    // The end of a cut line is searched separately, so that the next piece starts at the beginning of a line.
    const feed = isWithinLine ? ahead.indexOf(lineFeed) : ahead.lastIndexOf(lineFeed);
    if (feed !== -1) return { from, end: this.#at + feed + 1, since, isCut: false };
    return { from, end: characterStart(bytes, limit), since, isCut: true };
  }

  /** Searches a piece line by line. Returns false if an expression takes too long; the matches found until then are kept. */
  #searchLines(piece: Piece, text: string): boolean {
    const { matcher } = this;
    const { how, isNegated } = matcher.pattern;
    const searched: { line: Line; lets: boolean; ranges: readonly Range[] }[] = [];
    const work = (): true => {
      for (const line of splitLines(text, piece.from)) {
        const ranges = isNegated ? [] : matcher.rangesIn(line.text);
        searched.push({ line, ranges, lets: isNegated && matcher.lets(line.text) });
      }
      return true;
    };
    const isWhole = how === 'expression' ? withinTime(maxStep, work) : work();
    for (const { line, ranges, lets } of searched) {
      this.#keep(ranges, { piece, ...line }, how === 'fuzzy');
      this.#lineLets &&= lets;
      if (line.isEnded || line.next === this.bytes.length) this.#endLine(line.next);
    }
    if (isWhole) return true;
    const reached = searched.at(-1)?.line.next;
    if (reached === undefined) this.#fault = 'this expression takes too long';
    else [this.#at, this.#since] = [reached, reached];
    return false;
  }

  /** Finishes the current line: if the pattern is negated, a line without matches is a match. */
  #endLine(next: number): void {
    if (this.matcher.pattern.isNegated && this.#lineLets) this.hits.push(this.#lineStart);
    this.#lineStart = next;
    this.#lineLets = true;
  }

  #keep(ranges: readonly Range[], { piece, text, start }: Where, asOne = false): void {
    let at = 0;
    let offset = start;
    let isFirst = true;
    for (const [from, to] of ranges) {
      const begin = offset + byteLength(text, at, from);
      const end = begin + byteLength(text, from, to);
      [at, offset] = [to, end];
      if (begin < piece.since || (piece.isCut && begin >= piece.end - overlap)) continue;
      if (isFirst || !asOne) this.hits.push(begin);
      isFirst = false;
      this.#from.push(begin);
      this.#to.push(end);
    }
  }
}

/** A line in a piece, and the offsets of its first byte and of the next line. */
interface Line {
  readonly text: string;
  readonly start: number;
  readonly next: number;
  /** Whether the line ends with a line feed. */
  readonly isEnded: boolean;
}

function* splitLines(text: string, from: number): Generator<Line> {
  let start = from;
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf('\n', at);
    const end = feed === -1 ? text.length : feed;
    const next = start + byteLength(text, at, end) + (feed === -1 ? 0 : 1);
    yield { text: text.slice(at, end), start, next, isEnded: feed !== -1 };
    start = next;
    at = end + 1;
  }
}

interface Where {
  readonly piece: Piece;
  /** The string to which ranges refer, and its offset in the bytes. */
  readonly text: string;
  readonly start: number;
}

/** Returns the number of bytes from which a part of a decoded string was read. A lone surrogate counts as one invalid byte. */
function byteLength(text: string, from: number, to: number): number {
  let length = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x80) length += 1;
    else if (code < 0x800) length += 2;
    else if (code >= 0xd800 && code < 0xdc00) {
      length += 4;
      at++;
    } else if (code >= 0xdc00 && code < 0xe000) length += 1;
    else length += 3;
  }
  return length;
}

/** A growing list of ascending offsets, four bytes each. */
class Offsets {
  #list = new Uint32Array(64);
  #length = 0;

  get length(): number {
    return this.#length;
  }

  push(offset: number): void {
    if (this.#length === this.#list.length) {
      const longer = new Uint32Array(this.#length * 2);
      longer.set(this.#list);
      this.#list = longer;
    }
    this.#list[this.#length++] = offset;
  }

  /** Returns the element at an index; 0 if the index is out of range. */
  at(index: number): number {
    return index < this.#length ? (this.#list[index] ?? 0) : 0;
  }

  /** Returns the index of the first element that is not less than an offset; the length if all elements are less. */
  lowest(offset: number): number {
    let low = 0;
    let high = this.#length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#list[middle] ?? 0) < offset) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
