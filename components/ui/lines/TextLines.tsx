import type { Role } from '../../kit/theme.ts';
import { Line, type Part } from './Line.tsx';

interface TextLine {
  readonly text: string;
  /** The style of the line (default: the style of the text). */
  readonly role?: Role | undefined;
  /** The line in parts, if it has several styles. */
  readonly parts?: readonly Part[] | undefined;
}

interface TextLinesProps {
  /** Folded lines: edgectl's own text, or untrusted data escaped by `markText`. */
  readonly lines: ReadonlyArray<string | TextLine>;
  /** The style of lines without `role` (default: plain). */
  readonly usual?: Role | undefined;
  /** The style of the first line, if it differs. */
  readonly first?: Role | undefined;
}

/** Draws the lines of a text, one row each. */
export function TextLines({ lines, usual = 'plain', first = usual }: TextLinesProps) {
  return lines.map((line, index) => {
    const {
      text,
      role: own = index === 0 ? first : usual,
      parts,
    }: TextLine = typeof line === 'string' ? { text: line } : line;
    // biome-ignore lint/suspicious/noArrayIndexKey: a line of a text has no identity but its position
    return <Line key={index} parts={parts ?? [{ text, role: own }]} />;
  });
}
