import { markText } from '../../../src/text/mark.ts';
import { groupDigits } from '../../../src/text/size.ts';
import { fitText } from '../../../src/text/width.ts';
import type { Surface } from '../../kit/surface.ts';
import type { Role } from '../../kit/theme.ts';
import { foldText } from '../lines/fold.ts';

/**
 * A line of a form, a question or a menu: a string, possibly with shortened quotes. Quotes are shortened only when
 * drawn, after redaction: a shortened credential would not be recognised.
 */
export type DialogLine = string | Quotes;

interface Quotes {
  readonly before: string;
  /** Not cut. */
  readonly quoted: readonly string[];
  /** Maximum columns of each quote. */
  readonly columns: number;
  readonly after: string;
  /** The style of the line (default: that of the dialog's lines). */
  readonly role?: Role;
}

/** A row of a dialog, after `markText`. */
export interface DialogRow {
  readonly text: string;
  readonly role?: Role | undefined;
}

/** Returns a line that quotes the start of a string. */
export function quoteLine(before: string, text: string, columns: number): DialogLine {
  return { before, quoted: [text], columns, after: '' };
}

/** Returns a line of a diff in the colors of a comparison: `-` for the old content, `+` for the new. */
export function differenceLine(
  sign: '-' | '+',
  text: string,
  columns: number,
  before = `${sign} `,
): DialogLine {
  return { before, quoted: [text], columns, after: '', role: sign === '-' ? 'removed' : 'added' };
}

/** Maximum number of names in a question, and maximum columns of each. */
const sample = { count: 5, columns: 40 };

/** Returns a line with the first of many names. */
export function sampleLine(names: readonly string[], before = ''): DialogLine {
  const more = names.length - sample.count;
  return {
    before,
    quoted: names.slice(0, sample.count),
    columns: sample.columns,
    after: `${more > 0 ? ` and ${groupDigits(more)} more` : ''}.`,
  };
}

/** Returns the line about marked rows that are not shown; empty if all are shown. */
export function hiddenLines(hidden: number): string[] {
  if (hidden === 0) return [];
  return [`${groupDigits(hidden)} of them ${hidden === 1 ? 'is' : 'are'} not shown in the list.`];
}

/** Returns the rows of a dialog for a surface: redacted, then shortened, then folded. */
export function foldLines(lines: readonly DialogLine[], { columns, redact }: Surface): DialogRow[] {
  return lines.flatMap((line) => {
    const role = typeof line === 'string' ? undefined : line.role;
    return foldText(formatLine(line, redact), columns).map((text) => ({ text, role }));
  });
}

function formatLine(line: DialogLine, redact: Surface['redact']): string {
  if (typeof line === 'string') return markText(redact(line));
  const quoted = line.quoted.map((text) => fitText(markText(redact(text)), line.columns));
  return markText(redact(line.before)) + quoted.join(', ') + markText(redact(line.after));
}
