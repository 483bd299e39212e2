import { formatLink } from '../../src/model/places/link.ts';
import { withBookmark } from '../../src/model/places/memory.ts';
import type { ConsoleParts } from '../kit/use-console.ts';
import { toPlaceLink } from '../places/place-link.ts';

/** The prefix filter of the pane on the screen, if the pane has a prefix filter. */
interface ServerQuery {
  readonly prefix?: string | undefined;
}

type BookmarkParts = Pick<ConsoleParts, 'openPanes' | 'memory' | 'notify' | 'copy' | 'redact'>;

/** Adds the view on the screen to the bookmarks, or removes it from the bookmarks. */
export function toggleBookmark(asked: ServerQuery, parts: BookmarkParts): void {
  const link = presentLink(asked, parts);
  if (link === undefined) {
    parts.notify('This view has no link.', 'refused');
    return;
  }
  const isKept = !parts.memory.current.bookmarks.includes(link);
  parts.memory.change((memory) => withBookmark(memory, link, isKept));
  void parts.memory.save();
  const shown = parts.redact(link);
  parts.notify(
    isKept
      ? `Bookmarked ${shown}. To open bookmarks, go to Home or press :.`
      : `Removed the bookmark ${shown}.`,
  );
}

/** Copies the link of the view on the screen, and shows the link. */
export function copyLink(asked: ServerQuery, parts: BookmarkParts): void {
  const link = presentLink(asked, parts);
  if (link === undefined) {
    parts.notify('This view has no link.', 'refused');
    return;
  }
  parts.notify(parts.copy(Buffer.from(link), `the link ${parts.redact(link)}`));
}

/** Returns the link of the view on the screen; undefined if the view has no link. */
function presentLink({ prefix }: ServerQuery, { openPanes }: BookmarkParts): string | undefined {
  const opened = openPanes.at(-1);
  const link = opened && toPlaceLink(opened);
  if (link === undefined) return undefined;
  return formatLink(link.kind === 'keys' && prefix !== undefined ? { ...link, prefix } : link);
}
