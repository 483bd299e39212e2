import { markText } from '../../../src/text/mark.ts';
import type { Surface } from '../../kit/surface.ts';
import type { Role } from '../../kit/theme.ts';
import { foldText } from '../lines/fold.ts';
import type { Copied, Lines } from './source.ts';

/** One line of a document that is read and copied line by line. The string is data from outside, not escaped. */
export interface Entry {
  readonly text: string;
  /** Indentation in columns. */
  readonly indent?: number;
  readonly role?: Role;
  readonly copied?: Copied;
  /** Whether `next` jumps to it. */
  readonly stop?: boolean;
}

/** The lines of entries: each is a segment. */
export interface EntryLines extends Lines {
  readonly entries: readonly Entry[];
}

/** Returns entries as lines for a surface. Only credentials are redacted. */
export function entryLines(entries: readonly Entry[], surface: Surface): EntryLines {
  const folded = new Map<Entry, readonly string[]>();
  return {
    entries,
    segments: Math.max(1, entries.length),
    segmentRole: (segment) => entries[segment]?.role,
    segmentCopy: (segment) => entries[segment]?.copied,
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

function foldEntry(entry: Entry, { columns: width, redact }: Surface): string[] {
  const indent = Math.min(entry.indent ?? 0, Math.max(0, width - 8));
  return foldText(markText(redact(entry.text)), width - indent).map((text) => ' '.repeat(indent) + text);
}
