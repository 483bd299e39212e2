import { escapeBytes } from '../../src/text/escape.ts';
import { type Anchor, atTop, type Source } from '../kv/value-source.ts';
import type { Move } from '../lists/cursor.ts';

/** The lines on a screen of this height, from an anchor on. Makes no more of the source than these. */
export function linesFrom(source: Source, from: Anchor, height: number): string[] {
  const anchor = settle(source, from);
  const lines: string[] = [];
  for (let segment = anchor.segment; segment < source.segments && lines.length < height; segment++) {
    const all = source.lines(segment);
    lines.push(...all.slice(segment === anchor.segment ? anchor.line : 0, undefined));
  }
  return lines.slice(0, height);
}

/** The anchor after a move; the last screen stays full. */
export function scroll(source: Source, from: Anchor, move: Move, height: number): Anchor {
  const anchor = settle(source, from);
  const page = Math.max(1, height - 1);
  const moved: Record<Move, () => Anchor> = {
    up: () => goUp(source, anchor, 1),
    down: () => goDown(source, anchor, 1),
    'page-up': () => goUp(source, anchor, page),
    'page-down': () => goDown(source, anchor, page),
    first: () => atTop,
    last: () => lastAnchor(source, height),
  };
  const next = moved[move]();
  const last = lastAnchor(source, height);
  return isBefore(last, next) ? last : next;
}

/** Where the text is next, from an offset on and around the end; undefined when it is nowhere. */
export function findText(
  source: Source,
  text: string,
  from: number,
): { offset: number; anchor: Anchor } | undefined {
  const wanted = Buffer.from(text);
  const bytes = Buffer.from(source.bytes.buffer, source.bytes.byteOffset, source.bytes.byteLength);
  const behind = bytes.indexOf(wanted, from);
  const offset = behind === -1 ? bytes.indexOf(wanted) : behind;
  return offset === -1 || wanted.length === 0 ? undefined : { offset, anchor: anchorAt(source, offset) };
}

/** How much of a source is above the end of the screen, in per cent. */
export function progress(source: Source, from: Anchor, height: number): number {
  const anchor = settle(source, from);
  const end = goDown(source, anchor, height);
  const next = end.segment >= source.segments - 1 ? source.bytes.length : source.startOf(end.segment);
  return source.bytes.length === 0 ? 100 : Math.floor((next / source.bytes.length) * 100);
}

function anchorAt(source: Source, offset: number): Anchor {
  const segment = source.segmentAt(offset);
  const before = escapeBytes(source.bytes.subarray(source.startOf(segment), offset));
  let left = before.length;
  let line = 0;
  for (const text of source.lines(segment)) {
    if (text.length > left) break;
    left -= text.length;
    line++;
  }
  return { segment, line };
}

/** An anchor that exists, also after the width has changed. */
function settle(source: Source, { segment, line }: Anchor): Anchor {
  const at = Math.max(0, Math.min(segment, source.segments - 1));
  return { segment: at, line: Math.max(0, Math.min(line, source.lines(at).length - 1)) };
}

function goDown(source: Source, { segment, line }: Anchor, count: number): Anchor {
  let at = segment;
  let rest = line + count;
  while (at < source.segments - 1 && rest >= source.lines(at).length) {
    rest -= source.lines(at).length;
    at++;
  }
  return { segment: at, line: Math.min(rest, source.lines(at).length - 1) };
}

function goUp(source: Source, { segment, line }: Anchor, count: number): Anchor {
  let at = segment;
  let rest = line - count;
  while (at > 0 && rest < 0) {
    at--;
    rest += source.lines(at).length;
  }
  return { segment: at, line: Math.max(0, rest) };
}

function lastAnchor(source: Source, height: number): Anchor {
  const segment = source.segments - 1;
  return goUp(source, { segment, line: source.lines(segment).length - 1 }, height - 1);
}

function isBefore(one: Anchor, other: Anchor): boolean {
  return one.segment < other.segment || (one.segment === other.segment && one.line < other.line);
}
