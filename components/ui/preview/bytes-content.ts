import { formatSize } from '../../../src/text/size.ts';
import { bytesSource, unreadBytes, withBytes } from '../viewer/bytes-view.ts';
import type { PreviewContent } from './previewed.ts';

/**
 * Returns a preview of the first bytes of something of `size` bytes, in a suitable view. `words` is its type (default:
 * guessed).
 */
export function bytesContent(
  bytes: Uint8Array,
  { size, words }: { readonly size: number | undefined; readonly words?: string },
): PreviewContent {
  const isWhole = size === bytes.length;
  const entry = undefined;
  const { kind, view } = withBytes<undefined, never>(unreadBytes(entry), { entry, bytes, isWhole });
  const sizeText = size === undefined ? `first ${formatSize(bytes.length)}` : formatSize(size);
  return {
    counts: `${sizeText}, ${words ?? kind.label}`,
    lines({ columns, redact }) {
      // The user did not open the content, so our own credentials are redacted, unlike in an open pane.
      const shown = view === 'hex' ? bytes : Buffer.from(redact(Buffer.from(bytes).toString('utf8')));
      return bytesSource(shown, { view }, { columns }, '');
    },
  };
}
