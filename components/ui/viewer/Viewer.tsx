import type { Range } from '../../../src/text/search/pattern.ts';
import { pad } from '../../../src/text/width.ts';
import type { Role } from '../../kit/theme.ts';
import { useConsole } from '../../kit/use-console.ts';
import { Line } from '../lines/Line.tsx';
import { clampAnchor, firstVisibleLine, isSameAnchor, type ReaderPosition, rowsFrom } from './scroll.ts';
import { clipped } from './shown-bytes.ts';
import { isSideways } from './sideways.ts';
import { isSource, type Lines, type Row, type Stretch } from './source.ts';
import type { Found } from './view-search.ts';

interface ViewerProps {
  readonly lines: Lines | undefined;
  readonly position: ReaderPosition;
  readonly height: number;
  /** The text shown if the document has no content. */
  readonly empty: string;
  /** The matches to highlight. */
  readonly found?: Found;
  /** Bytes that have just changed. */
  readonly changed?: Range | undefined;
}

/** Draws the visible part of a document. Passes only this part to Ink, which would otherwise lay out the whole document. */
export function Viewer({ lines, position, height, empty, found, changed }: ViewerProps) {
  const { columns, redact } = useConsole();
  const rows = lines === undefined ? [] : rowsFrom(lines, firstVisibleLine(lines, position, height), height);
  if (empty !== '' && rows.every(({ text }) => text === ''))
    return <Line parts={[{ text: redact(empty), role: 'dim' }]} />;
  const line = lines && position.line && clampAnchor(lines, position.line);
  const marksAt = lines && found && createMarker(lines, found, changed);
  return rows.map((row, index) => {
    const selected = line !== undefined && isSameAnchor(line, row);
    const goesOn = isSideways(lines) && lines.goesOn(row.segment);
    const text = goesOn ? pad(row.text, columns - 1) : selected ? pad(row.text, columns) : row.text;
    const { all = [], current = [], fresh = [] } = marksAt?.(row) ?? {};
    const stretches = styleLine(row, text, lines);
    const renewed = overlayRanges(stretches, fresh, 'fresh');
    const marked = overlayRanges(overlayRanges(renewed, all, 'found'), current, 'selected');
    const parts = [...marked, ...(goesOn ? [{ text: '›', role: 'dim' as const }] : [])];
    // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node while the text moves through it
    return <Line key={index} parts={parts} selected={selected && 'tint'} />;
  });
}

/**
 * Returns a function that finds the highlights of a visible line, computed once for each segment; undefined if the lines cannot be
 * searched.
 */
function createMarker(lines: Lines, found: Found, changed: Range | undefined) {
  const known = new Map<number, ReturnType<typeof foundIn>>();
  if (!isSource(lines)) return undefined;
  const foundIn = (segment: number) => {
    const shown = found.within(lines.getStart(segment), lines.getStart(segment + 1));
    const at = found.current;
    const showsOne = (range: Range | undefined) => (range === undefined ? [] : lines.shows(segment, [range]));
    return { all: lines.shows(segment, shown), current: showsOne(at), fresh: showsOne(changed) };
  };
  return ({ segment, line }: Row) => {
    const made = known.get(segment) ?? foundIn(segment);
    known.set(segment, made);
    return { all: made.all[line], current: made.current[line], fresh: made.fresh[line] };
  };
}

/** Returns the styled parts of a line. `text` is the text of `row`, padded to the width if the line is selected. */
function styleLine(row: Row, text: string, lines: Lines | undefined): readonly Stretch[] {
  const rest = { text: text.slice(row.text.length), role: 'plain' } as const;
  const stretches = lines?.stretches?.(row);
  if (stretches === undefined) return [{ text, role: lines?.segmentRole?.(row.segment) ?? 'plain' }];
  return rest.text === '' ? stretches : [...stretches, rest];
}

/** Applies a style to ascending ranges of a line. */
function overlayRanges(
  stretches: readonly Stretch[],
  ranges: readonly Range[],
  role: Role,
): readonly Stretch[] {
  if (ranges.length === 0) return stretches;
  let begin = 0;
  return stretches.flatMap((stretch): Stretch[] => {
    const { length } = stretch.text;
    const pieces: Stretch[] = [];
    let at = 0;
    for (const [from, to] of clipped(ranges, begin, length)) {
      pieces.push(
        { ...stretch, text: stretch.text.slice(at, from) },
        { text: stretch.text.slice(from, to), role },
      );
      at = to;
    }
    begin += length;
    return [...pieces, { ...stretch, text: stretch.text.slice(at) }].filter(({ text }) => text !== '');
  });
}
