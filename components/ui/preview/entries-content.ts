import { type Entry, entryLines, headingEntry } from '../viewer/entries.ts';
import type { Lines } from '../viewer/source.ts';
import type { PreviewContent } from './previewed.ts';

interface EntriesContent {
  /** Counts in the border. */
  readonly counts?: string | undefined;
  readonly entries: readonly Entry[];
  /** Facts that a wide screen shows next to the entries, and a narrow screen below the entries. */
  readonly details?: {
    readonly title: string;
    /** Whether the title is repeated as a heading above facts that are shown below the entries. */
    readonly isHeaded?: boolean;
    readonly counts?: string | undefined;
    readonly entries: readonly Entry[];
  };
  /** All lines on a narrow screen (default: the entries, then the details). */
  readonly narrow?: readonly Entry[];
}

/** Returns preview content from entries. */
export function entriesContent({ counts, entries, details, narrow }: EntriesContent): PreviewContent {
  const isEmpty = details === undefined || details.entries.length === 0;
  const heading = details?.isHeaded === true ? [headingEntry(details.title)] : [];
  // The entries may already end with an empty line.
  const gap = entries.at(-1)?.text === '' ? [] : [{ text: '' }];
  const below = isEmpty ? [] : [...gap, ...heading, ...details.entries];
  const all = narrow ?? [...entries, ...below];
  return {
    ...(counts !== undefined && { counts }),
    lines: (surface, hasDetails) => entryLines((hasDetails ? entries : all).map(cutId), surface),
    ...(details && {
      details: {
        title: details.title,
        ...(details.counts !== undefined && { counts: details.counts }),
        lines: (surface) => entryLines(details.entries.map(cutId), surface),
      },
    }),
  };
}

/** Joins two sources of lines, one below the other. */
export function stackLines(upper: Lines, lower: Lines): Lines {
  const at = (segment: number) =>
    segment < upper.segments
      ? { lines: upper, segment }
      : { lines: lower, segment: segment - upper.segments };
  return {
    segments: upper.segments + lower.segments,
    lines: (index) => {
      const { lines, segment } = at(index);
      return lines.lines(segment);
    },
    segmentRole: (index) => {
      const { lines, segment } = at(index);
      return lines.segmentRole?.(segment);
    },
    stretches: (row) => {
      const { lines, segment } = at(row.segment);
      return lines.stretches?.({ ...row, segment });
    },
  };
}

/** Marks an id to be shortened if it does not fit. */
function cutId(entry: Entry): Entry {
  return entry.isId === true ? { ...entry, isCut: true } : entry;
}
