import { hexRowLength } from '../../../src/text/hex.ts';
import { formatSize } from '../../../src/text/size.ts';
import type { Surface } from '../../kit/surface.ts';
import { bytesSource, unreadBytes, withBytes } from '../viewer/bytes-view.ts';
import { entryLines, headingEntry } from '../viewer/entries.ts';
import { hexSource, type Lines } from '../viewer/source.ts';
import { stackLines } from './entries-content.ts';
import type { PreviewContent } from './previewed.ts';

interface BytesContent extends PreviewContent {
  /** Whether the content is drawn as a hex dump. */
  readonly isHex: boolean;
}

/**
 * Returns a preview of the first bytes of content, in a suitable view. `size` is the total number of bytes; undefined if unknown. `words`
 * describes the type of the content (default: guessed).
 */
export function bytesContent(
  bytes: Uint8Array,
  { size, words }: { readonly size: number | undefined; readonly words?: string },
): BytesContent {
  const isWhole = size === bytes.length;
  const entry = undefined;
  const { kind, view } = withBytes<undefined, never>(unreadBytes(entry), { entry, bytes, isWhole });
  const sizeText = size === undefined ? `first ${formatSize(bytes.length)}` : formatSize(size);
  return {
    counts: `${sizeText}, ${words ?? kind.label}`,
    isHex: view === 'hex',
    lines({ columns, redact }) {
      // Unlike in an open pane, edgectl's own credentials are redacted, because the user has not asked to see the content.
      const shown = view === 'hex' ? bytes : Buffer.from(redact(Buffer.from(bytes).toString('utf8')));
      return bytesSource(shown, { view }, { columns }, '');
    },
  };
}

/** Minimum number of bytes in a row of a dump next to the content. */
const minDumpRow = 8;

/** Returns bytes as a hex dump below a heading; an empty line if there is no room, or if there are no bytes. */
export function dumpLines(bytes: Uint8Array, surface: Surface): Lines {
  const { columns } = surface;
  if (bytes.length === 0 || hexRowLength(columns) < minDumpRow) return entryLines([], surface);
  return stackLines(entryLines([headingEntry('Stored bytes')], surface), hexSource(bytes, columns));
}
