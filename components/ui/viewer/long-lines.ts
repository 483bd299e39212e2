import { markBytes } from '../../../src/text/mark.ts';
import type { Range } from '../../../src/text/search/pattern.ts';
import { measureCharacter } from '../../../src/text/width.ts';
import { cutColumns } from './cut.ts';
import { clipped, placesIn } from './shown-bytes.ts';
import { lineEnd, segmentStarts } from './source.ts';

/** A window on unwrapped lines: the number of visible columns, and the index of the first visible column. */
export interface Window {
  readonly columns: number;
  readonly left: number;
}

/** The part of a line in a window. */
export interface ShownLine {
  readonly text: string;
  /** Whether the line continues to the right. */
  readonly goesOn: boolean;
  /** The visible range of the line's first segment, in UTF-16 units of its escaped text. */
  readonly first: Range;
  shows(found: readonly Range[]): Range[];
}

/** A part of a segment in a displayed line. */
interface Piece {
  readonly start: number;
  readonly end: number;
  /** The text of the whole segment, escaped. */
  readonly text: string;
  readonly from: number;
  readonly to: number;
  /** The offset of the piece in the displayed line. */
  readonly at: number;
}

/**
 * The unwrapped lines of bytes, in segments of bounded length. The width of a segment is computed only when the user scrolls past it, so
 * that the cost of a line of 25 MiB depends on how far the user scrolls to the right.
 */
export class LongLines {
  readonly bytes: Uint8Array;
  readonly starts: Uint32Array;
  /** The first segment of each line. */
  readonly firsts: Uint32Array;
  readonly #widths = new Map<number, number>();

  constructor(bytes: Uint8Array, starts: Uint32Array = segmentStarts(bytes)) {
    this.bytes = bytes;
    this.starts = starts;
    this.firsts = starts
      .map((_, segment) => segment)
      .filter((segment) => segment === 0 || this.#begins(segment));
  }

  /** Returns the part of a line in a window. `first` is the line's first segment. */
  shown(first: number, { columns: width, left }: Window): ShownLine {
    const pieces: Piece[] = [];
    let text = '';
    let taken = 0;
    let passed = 0;
    let goesOn = false;
    for (let segment = first; segment < this.starts.length && !goesOn; segment++) {
      if (segment > first && this.#begins(segment)) break;
      if (pieces.length === 0 && passed + this.#segmentWidth(segment) <= left) {
        passed += this.#segmentWidth(segment);
        continue;
      }
      const marked = this.#segmentText(segment);
      const cut = cutColumns(marked, Math.max(0, left - passed), width - taken);
      text += ' '.repeat(cut.gap);
      pieces.push({ ...this.#part(segment), text: marked, ...cut, at: text.length });
      text += marked.slice(cut.from, cut.to);
      taken += cut.columns;
      passed = left;
      goesOn = cut.goesOn || (taken >= width && this.#isContinued(segment));
    }
    const [begin] = pieces;
    const isFirst = begin?.start === this.starts[first];
    return {
      text,
      goesOn,
      first:
        isFirst && begin !== undefined
          ? [begin.from, begin.to]
          : [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
      shows: (found) => pieces.flatMap((piece) => rangesInPiece(this.bytes, piece, found)),
    };
  }

  /** Returns the column of the byte at `offset` in its line. `first` is the line's first segment. */
  columnAt(first: number, offset: number): number {
    let column = 0;
    let segment = first;
    while (segment + 1 < this.starts.length && (this.starts[segment + 1] ?? 0) <= offset)
      column += this.#segmentWidth(segment++);
    return column + measureCharacter(markBytes(this.bytes.subarray(this.starts[segment] ?? 0, offset)));
  }

  #isContinued(segment: number): boolean {
    return segment + 1 < this.starts.length && !this.#begins(segment + 1);
  }

  #begins(segment: number): boolean {
    return this.bytes[(this.starts[segment] ?? 0) - 1] === 0x0a;
  }

  #part(segment: number): { readonly start: number; readonly end: number } {
    const start = this.starts[segment] ?? 0;
    return { start, end: lineEnd(this.bytes, start, this.starts[segment + 1] ?? this.bytes.length) };
  }

  #segmentText(segment: number): string {
    const { start, end } = this.#part(segment);
    return markBytes(this.bytes.subarray(start, end));
  }

  #segmentWidth(segment: number): number {
    const known = this.#widths.get(segment);
    if (known !== undefined) return known;
    const width = measureCharacter(this.#segmentText(segment));
    this.#widths.set(segment, width);
    return width;
  }
}

function rangesInPiece(
  bytes: Uint8Array,
  { from, to, at, ...part }: Piece,
  found: readonly Range[],
): Range[] {
  const places = placesIn(bytes, part, found);
  return clipped(places, from, to - from).map(([begin, end]): Range => [begin + at, end + at]);
}

const cache = new WeakMap<Uint8Array, LongLines>();

/** Returns the lines of bytes, parsed once and cached. */
export function cachedLongLines(bytes: Uint8Array, starts?: Uint32Array): LongLines {
  const lines = cache.get(bytes) ?? new LongLines(bytes, starts);
  cache.set(bytes, lines);
  return lines;
}
