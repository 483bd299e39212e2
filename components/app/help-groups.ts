import { moveShortcuts } from '../kit/keys/conditions.ts';
import { listShortcuts } from '../kit/keys/find-shortcut.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import { foldShortcuts } from '../kit/keys/folding.ts';
import { loadShortcuts } from '../kit/keys/loading.ts';
import { markShortcuts } from '../kit/keys/marks.ts';
import type { Mode } from '../kit/keys/modes.ts';
import { modeTitles } from '../kit/keys/modes.ts';
import { formatPress, type Press } from '../kit/keys/presses.ts';
import { searchShortcuts } from '../kit/keys/searching.ts';
import type { Keymap, Shortcut } from '../kit/keys/shortcut.ts';
import { wrapShortcuts } from '../kit/keys/wrapping.ts';

/** An entry of the help: a shortcut and its description. */
export interface HelpEntry {
  readonly shortcut: Shortcut<string>;
  /** The entry's description. If a searched word is only in the label, the label comes before the description. */
  readonly text: string;
  /** Whether the shortcut also works while the user types. If so, Enter in the help does not run the shortcut. */
  readonly isAlways: boolean;
}

/** The entries of the help under one heading. */
export interface HelpGroup {
  readonly title: string;
  readonly entries: readonly HelpEntry[];
}

/** Actions that lists or documents share: moving, marking and searching. */
const sharedActions: ReadonlySet<string> = new Set<string>([
  ...moveShortcuts.map(({ does }) => does),
  ...filterShortcuts.map(({ does }) => does),
  ...markShortcuts.map(({ does }) => does),
  ...loadShortcuts.map(({ does }) => does),
  ...searchShortcuts.map(({ does }) => does),
  ...foldShortcuts.map(({ does }) => does),
  ...wrapShortcuts.map(({ does }) => does),
  ...['back', 'out'],
]);

/**
 * Returns the shortcuts that apply in a mode, in groups: the pane's own shortcuts, the shortcuts of every list or document, and all other
 * shortcuts.
 */
export function groupShortcuts(mode: Mode, keys: Keymap): HelpGroup[] {
  const own: ReadonlyArray<Shortcut<string>> = keys[mode];
  const others = listShortcuts(mode, keys).slice(own.length);
  const isShared = ({ does }: Shortcut<string>) => sharedActions.has(does);
  return [
    { title: `Here: ${modeTitles[mode]}`, entries: own.filter((one) => !isShared(one)).map(toEntry) },
    { title: sharedTitle(own), entries: own.filter(isShared).map(toEntry) },
    {
      title: 'Everywhere',
      entries: [...others.map(toEntry), ...keys.always.map((one) => ({ ...toEntry(one), isAlways: true }))],
    },
  ].filter(({ entries }) => entries.length > 0);
}

function toEntry(shortcut: Shortcut<string>): HelpEntry {
  return { shortcut, text: shortcut.about, isAlways: false };
}

function sharedTitle(own: ReadonlyArray<Shortcut<string>>): string {
  const has = (action: string) => own.some(({ does }) => does === action);
  if (has('filter')) return 'Lists';
  return has('search') ? 'Documents' : 'Moving';
}

/** Returns the presses of a shortcut as displayed: `Enter, →, l`. */
export function formatPresses(press: readonly Press[]): string {
  return press.map(formatPress).join(', ');
}

/** Splits a search into lower-case words. */
export function searchWords(search: string): string[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
}

/** Returns the entries that contain every word of a search in their presses, label or description. */
export function findInHelp(groups: readonly HelpGroup[], search: string): HelpGroup[] {
  const words = searchWords(search);
  return groups
    .map(({ title, entries }) => ({ title, entries: entries.flatMap((entry) => matchEntry(entry, words)) }))
    .filter(({ entries }) => entries.length > 0);
}

function matchEntry(entry: HelpEntry, words: readonly string[]): HelpEntry[] {
  const { press, about } = entry.shortcut;
  const shown = `${formatPresses(press)} ${about}`.toLowerCase();
  const named = `${nameEntry(entry.shortcut, words)}: ${about}`;
  if (words.every((word) => shown.includes(word))) return [entry];
  const all = `${formatPresses(press)} ${named}`.toLowerCase();
  return words.every((word) => all.includes(word)) ? [{ ...entry, text: named }] : [];
}

/** Returns the footer's label if it contains a searched word, otherwise the help's label. */
function nameEntry({ label, helpLabel = label }: Shortcut<string>, words: readonly string[]): string {
  return words.some((word) => label.toLowerCase().includes(word)) ? label : helpLabel;
}

/** Returns the index of the entry that best matches a search: by press, by label, or by the start of the description. */
export function bestEntry(entries: readonly HelpEntry[], search: string): number {
  const typed = search.trim();
  const small = typed.toLowerCase();
  if (small === '') return 0;
  const ranks = entries.map(({ shortcut: { press, label, about } }): number => {
    if (press.some((one) => formatPress(one) === typed)) return 0;
    if (label.toLowerCase() === small) return 1;
    if (label.toLowerCase().startsWith(small)) return 2;
    return about.toLowerCase().startsWith(small) ? 3 : 4;
  });
  return Math.max(0, ranks.indexOf(Math.min(...ranks)));
}
