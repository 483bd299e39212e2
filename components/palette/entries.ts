import { formatLink, parseLink } from '../../src/model/places/link.ts';
import type { Memory } from '../../src/model/places/memory.ts';
import { listShortcuts } from '../kit/keys/find-shortcut.ts';
import type { Mode } from '../kit/keys/modes.ts';
import { formatPress, type Press } from '../kit/keys/presses.ts';
import type { Keymap, Situation } from '../kit/keys/shortcut.ts';
import type { ElsewhereEntry } from './elsewhere.ts';
import type { FinderEntry } from './Finder.tsx';
import { rankMatches } from './ranking.ts';

/** A line of the palette: an action by its press, a place by its link, or an action of another pane. */
export type PaletteEntry =
  | (FinderEntry & { readonly does: { readonly press: Press } | { readonly link: string } })
  | ElsewhereEntry;

/** Returns the actions of the pane, then bookmarked, visited and listed places. */
export function paletteEntries(
  { mode, situation, keys }: { readonly mode: Mode; readonly situation: Situation; readonly keys: Keymap },
  memory: Memory,
  known: Iterable<string>,
): readonly PaletteEntry[] {
  const entries: PaletteEntry[] = [];
  for (const { press, label, about, does, quiet, unless } of listShortcuts(mode, keys)) {
    const [first] = press;
    // Cursor movements are omitted, and so is the palette itself.
    if (first === undefined || does === 'palette' || (quiet === true && isMovement(does))) continue;
    const refusal = unless?.(situation) ?? false;
    const text = about.toLowerCase().startsWith(label.toLowerCase()) ? about : `${label}: ${about}`;
    entries.push({
      mark: formatPress(first),
      text,
      label,
      does: { press: first },
      ...(refusal !== false && { refusal }),
    });
  }
  const links = new Map<string, string>();
  for (const link of memory.bookmarks) links.set(link, '*');
  for (const link of memory.recents) if (!links.has(link) && link.includes('/')) links.set(link, 'recent');
  for (const link of known) if (!links.has(link)) links.set(link, '');
  for (const [link, mark] of links) entries.push({ mark, text: link, does: { link } });
  return entries;
}

const movementActions: readonly string[] = ['up', 'down', 'page-up', 'page-down', 'first', 'last'];

function isMovement(does: string): boolean {
  return movementActions.includes(does);
}

/**
 * Returns the entries that match a search, best first. Entries of `elsewhere` are included only if something is typed. A typed
 * link is always offered, known or not.
 */
export function findEntries(
  entries: readonly PaletteEntry[],
  search: string,
  elsewhere: readonly PaletteEntry[] = [],
): readonly PaletteEntry[] {
  const found = rankMatches(search.trim() === '' ? entries : [...entries, ...elsewhere], search.trim());
  const link = readLink(search.trim());
  if (link === undefined || found.some(({ text }) => text === link)) return found;
  return [{ mark: 'link', text: link, does: { link } }, ...found];
}

function readLink(search: string): string | undefined {
  if (!search.includes('/')) return undefined;
  try {
    return formatLink(parseLink(search));
  } catch {
    return undefined;
  }
}
