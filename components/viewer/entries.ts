import type { Surface } from '../console/surface.ts';
import type { Role } from '../console/theme.ts';
import { foldText } from './fold.ts';
import type { Copied, Lines } from './source.ts';

/** One line of a text that can be read and copied line by line. The text is escaped. */
export interface Entry {
  readonly text: string;
  /** Columns that it stands further right. */
  readonly indent?: number;
  readonly role?: Role;
  readonly copied?: Copied;
  /** Whether it is one of the places to jump to. */
  readonly stop?: boolean;
}

/** A row of the screen, and the entry that it is a part of. */
export interface EntryRow {
  readonly text: string;
  readonly entry: Entry;
  /** Whether the entry begins here. */
  readonly first: boolean;
}

/** The lines of entries: each is a segment. */
export interface EntryLines extends Lines {
  readonly entries: readonly Entry[];
}

/** Entries as lines of a surface; nothing of them is left out but credentials. */
export function entryLines(entries: readonly Entry[], surface: Surface): EntryLines {
  const folded = new Map<Entry, readonly string[]>();
  return {
    entries,
    segments: Math.max(1, entries.length),
    roleOf: (segment) => entries[segment]?.role,
    copiedOf: (segment) => entries[segment]?.copied,
    lines(segment) {
      const entry = entries[segment];
      if (entry === undefined) return [''];
      const lines = folded.get(entry) ?? foldEntry(entry, surface);
      folded.set(entry, lines);
      return lines;
    },
  };
}

/** Entries in rows of a surface; nothing of them is left out but credentials. */
export function entryRows(entries: readonly Entry[], surface: Surface): EntryRow[] {
  return entries.flatMap((entry) =>
    foldEntry(entry, surface).map((text, index) => ({ text, entry, first: index === 0 })),
  );
}

function foldEntry(entry: Entry, { columns: width, redact }: Surface): string[] {
  const indent = Math.min(entry.indent ?? 0, Math.max(0, width - 8));
  return foldText(redact(entry.text), width - indent).map((text) => ' '.repeat(indent) + text);
}

/** The next row, around the end, at which one is to stop; the same one where there is none. */
export function nextStop(rows: readonly EntryRow[], from: number): number {
  const isStop = ({ first, entry }: EntryRow) => first && entry.stop === true;
  const after = rows.findIndex((row, index) => index > from && isStop(row));
  const found = after === -1 ? rows.findIndex(isStop) : after;
  return found === -1 ? from : found;
}
