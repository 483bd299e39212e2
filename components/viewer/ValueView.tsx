import { escapeText } from '../../src/text/escape.ts';
import { escapedParts, Line, type Part } from '../widgets/Line.tsx';

interface ValueViewProps {
  /** Exactly what is on the screen: escaped lines that fit. */
  readonly lines: readonly string[];
  /** What stands there when there is nothing. */
  readonly empty: string;
  /** Where this text stands on the screen, it is marked. */
  readonly search: string | undefined;
}

/** A window on a value. It is cut out before it comes here: Ink would lay out all of it otherwise. */
export function ValueView({ lines, empty, search }: ValueViewProps) {
  if (lines.every((line) => line === '') && empty !== '')
    return <Line parts={[{ text: empty, role: 'dim' }]} />;
  const wanted = search === undefined ? '' : escapeText(search);
  return lines.map((line, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: a line of the screen keeps its node while the value moves through it
    <Line key={index} parts={wanted === '' ? escapedParts(line) : markedParts(line, wanted)} />
  ));
}

function markedParts(line: string, wanted: string): Part[] {
  return line
    .split(wanted)
    .flatMap((between, index): Part[] => [
      ...(index === 0 ? [] : [{ text: wanted, role: 'selected' } as const]),
      ...escapedParts(between),
    ]);
}
