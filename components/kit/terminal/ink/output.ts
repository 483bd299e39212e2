// In the bundle, the modules in this folder replace four modules that Ink loads (`ownInkModules` in build/options.mjs). Gain over the
// replaced modules: CPU time per frame when a list scrolls is 7 instead of 15 ms at 120 columns, and 11 instead of 30 ms at 250 columns.
// Bytes per frame are 1,062 instead of 6,620 at 120 columns, and 1,959 instead of 19,504 at 250 columns. Bench: npm run bench -- console.
// To remove the modules, delete the folder and `ownInkModules`: screens stay the same. docs/ink.md describes what Ink could adopt.
import InkOutput from '../../../../node_modules/ink/build/output.js';
import { measureCharacter } from '../../../../src/text/width.ts';
import { memoize } from './memoize.ts';

type Clip = Parameters<InkOutput['clip']>[0];
type WriteOptions = Parameters<InkOutput['write']>[3];

/** Text written on a line: its column, and the clip that limits it. */
interface Piece {
  readonly x: number;
  readonly text: string;
  readonly clip: Clip | undefined;
}

type Operation =
  | {
      readonly does: 'write';
      readonly x: number;
      readonly y: number;
      readonly text: string;
      readonly options: WriteOptions;
    }
  | { readonly does: 'clip'; readonly clip: Clip }
  | { readonly does: 'unclip' };

/** Maximum number of drawn lines in the cache: several screens full. */
const maxCachedLines = 2048;

/** Cache of drawn lines, with the width of the screen and all pieces of the line as the key. */
const lineCache = new Map<string, string>();

/**
 * Replaces Ink's module `output.js` in the bundle. Builds a frame from the output of boxes and strings. Ink splits every line of every
 * frame into cells; this class builds only lines that are not in the cache, and uses Ink only for lines that it cannot join from their
 * pieces, such as lines with overlapping content.
 */
export default class Frame {
  readonly #width: number;
  readonly #height: number;
  readonly #operations: Operation[] = [];

  constructor({ width, height }: { readonly width: number; readonly height: number }) {
    this.#width = width;
    this.#height = height;
  }

  write(x: number, y: number, text: string, options: WriteOptions): void {
    if (text !== '') this.#operations.push({ does: 'write', x, y, text, options });
  }

  clip(clip: Clip): void {
    this.#operations.push({ does: 'clip', clip });
  }

  unclip(): void {
    this.#operations.push({ does: 'unclip' });
  }

  /** Returns the frame, without trailing spaces in its lines. */
  get(): { readonly output: string; readonly height: number } {
    const rows = groupByRow(this.#operations, this.#height);
    if (rows === undefined) return this.#inkFrame();
    const lines = rows.map((pieces) => drawLine(pieces, this.#width));
    return { output: lines.join('\n'), height: this.#height };
  }

  /** Returns the frame built by Ink. */
  #inkFrame(): { readonly output: string; readonly height: number } {
    const ink = new InkOutput({ width: this.#width, height: this.#height });
    for (const operation of this.#operations) {
      if (operation.does === 'write') ink.write(operation.x, operation.y, operation.text, operation.options);
      else if (operation.does === 'clip') ink.clip(operation.clip);
      else ink.unclip();
    }
    return ink.get();
  }
}

/** Returns the pieces on each row of the screen; undefined if a multi-line string cannot be split. */
function groupByRow(operations: readonly Operation[], height: number): Piece[][] | undefined {
  const rows: Piece[][] = Array.from({ length: height }, () => []);
  const clips: Clip[] = [];
  for (const operation of operations) {
    if (operation.does === 'clip') clips.push(intersectClips(clips.at(-1), operation.clip));
    else if (operation.does === 'unclip') clips.pop();
    else {
      const lines = splitStyledLines(operation.text);
      if (lines === undefined) return undefined;
      const clip = clips.at(-1);
      if (clip !== undefined && isEmptyClip(clip)) continue;
      for (const [index, line] of lines.entries()) {
        const y = operation.y + index;
        if (!isRowVisible(y, clip)) continue;
        const text = operation.options.transformers.reduce((made, transform) => transform(made, index), line);
        rows[y]?.push({ x: operation.x, text, clip: sideClip(operation.x, text, clip) });
      }
    }
  }
  return rows;
}

function drawLine(pieces: readonly Piece[], width: number): string {
  const key = `${width}${pieces.map(({ x, text, clip }) => `\n${x} ${clip?.x1} ${clip?.x2} ${text}`).join('')}`;
  const known = lineCache.get(key);
  if (known !== undefined) return known;
  const made = joinPieces(pieces, width) ?? inkLine(pieces, width);
  if (lineCache.size >= maxCachedLines) lineCache.clear();
  lineCache.set(key, made);
  return made;
}

/** Joins the pieces of a line; undefined if a piece is clipped, overlaps another, extends beyond the screen, or does not end its style. */
function joinPieces(pieces: readonly Piece[], width: number): string | undefined {
  let line = '';
  let columns = 0;
  for (const { x, text, clip } of pieces.toSorted((one, other) => one.x - other.x)) {
    const wide = styledWidth(text);
    if (clip !== undefined || x < columns || x + wide > width || !hasBalancedStyles(text)) return undefined;
    line += ' '.repeat(x - columns) + text;
    columns = x + wide;
  }
  return line.trimEnd();
}

function inkLine(pieces: readonly Piece[], width: number): string {
  const ink = new InkOutput({ width, height: 1 });
  for (const { x, text, clip } of pieces) {
    if (clip !== undefined) ink.clip(clip);
    ink.write(x, 0, text, { transformers: [] });
    if (clip !== undefined) ink.unclip();
  }
  return ink.get().output;
}

/** Splits a string into lines; undefined if a style continues on the next line. */
function splitStyledLines(text: string): readonly string[] | undefined {
  if (!text.includes('\n')) return [text];
  const lines = text.split('\n');
  return lines.every(hasBalancedStyles) ? lines : undefined;
}

/** Returns whether every style that begins in a line also ends in that line, and the line contains no other control sequences. */
const hasBalancedStyles = memoize((line) => {
  if (!line.includes('\u001b')) return !/\p{Default_Ignorable_Code_Point}|\p{Control}/u.test(line);
  let open = 0;
  for (const [sequence, codes] of line.matchAll(/\u001b(?:\[([\d;]*)m)?/g)) {
    if (codes === undefined || sequence === '\u001b') return false;
    open += /^(?:2[2-9]|39|49|55)$/.test(codes) ? -1 : 1;
    if (open < 0 || /^0?$/.test(codes)) return false;
  }
  return open === 0 && !/\p{Default_Ignorable_Code_Point}|[\0-\x1a\x1c-\x1f\x7f-\x9f]/u.test(line);
});

function isRowVisible(y: number, clip: Clip | undefined): boolean {
  if (clip?.y1 === undefined || clip.y2 === undefined) return true;
  return y >= clip.y1 && y < clip.y2;
}

/** Returns the horizontal clip of a string; undefined if the string fits. */
function sideClip(x: number, text: string, clip: Clip | undefined): Clip | undefined {
  if (clip?.x1 === undefined || clip.x2 === undefined) return undefined;
  if (x >= clip.x1 && x + styledWidth(text) <= clip.x2) return undefined;
  return { ...clip, y1: undefined, y2: undefined };
}

/** Returns the columns of a styled string. Sequences that are not styles count as columns, so that such strings are left to Ink. */
const styledWidth = memoize((text) => measureCharacter(text.replaceAll(/\u001b\[[\d;]*m/g, '')));

function intersectClips(outer: Clip | undefined, inner: Clip): Clip {
  if (outer === undefined) return inner;
  return {
    x1: tighterBound(outer.x1, inner.x1, Math.max),
    x2: tighterBound(outer.x2, inner.x2, Math.min),
    y1: tighterBound(outer.y1, inner.y1, Math.max),
    y2: tighterBound(outer.y2, inner.y2, Math.min),
  };
}

function tighterBound(
  one: number | undefined,
  other: number | undefined,
  choose: (a: number, b: number) => number,
) {
  if (one === undefined) return other;
  return other === undefined ? one : choose(one, other);
}

function isEmptyClip({ x1, x2, y1, y2 }: Clip): boolean {
  return (
    (x1 !== undefined && x2 !== undefined && x1 >= x2) || (y1 !== undefined && y2 !== undefined && y1 >= y2)
  );
}
