import { formatSize } from '../../../src/text/size.ts';
import { bytesSource, unreadBytes, withBytes } from '../viewer/bytes-view.ts';
import type { PreviewContent } from './previewed.ts';

/**
 * Returns a preview of the first bytes of content with `size` bytes, in a suitable view. `words` is the type of the content (default:
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
      // Unlike in an open pane, edgectl's own credentials are redacted, because the user did not open the content.
      const shown = view === 'hex' ? bytes : Buffer.from(redact(Buffer.from(bytes).toString('utf8')));
      return bytesSource(shown, { view }, { columns }, '');
    },
  };
}
