import { measureCharacter, pad } from '../../src/text/width.ts';
import { dangerStyles, shortcutDanger } from '../kit/danger.ts';
import { formatPress } from '../kit/keys/presses.ts';
import type { Keymap, Situation } from '../kit/keys/shortcut.ts';
import type { Role } from '../kit/theme.ts';
import { foldText } from '../ui/lines/fold.ts';
import type { Part } from '../ui/lines/Line.tsx';
import { formatPresses, type HelpEntry, type HelpGroup, searchWords } from './help-groups.ts';

/** A line of a column, padded to the column's width. */
export interface HelpLine {
  readonly parts: readonly Part[];
  /** The index of the line's entry; undefined for headings, notes and empty lines. */
  readonly entry: number | undefined;
}

/** The laid-out help: columns side by side, which scroll together. */
export interface HelpPage {
  readonly columns: readonly (readonly HelpLine[])[];
  /** The width of a column. */
  readonly width: number;
  /** The width of the gap between two columns of the help. */
  readonly gap: number;
  readonly entries: readonly HelpEntry[];
  /** The index of the first entry of each group. */
  readonly groupStarts: readonly number[];
}

/** Minimum widths of the help for two and for three columns of descriptions. */
const minWidthFor = { two: 92, three: 180 } as const;

/** Maximum number of columns of labels. */
const maxLabelColumns = 3;

/** Width below which the gaps between the columns of the help are narrow. */
const narrowWidth = 56;

/** Returns the width of the gap between two columns of the help. */
function gapFor(width: number): number {
  return width < narrowWidth ? 2 : 3;
}

/** The options for drawing the help. */
export interface HelpStyle {
  /** The pane's situation, which determines which shortcuts are unavailable, and why. */
  readonly situation: Situation;
  readonly keys: Keymap;
  /** Whether undo is turned on, and therefore saves single changes. */
  readonly undoIsOn: boolean;
  /** The search, whose words are highlighted. */
  readonly search: string;
  /** A note after the last group, already escaped. Compact help shows the note below the details of the last entry. */
  readonly note: string;
}

/** The screen area in which the help is drawn. */
export interface HelpRoom {
  readonly columns: number;
  readonly height: number;
  /** Whether a screen reader reads the screen aloud; if so, nothing is drawn side by side. */
  readonly isSpoken?: boolean | undefined;
}

/** Minimum width for search results with descriptions. */
const minWidthForDescriptions = 60;

/**
 * Returns whether the help is compact: one line with the label for each entry, and the description of the selected entry below all entries.
 * To show as many keys as possible, the help is compact if the screen is narrow or has no room for all descriptions. Search results are
 * compact only on a very narrow screen, because a search also finds words in descriptions. For a screen reader, the help is never compact.
 */
export function isCompactHelp(groups: readonly HelpGroup[], style: HelpStyle, room: HelpRoom): boolean {
  const { columns, isSpoken } = room;
  if (isSpoken === true) return false;
  if (style.search.trim() !== '') return columns < minWidthForDescriptions;
  return columns < minWidthFor.two || pageLength(layoutDescriptions(groups, style, room)) > room.height;
}

/**
 * Returns the details of the selected entry in compact help: its presses, its description, and its danger or the reason why it is
 * unavailable. For the last entry, the note is appended, unless a search is active.
 */
export function describeEntry(entry: HelpEntry, style: HelpStyle, width: number, isLast = false): Part[][] {
  const words = searchWords(style.search);
  const { press, about } = entry.shortcut;
  const { ending } = judge(entry, style);
  const lines = aboutLines(`${formatPresses(press)}: ${about}`, 'dim', ending, words, width);
  if (!isLast || style.search.trim() !== '') return lines;
  return [...lines, ...foldText(style.note, width).map((text): Part[] => [{ text, role: 'dim' }])];
}

/** Returns the number of lines of the longest details of an entry in compact help. */
export function longestDescription(groups: readonly HelpGroup[], style: HelpStyle, width: number): number {
  const entries = groups.flatMap((group) => group.entries);
  const measure = (entry: HelpEntry, index: number) =>
    describeEntry(entry, style, width, index === entries.length - 1).length;
  return Math.max(0, ...entries.map(measure));
}

/** Lays out the help. `isCompact` is the result of `isCompactHelp`. */
export function layoutHelp(
  groups: readonly HelpGroup[],
  style: HelpStyle,
  room: HelpRoom,
  isCompact: boolean,
): HelpPage {
  return isCompact ? layoutLabels(groups, style, room) : layoutDescriptions(groups, style, room);
}

/** Lays out help with descriptions. Search results that fit in one column stay in one column. */
function layoutDescriptions(groups: readonly HelpGroup[], style: HelpStyle, room: HelpRoom): HelpPage {
  const { columns: width, isSpoken = false } = room;
  const place = (count: number) => placeGroups(groups, style, room, { count, isCompact: false });
  const count = isSpoken || width < minWidthFor.two ? 1 : width < minWidthFor.three ? 2 : 3;
  if (count === 1 || style.search.trim() === '') return place(count);
  const one = place(1);
  return pageLength(one) <= room.height ? one : place(count);
}

/**
 * Lays out help with labels, in columns that cut no label. A narrow screen has more columns only if the entries would otherwise not all fit
 * on the screen. A wide screen has as many columns as possible, because a label fills only a part of a wide column. If the groups do not
 * fit on a wide screen, the longest group continues in another column.
 */
function layoutLabels(groups: readonly HelpGroup[], style: HelpStyle, room: HelpRoom): HelpPage {
  const isWide = room.columns >= minWidthFor.two;
  const counts = Array.from({ length: maxLabelColumns }, (_, index) => index + 1);
  let best: HelpPage | undefined;
  for (const count of isWide ? [...counts.toReversed(), maxLabelColumns + 1] : counts) {
    if (count > 1 && !fitsLabels(groups, room.columns, count)) continue;
    const isContinued = count > maxLabelColumns;
    const page = placeGroups(groups, style, room, { count, isCompact: true, isContinued });
    if (pageLength(page) <= room.height) return page;
    if (best === undefined || pageLength(page) < pageLength(best)) best = page;
  }
  return best ?? placeGroups(groups, style, room, { count: 1, isCompact: true });
}

/** Returns whether the labels of all groups fit in this number of columns. */
function fitsLabels(groups: readonly HelpGroup[], whole: number, count: number): boolean {
  const width = columnWidth(whole, count);
  const entries = groups.flatMap((group) => group.entries);
  const presses = Math.max(0, ...entries.map(measurePress));
  return entries.every(
    ({ shortcut: { label, shortLabel = label } }) =>
      presses + pressGap(width) + measureCharacter(shortLabel) <= width,
  );
}

function columnWidth(whole: number, count: number): number {
  return Math.floor((whole - gapFor(whole) * (count - 1)) / count);
}

/** Returns the number of lines of the longest column. */
export function pageLength({ columns }: HelpPage): number {
  return Math.max(0, ...columns.map(({ length }) => length));
}

/** Formats the numbers of the visible lines, with arrows that point to hidden lines; empty if all lines are visible. */
export function formatPosition(page: HelpPage, top: number, height: number): Part[] {
  const length = pageLength(page);
  if (length <= height) return [];
  const end = Math.min(length, top + height);
  const arrows = `${top > 0 ? '↑' : ' '}${end < length ? '↓' : ' '}`;
  return [
    { text: `lines ${top + 1}-${end} of ${length} `, role: 'dim' },
    { text: arrows, role: 'press' },
  ];
}

/** The options for placing groups in columns. */
interface Placement {
  readonly count: number;
  readonly isCompact: boolean;
  /** Whether the longest group is split into two groups. */
  readonly isContinued?: boolean;
}

/** The lines of a group. */
type Block = readonly HelpLine[];

function placeGroups(
  groups: readonly HelpGroup[],
  style: HelpStyle,
  { columns: whole }: HelpRoom,
  { count, isCompact, isContinued = false }: Placement,
): HelpPage {
  const width = columnWidth(whole, count);
  const entries = groups.flatMap((group) => group.entries);
  const numbered = numberEntries(groups);
  const note = style.search.trim() === '' && !isCompact ? noteLines(style.note, width) : [];
  const draw = (some: readonly NumberedGroup[]): Block[] => {
    const pressWidth = pressColumns(some, width, isCompact);
    return some.map((group) => [
      ...groupLines(group, style, width, { pressWidth, isCompact }),
      ...(group === numbered.at(-1) ? note : []),
    ]);
  };
  // Draws the groups twice: the width of the presses depends on the groups in the same column, and only the first pass determines the
  // column of each group.
  const blocks = isContinued ? splitLongest(numbered) : numbered;
  const heights = draw(blocks).map(({ length }) => length);
  const placed = divideEvenly(heights, count).map(([from, to]) => draw(blocks.slice(from, to)));
  return {
    columns: placed.map((column) => joinBlocks(column, width)),
    width,
    gap: gapFor(whole),
    entries,
    groupStarts: numbered.map(({ first }) => first),
  };
}

/** A group, and the index of its first entry. */
type NumberedGroup = HelpGroup & { readonly first: number };

function numberEntries(groups: readonly HelpGroup[]): NumberedGroup[] {
  let first = 0;
  return groups.map((group) => {
    const numbered = { ...group, first };
    first += group.entries.length;
    return numbered;
  });
}

/** Splits the group with the most entries into two groups of about the same length. */
function splitLongest(groups: readonly NumberedGroup[]): NumberedGroup[] {
  const most = Math.max(...groups.map(({ entries }) => entries.length));
  const longest = groups.findIndex(({ entries }) => entries.length === most);
  return groups.flatMap((group, index) => {
    const middle = Math.ceil(most / 2);
    if (index !== longest || middle === most) return [group];
    const { title, entries, first } = group;
    return [
      { title, entries: entries.slice(0, middle), first },
      { title: `${title} (more)`, entries: entries.slice(middle), first: first + middle },
    ];
  });
}

function groupLines(
  { title, entries, first }: NumberedGroup,
  style: HelpStyle,
  width: number,
  { pressWidth, isCompact }: { readonly pressWidth: number; readonly isCompact: boolean },
): Block {
  const rule = '─'.repeat(Math.max(0, width - measureCharacter(title) - 1));
  const heading: Part[] = [
    { text: title, role: 'title' },
    { text: ` ${rule}`, role: 'border' },
  ];
  const lines = entries.flatMap((entry, index) =>
    (isCompact
      ? [labelLine(entry, style, width, pressWidth)]
      : entryLines(entry, style, width, pressWidth)
    ).map((parts) => ({ parts, entry: first + index })),
  );
  return [{ parts: heading, entry: undefined }, ...lines];
}

function noteLines(note: string, width: number): HelpLine[] {
  const empty = { parts: padParts([], width), entry: undefined };
  const lines = foldText(note, width).map((text) => ({
    parts: padParts([{ text, role: 'dim' }], width),
    entry: undefined,
  }));
  return note === '' ? [] : [empty, ...lines];
}

/** Maximum width of the presses of an entry, unless the column is wide. */
const maxPressColumns = 17;

/** Returns the width for the presses: enough for all presses of an entry, unless the user has assigned many keys to an action. */
function pressColumns(groups: readonly HelpGroup[], width: number, isCompact: boolean): number {
  const entries = groups.flatMap((group) => group.entries);
  if (isCompact) return Math.max(...entries.map(measurePress));
  const widths = entries.map(({ shortcut }) => measureCharacter(formatPresses(shortcut.press)));
  return Math.max(6, Math.min(Math.max(...widths), Math.max(maxPressColumns, width >> 2)));
}

function measurePress({ shortcut }: HelpEntry): number {
  return measureCharacter(formatPresses(shortcut.press.slice(0, 1)));
}

/** A range of indexes; the end is exclusive. */
type Span = readonly [from: number, to: number];

/** Divides groups with these heights among columns, in order, so that the longest column is as short as possible. */
function divideEvenly(heights: readonly number[], count: number): readonly Span[] {
  const length = (division: readonly Span[]) =>
    Math.max(
      ...division.map(([from, to]) => heights.slice(from, to).reduce((sum, height) => sum + height + 1, 0)),
    );
  const all = divisions(0, heights.length, Math.min(count, heights.length));
  return all.reduce((best, one) => (length(one) < length(best) ? one : best), all[0] ?? []);
}

/** Returns all divisions of the range from `from` to `to` into `count` consecutive non-empty ranges. */
function divisions(from: number, to: number, count: number): (readonly Span[])[] {
  if (count <= 1) return [[[from, to]]];
  const ends = Array.from({ length: to - from - count + 1 }, (_, index) => from + index + 1);
  return ends.flatMap((end) =>
    divisions(end, to, count - 1).map((rest): readonly Span[] => [[from, end], ...rest]),
  );
}

/** Joins the groups of a column, with an empty line between groups. */
function joinBlocks(blocks: readonly Block[], width: number): HelpLine[] {
  const empty = { parts: padParts([], width), entry: undefined };
  return blocks.flatMap((block, index) => (index === 0 ? block : [empty, ...block]));
}

/** Returns the lines of an entry: its presses, its description, and its danger or the reason why it is unavailable. */
function entryLines(entry: HelpEntry, style: HelpStyle, width: number, pressWidth: number): Part[][] {
  const { shortcut, text } = entry;
  const words = searchWords(style.search);
  const { press, isRefused, ending } = judge(entry, style);
  const gap = pressGap(width);
  const room = Math.max(1, width - pressWidth - gap);
  const about = aboutLines(text, isRefused ? 'dim' : 'plain', ending, words, room);
  const presses = foldText(formatPresses(shortcut.press), pressWidth);
  return Array.from({ length: Math.max(about.length, presses.length) }, (_, line) =>
    padParts(
      [
        ...highlightWords(presses[line] ?? '', words, press),
        { text: ' '.repeat(pressWidth + gap - measureCharacter(presses[line] ?? '')) },
        ...(about[line] ?? []),
      ],
      width,
    ),
  );
}

/** Returns the line of an entry in compact help: its first press and its longest label that fits. */
function labelLine(entry: HelpEntry, style: HelpStyle, width: number, pressWidth: number): Part[] {
  const { press, label, helpLabel = label, shortLabel = label } = entry.shortcut;
  const words = searchWords(style.search);
  const { press: role, isRefused } = judge(entry, style);
  const shown = formatPresses(press.slice(0, 1));
  const lead = pressWidth + pressGap(width);
  const name = [helpLabel, label].find((text) => lead + measureCharacter(text) <= width) ?? shortLabel;
  return padParts(
    [
      ...highlightWords(shown, words, role),
      { text: ' '.repeat(lead - measureCharacter(shown)) },
      ...highlightWords(name, words, isRefused ? 'dim' : 'plain'),
    ],
    width,
  );
}

/**
 * Returns the style of an entry's presses, whether the entry is unavailable, and the text after the description: the danger, or the reason
 * why the entry is unavailable.
 */
function judge(entry: HelpEntry, style: HelpStyle) {
  const reason = entry.shortcut.unless?.(style.situation) ?? false;
  const isRefused = reason !== false;
  const cost = isRefused ? undefined : formatCost(entry, style);
  const press: Role = isRefused ? 'dim' : (cost?.role ?? 'press');
  const ending: Part | undefined = isRefused ? { text: `(${reason})`, role: 'dim' } : cost;
  return { press, isRefused, ending };
}

/** Minimum width of a column with two spaces after the presses. */
const minWidthForGap = 24;

/** Returns the number of columns between the presses and the description. */
function pressGap(width: number): number {
  return width < minWidthForGap ? 1 : 2;
}

/** Returns the danger of an action as styled text; undefined for an action that destroys nothing. */
function formatCost({ shortcut }: HelpEntry, { situation, keys, undoIsOn }: HelpStyle) {
  const danger = shortcutDanger(shortcut, situation, undoIsOn);
  if (danger === undefined || danger === 'change') return undefined;
  const { press: role } = dangerStyles[danger].answer;
  if (danger === 'permanent') return { text: 'permanent', role };
  const undo = keys.global.find(({ does }) => does === 'undo')?.press[0];
  return { text: undo === undefined ? 'can be undone' : `undo with ${formatPress(undo)}`, role };
}

/** Returns the lines of a description, followed by `ending`: on the last line if it fits, otherwise on a new line. */
function aboutLines(
  text: string,
  role: Role,
  ending: Part | undefined,
  words: readonly string[],
  width: number,
): Part[][] {
  const lines = foldText(text, width).map((line) => ({ line, parts: highlightWords(line, words, role) }));
  const last = lines.at(-1);
  if (ending === undefined || last === undefined) return lines.map(({ parts }) => parts);
  const isNear = measureCharacter(`${last.line} · ${ending.text}`) <= width;
  const separator: Part = { text: ending.text.startsWith('(') ? ' ' : ' · ', role: 'dim' };
  if (isNear) return [...lines.slice(0, -1).map(({ parts }) => parts), [...last.parts, separator, ending]];
  const endings = foldText(ending.text, width).map((line): Part[] => [{ ...ending, text: line }]);
  return [...lines.map(({ parts }) => parts), ...endings];
}

/** Returns text with the searched words highlighted. */
function highlightWords(text: string, words: readonly string[], role: Role): Part[] {
  const small = text.toLowerCase();
  const isFound = Array.from({ length: text.length }, () => false);
  for (const word of words) {
    for (let at = small.indexOf(word); at !== -1; at = small.indexOf(word, at + 1)) {
      isFound.fill(true, at, at + word.length);
    }
  }
  const parts: Part[] = [];
  for (let from = 0; from < text.length; ) {
    let to = from + 1;
    while (to < text.length && isFound[to] === isFound[from]) to++;
    parts.push({ text: text.slice(from, to), role: isFound[from] === true ? 'found' : role });
    from = to;
  }
  return parts;
}

function padParts(parts: readonly Part[], width: number): Part[] {
  const used = parts.reduce((sum, { text }) => sum + measureCharacter(text), 0);
  return [...parts, { text: pad('', Math.max(0, width - used)) }];
}
