import { markedRuns, markText } from '../../src/text/mark.ts';
import { pad } from '../../src/text/width.ts';
import type { Role } from '../console/theme.ts';
import { useConsole } from '../console/use-console.ts';
import { Line, type Part } from '../widgets/Line.tsx';
import { isSame, type Position, type Row, rowsFrom, settle, topOf } from './scroll.ts';
import type { Lines } from './source.ts';

interface ViewerProps {
  readonly lines: Lines | undefined;
  readonly position: Position;
  readonly height: number;
  /** The text shown when there is no content. */
  readonly empty: string;
  /** Where this text stands on the screen, it is marked. */
  readonly search: string | undefined;
}

/** A window on a text. It is cut out before it is drawn: Ink would lay out all of it otherwise. */
export function Viewer({ lines, position, height, empty, search }: ViewerProps) {
  const { columns, redact } = useConsole();
  const rows = lines === undefined ? [] : rowsFrom(lines, topOf(lines, position, height), height);
  if (empty !== '' && rows.every(({ text }) => text === ''))
    return <Line parts={[{ text: redact(empty), role: 'dim' }]} />;
  const line = lines && position.line && settle(lines, position.line);
  const wanted = search === undefined ? '' : markText(search);
  return rows.map((row, index) => {
    const selected = line !== undefined && isSame(line, row);
    const text = selected ? pad(row.text, columns) : row.text;
    const parts = wanted === '' ? lineParts(text, row, lines, selected) : foundParts(text, wanted);
    // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node while the text moves through it
    return <Line key={index} parts={parts} selected={selected} />;
  });
}

/** Parts of a marked text, with the marks in a style of their own. */
function drawnParts(marked: string, role: Role = 'plain'): Part[] {
  return markedRuns(marked).map((run) => ({ text: run.text, role: run.marked ? 'escaped' : role }));
}

/** Parts of a line in the styles of what they are; the selected one has one style from edge to edge. */
function lineParts(text: string, row: Row, lines: Lines | undefined, selected: boolean): Part[] {
  const stretches = selected ? undefined : lines?.stretches?.(text, row.line);
  if (stretches === undefined) return drawnParts(text, lines?.roleOf?.(row.segment));
  return stretches.flatMap((stretch) => drawnParts(stretch.text, stretch.role));
}

function foundParts(line: string, wanted: string): Part[] {
  return line
    .split(wanted)
    .flatMap((between, index): Part[] => [
      ...(index === 0 ? [] : drawnParts(wanted).map(({ text }) => ({ text, role: 'selected' }) as const)),
      ...drawnParts(between),
    ]);
}
