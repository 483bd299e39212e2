import { escapeText } from '../../../src/text/escape.ts';
import { groupDigits } from '../../../src/text/size.ts';
import { fitText } from '../../../src/text/width.ts';
import type { Surface } from '../../kit/surface.ts';
import { foldText } from '../lines/fold.ts';

/**
 * A line of a form, a question or a menu: an escaped text, or one that shows no more than the beginnings of what it
 * quotes. Only the surface may cut those: of a credential that is cut, the rest could be read.
 */
export type DialogLine = string | Quotes;

interface Quotes {
  /** Escaped. */
  readonly before: string;
  /** Not escaped, and not cut. */
  readonly quoted: readonly string[];
  /** The columns that each of them may take. */
  readonly columns: number;
  /** Escaped. */
  readonly after: string;
}

/** A line that quotes the start of one string. `before` is escaped, `text` is not. */
export function quoteLine(before: string, text: string, columns: number): DialogLine {
  return { before, quoted: [text], columns, after: '' };
}

/** Names that a question shows, and the columns that one may take. */
const sample = { count: 5, columns: 40 };

/** The first of many names, which are not escaped. `before` is. */
export function sampleLine(names: readonly string[], before = ''): DialogLine {
  const more = names.length - sample.count;
  return {
    before,
    quoted: names.slice(0, sample.count),
    columns: sample.columns,
    after: `${more > 0 ? ` and ${groupDigits(more)} more` : ''}.`,
  };
}

/** Says that the reader does not see all that was marked; nothing where none is hidden. */
export function hiddenLines(hidden: number): string[] {
  if (hidden === 0) return [];
  return [`${groupDigits(hidden)} of them ${hidden === 1 ? 'is' : 'are'} not shown in the list.`];
}

/** Lines of a dialog as a surface shows them: redacted, then cut, then folded. */
export function foldLines(lines: readonly DialogLine[], { columns, redact }: Surface): string[] {
  return lines.flatMap((line) => foldText(redact(textOf(line, redact)), columns));
}

function textOf(line: DialogLine, redact: Surface['redact']): string {
  if (typeof line === 'string') return line;
  const quoted = line.quoted.map((text) => fitText(escapeText(redact(text)), line.columns));
  return line.before + quoted.join(', ') + line.after;
}
