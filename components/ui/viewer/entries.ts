import { markText } from '../../../src/text/mark.ts';
import { fitMiddle } from '../../../src/text/width.ts';
import type { Surface } from '../../kit/surface.ts';
import type { Role } from '../../kit/theme.ts';
import { foldText } from '../lines/fold.ts';
import type { Part } from '../lines/Line.tsx';
import type { Copied, Lines, Stretch } from './source.ts';

/** One line of a document that is read and copied line by line. The text can be untrusted data. */
export interface Entry {
  readonly text: string;
  /** Indentation in columns. */
  readonly indent?: number;
  /** Length of the label at the start of the line. Wrapped lines are aligned with the value after the label. */
  readonly labelLength?: number;
  /** Shorter forms of the line, the longest first. A surface with fewer columns than `below` uses the next form. */
  readonly shorter?: readonly ShorterForm[];
  /** Columns before wrapped lines, in addition to the indentation (default: the length of the label). */
  readonly hang?: number;
  /** Whether long text is shortened in its middle instead of being wrapped. */
  readonly isCut?: boolean;
  /** Whether the value is an id. A preview shortens a long id in its middle; a document wraps it. */
  readonly isId?: boolean;
  readonly role?: Role;
  /** The style of the label (default: the style of the line). */
  readonly labelRole?: Role;
  readonly copied?: Copied;
  /** The subject of the line, for an action on the selected line. */
  readonly subject?: string;
  /** Returns the escaped text as styled parts, which are used only if the text fits on one line. */
  parts?(): readonly Part[] | undefined;
  /** Whether `next` jumps to this line. */
  readonly stop?: boolean;
}

/** A shorter form of a line for narrow surfaces. Entries that belong together use the same `below`, so that they have the same form. */
interface ShorterForm {
  readonly below: number;
  readonly text: string;
  readonly labelLength: number;
}

/** The lines of entries. Each entry is a segment. */
export interface EntryLines extends Lines {
  readonly entries: readonly Entry[];
}

/** Returns the lines of entries for a surface, redacted and escaped. */
export function entryLines(originals: readonly Entry[], surface: Surface): EntryLines {
  const entries = originals.map((entry) => shortenEntry(entry, surface.columns));
  const folded = new Map<Entry, readonly string[]>();
  return {
    entries,
    segments: Math.max(1, entries.length),
    segmentRole: (segment) => entries[segment]?.role,
    stretches: ({ segment, line, text }) => (line === 0 ? firstStretches(entries[segment], text) : undefined),
    segmentCopy: (segment) => entries[segment]?.copied,
    segmentSubject: (segment) => entries[segment]?.subject,
    isStop: (segment) => entries[segment]?.stop === true,
    lines(segment) {
      const entry = entries[segment];
      if (entry === undefined) return [''];
      const lines = folded.get(entry) ?? foldEntry(entry, surface);
      folded.set(entry, lines);
      return lines;
    },
  };
}

/** Returns an entry in its longest form for a number of columns. */
function shortenEntry(entry: Entry, columns: number): Entry {
  const form = entry.shorter?.findLast(({ below }) => columns < below);
  return form === undefined ? entry : { ...entry, text: form.text, labelLength: form.labelLength };
}

/** Returns the styled parts of an entry's first line; undefined if the line has only one style. */
function firstStretches(entry: Entry | undefined, text: string): Stretch[] | undefined {
  const stretches = entry?.parts?.()?.map((part) => ({ text: part.text, role: part.role ?? 'plain' }));
  // If the line was wrapped or redacted, it differs from its parts.
  const isWhole = stretches?.map((stretch) => stretch.text).join('') === text;
  return stretches !== undefined && isWhole ? stretches : labelStretches(entry, text);
}

/** Splits the first line of an entry into its label and its value, if their styles differ. */
function labelStretches(entry: Entry | undefined, text: string): Stretch[] | undefined {
  if (entry?.labelRole === undefined) return undefined;
  // A label can itself begin with spaces, after the indentation.
  const indent = countLeadingSpaces(text) - countLeadingSpaces(entry.text);
  const end = indent + (entry.labelLength ?? 0);
  return [
    { text: text.slice(0, end), role: entry.labelRole },
    { text: text.slice(end), role: entry.role ?? 'plain' },
  ];
}

/** Minimum width, in columns, for wrapped values next to their label. With fewer columns, values are wrapped below the label. */
const minValueColumns = 16;

/** Minimum columns next to a label: with fewer columns, a value without spaces is moved below the label if it needs fewer lines there. */
const maxColumnsForBelow = 24;

function countLeadingSpaces(text: string): number {
  return text.length - text.trimStart().length;
}

function foldEntry(entry: Entry, { columns: width, redact }: Surface): string[] {
  const { labelLength: label = 0, hang: wantedHang = label, indent: wanted = 0 } = entry;
  const indent = Math.min(wanted, Math.max(0, width - 8));
  const hang = width - indent - wantedHang < minValueColumns ? 0 : wantedHang;
  const text = markText(redact(entry.text));
  const room = width - indent - hang;
  const value = text.slice(hang);
  const lines = entry.isCut === true ? [fitMiddle(value, room)] : foldText(value, room);
  if (hang > 0 && hang === label && room < maxColumnsForBelow && lines.length > 1 && !value.includes(' ')) {
    const inner = indent + 2;
    const below = foldText(value, width - inner);
    const head = ' '.repeat(indent) + text.slice(0, hang).trimEnd();
    if (below.length < lines.length) return [head, ...below.map((line) => ' '.repeat(inner) + line)];
  }
  return lines.map((line, index) => {
    const head = index === 0 ? text.slice(0, hang) : ' '.repeat(hang);
    return ' '.repeat(indent) + head + line;
  });
}

/** Returns a line with a label and a value; no line for an undefined value. The label must be ASCII. */
export function factEntries(
  label: string,
  value: string | undefined,
  {
    width = defaultLabelWidth,
    ...style
  }: { readonly width?: number } & Omit<Entry, 'text' | 'labelLength'> = {},
): Entry[] {
  if (value === undefined) return [];
  const head = label.padEnd(width);
  const copied = { text: value, what: `the ${label.toLowerCase()}` };
  return [{ text: head + value, labelLength: head.length, labelRole: 'dim', copied, ...style }];
}

/** Columns of a label and the gap after the label. */
const defaultLabelWidth = 13;

/** Returns a heading between entries. */
export function headingEntry(text: string): Entry {
  return { text, role: 'title' };
}
