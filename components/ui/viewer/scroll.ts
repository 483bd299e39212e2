import type { Move } from '../../kit/keys/cursor.ts';
import { type Anchor, atTop, type Lines, type Row, type Source } from './source.ts';

/** The position in a document: the top line of the screen, and the selected line. If `line` is undefined, lines cannot be selected. */
export interface ReaderPosition {
  readonly top: Anchor;
  readonly line?: Anchor | undefined;
}

/** Returns the lines on a screen of `height` rows, starting at an anchor. */
export function linesFrom(source: Lines, from: Anchor, height: number): string[] {
  return rowsFrom(source, from, height).map(({ text }) => text);
}

/** Returns the lines on a screen of `height` rows with their anchors, starting at an anchor. Creates only the lines of these segments. */
export function rowsFrom(source: Lines, from: Anchor, height: number): Row[] {
  const anchor = clampAnchor(source, from);
  const rows: Row[] = [];
  for (let segment = anchor.segment; segment < source.segments && rows.length < height; segment++) {
    for (const [line, text] of source.lines(segment).entries()) {
      if (segment > anchor.segment || line >= anchor.line) rows.push({ segment, line, text });
    }
  }
  return rows.slice(0, height);
}

/** Returns the position after a move of the selected line, or of the screen if lines cannot be selected. */
export function move(
  source: Lines,
  { top, line }: ReaderPosition,
  way: Move,
  height: number,
): ReaderPosition {
  if (line === undefined) return { top: scroll(source, top, way, height) };
  const moved = step(source, clampAnchor(source, line), way, height);
  const paged = way.startsWith('page') ? step(source, clampAnchor(source, top), way, height) : top;
  return { line: moved, top: firstVisibleLine(source, { top: paged, line: moved }, height) };
}

/** Returns the position at the next stop, continuing at the start after the end. Without a stop, returns the same position. */
export function jump(source: Lines, position: ReaderPosition): ReaderPosition {
  const { segments } = source;
  const from = position.line === undefined ? 0 : clampAnchor(source, position.line).segment;
  for (let far = 1; far <= segments; far++) {
    const segment = (from + far) % segments;
    if (source.isStop?.(segment)) return { ...position, line: { segment, line: 0 } };
  }
  return position;
}

/** Returns the top line of a screen that contains the selected line. No row of the screen is empty if the document is long enough. */
export function firstVisibleLine(source: Lines, { top, line }: ReaderPosition, height: number): Anchor {
  if (line === undefined) return clampAnchor(source, top);
  const selected = clampAnchor(source, line);
  const full = earlier(clampAnchor(source, top), lastAnchor(source, height));
  return earlier(selected, later(full, goUp(source, selected, height - 1)));
}

/** Returns the line on a row of a screen of `height` rows; undefined below the last line. */
export function lineAtRow(
  source: Lines,
  position: ReaderPosition,
  height: number,
  row: number,
): Anchor | undefined {
  const shown = rowsFrom(source, firstVisibleLine(source, position, height), height)[row];
  return shown && { segment: shown.segment, line: shown.line };
}

/** Returns the top line after a move of the screen. The screen does not move beyond the last full screen. */
export function scroll(source: Lines, from: Anchor, way: Move, height: number): Anchor {
  return earlier(step(source, clampAnchor(source, from), way, height), lastAnchor(source, height));
}

function step(source: Lines, anchor: Anchor, way: Move, height: number): Anchor {
  const page = Math.max(1, height - 1);
  switch (way) {
    case 'up':
      return goUp(source, anchor, 1);
    case 'down':
      return goDown(source, anchor, 1);
    case 'page-up':
      return goUp(source, anchor, page);
    case 'page-down':
      return goDown(source, anchor, page);
    case 'first':
      return atTop;
    case 'last':
      return lastLine(source);
  }
}

/** Returns the line that shows the byte at an offset; the first line of its segment if no line shows the byte. */
export function anchorAt(source: Source, offset: number): Anchor {
  const segment = source.segmentAt(offset);
  const shown = source.shows(segment, [[offset, offset + 1]]);
  return {
    segment,
    line: Math.max(
      0,
      shown.findIndex((ranges) => ranges.length > 0),
    ),
  };
}

/** Returns the nearest existing anchor, because an anchor can become invalid, for example when the width changes. */
export function clampAnchor(source: Lines, { segment, line }: Anchor): Anchor {
  const at = Math.max(0, Math.min(segment, source.segments - 1));
  return { segment: at, line: Math.max(0, Math.min(line, source.lines(at).length - 1)) };
}

function goDown(source: Lines, { segment, line }: Anchor, count: number): Anchor {
  let at = segment;
  let rest = line + count;
  while (at < source.segments - 1 && rest >= source.lines(at).length) {
    rest -= source.lines(at).length;
    at++;
  }
  return { segment: at, line: Math.min(rest, source.lines(at).length - 1) };
}

function goUp(source: Lines, { segment, line }: Anchor, count: number): Anchor {
  let at = segment;
  let rest = line - count;
  while (at > 0 && rest < 0) {
    at--;
    rest += source.lines(at).length;
  }
  return { segment: at, line: Math.max(0, rest) };
}

function lastLine(source: Lines): Anchor {
  const segment = source.segments - 1;
  return { segment, line: source.lines(segment).length - 1 };
}

function lastAnchor(source: Lines, height: number): Anchor {
  return goUp(source, lastLine(source), height - 1);
}

function earlier(one: Anchor, other: Anchor): Anchor {
  return isBefore(one, other) ? one : other;
}

function later(one: Anchor, other: Anchor): Anchor {
  return isBefore(one, other) ? other : one;
}

function isBefore(one: Anchor, other: Anchor): boolean {
  return one.segment < other.segment || (one.segment === other.segment && one.line < other.line);
}

/** Returns whether two anchors refer to the same line. */
export function isSameAnchor(one: Anchor, other: Anchor): boolean {
  return one.segment === other.segment && one.line === other.line;
}
