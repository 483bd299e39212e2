import { type Entry, entryLines, headingEntry } from '../viewer/entries.ts';
import type { PreviewContent } from './previewed.ts';

interface EntriesContent {
  /** Counts in the border. */
  readonly counts?: string | undefined;
  readonly entries: readonly Entry[];
  /** Facts that a wide screen shows next to the entries, and a narrow screen below them. */
  readonly details?: {
    /** */
    readonly title: string;
    /** Whether the title is repeated as a heading above facts that are shown below the entries. */
    readonly isHeaded?: boolean;
    readonly counts?: string | undefined;
    readonly entries: readonly Entry[];
  };
}

/** Returns a preview of lines that are known already. */
export function entriesContent({ counts, entries, details }: EntriesContent): PreviewContent {
  const isEmpty = details === undefined || details.entries.length === 0;
  const heading = details?.isHeaded === true ? [headingEntry(details.title)] : [];
  const below = isEmpty ? [] : [{ text: '' }, ...heading, ...details.entries];
  return {
    ...(counts !== undefined && { counts }),
    lines: (surface, hasDetails) => entryLines(hasDetails ? entries : [...entries, ...below], surface),
    ...(details && {
      details: {
        title: details.title,
        ...(details.counts !== undefined && { counts: details.counts }),
        lines: (surface) => entryLines(details.entries, surface),
      },
    }),
  };
}
