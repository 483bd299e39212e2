import { escapeText } from '../../src/text/escape.ts';
import { pad } from '../../src/text/width.ts';
import { useConsole } from '../console/use-console.ts';
import { escapedParts, Line, type Part } from '../widgets/Line.tsx';
import { isSame, type Position, rowsFrom, topOf } from './scroll.ts';
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
  const wanted = search === undefined ? '' : escapeText(search);
  return rows.map((row, index) => {
    const selected = position.line !== undefined && isSame(position.line, row);
    const text = selected ? pad(row.text, columns) : row.text;
    const parts =
      wanted === '' ? escapedParts(text, lines?.roleOf?.(row.segment)) : markedParts(text, wanted);
    // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node while the text moves through it
    return <Line key={index} parts={parts} selected={selected} />;
  });
}

function markedParts(line: string, wanted: string): Part[] {
  return line
    .split(wanted)
    .flatMap((between, index): Part[] => [
      ...(index === 0 ? [] : [{ text: wanted, role: 'selected' } as const]),
      ...escapedParts(between),
    ]);
}
