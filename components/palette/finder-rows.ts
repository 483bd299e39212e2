import { capitalize } from '../../src/model/sentence.ts';
import { markText } from '../../src/text/mark.ts';
import type { Redact } from '../../src/text/redact.ts';
import type { Range } from '../../src/text/search/pattern.ts';
import { aboutRanges, type Findable, nameRanges } from '../../src/text/search/ranking.ts';
import { groupDigits } from '../../src/text/size.ts';
import { fitText, measureCharacter, pad } from '../../src/text/width.ts';
import { firstVisibleRow } from '../kit/keys/cursor.ts';
import type { Mode } from '../kit/keys/modes.ts';
import { formatPress } from '../kit/keys/presses.ts';
import type { Keymap } from '../kit/keys/shortcut.ts';
import { formatFact, formatNote, noteParts, type PlaceFact } from '../kit/known.ts';
import type { Surface } from '../kit/surface.ts';
import type { Role } from '../kit/theme.ts';
import { severityRoles } from '../kit/tones.ts';
import { pressFor } from '../ui/input/use-shortcuts.ts';
import { highlightMatches, measureParts } from '../ui/lines/found-parts.ts';
import type { Part } from '../ui/lines/Line.tsx';
import { type Entry, factEntries, headingEntry } from '../ui/viewer/entries.ts';
import { actionsHeading, actionsThere } from './place-actions.ts';

/** A line that can be found and chosen. */
export interface FinderEntry extends Findable {
  /** The facts about the place from a list, shown in a note next to the name. The search ignores these facts. */
  readonly facts?: readonly PlaceFact[];
  /** The label of the description among the facts, if the description is a value: `id`. */
  readonly aboutLabel?: string;
  /** The heading above the entry's group. */
  readonly group: string;
  /** The kind of the entry, in the singular: `namespace`. */
  readonly kind: string;
  /** The effect of choosing the entry, as an imperative: `open the namespace`; undefined if the entry cannot be chosen. */
  readonly effect?: string | undefined;
  /** The link of a place. */
  readonly link?: string;
  /** The text at the end of the line: for an action, the pane in which the action works; for any other entry, a remark. */
  readonly where?: string;
  /** The key of an action, as displayed. */
  readonly press?: string;
  /** The reason why the line cannot be chosen now. */
  readonly refusal?: string;
  /** The mode of the pane that a place opens, if the facts list the pane's actions. */
  readonly mode?: Mode | undefined;
}

/** A row of the screen. Headings cannot be selected; entries, and the row for the rest of a long group, can be selected. */
export type FinderRow<E> =
  | { readonly kind: 'heading'; readonly text: string }
  | { readonly kind: 'entry'; readonly entry: E }
  | { readonly kind: 'more'; readonly group: string; readonly count: number };

/** Minimum number of rows for headings. With fewer rows, each line contains the name of its group instead. */
const minRowsForHeadings = 10;

/** Maximum number of entries of a group that has other groups below it, until the user expands the group. */
const maxAbove = 6;

/**
 * Returns the rows for found entries. The group of the best match comes first. If not all entries fit, long groups above other groups are
 * shortened.
 */
export function finderRows<E extends FinderEntry>(
  found: readonly E[],
  { height, expanded }: { readonly height: number; readonly expanded: ReadonlySet<string> },
): readonly FinderRow<E>[] {
  const groups = [...Map.groupBy(found, ({ group }) => group)];
  const fits = found.length + groups.length <= height;
  return groups.flatMap(([group, entries], at): FinderRow<E>[] => {
    const isLast = at === groups.length - 1;
    // A group is not shortened if the row with the count would replace only its last entry.
    const isWhole = fits || isLast || expanded.has(group) || entries.length <= maxAbove + 1;
    const shown = isWhole ? entries : entries.slice(0, maxAbove);
    return [
      ...(hasHeadings(height) ? [{ kind: 'heading', text: group } as const] : []),
      ...shown.map((entry) => ({ kind: 'entry', entry }) as const),
      ...(isWhole ? [] : [{ kind: 'more', group, count: entries.length - maxAbove } as const]),
    ];
  });
}

/** Returns whether a list of this height has headings. */
export function hasHeadings(height: number): boolean {
  return height >= minRowsForHeadings;
}

/**
 * Returns the index of the first row on the screen. The selected row is visible. If it is the first row of its group, the heading is
 * visible, too.
 */
export function firstFinderRow(
  rows: readonly FinderRow<unknown>[],
  selected: number,
  { top, height }: { readonly top: number; readonly height: number },
): number {
  const isFirst = rows[selected - 1]?.kind === 'heading';
  const shown = isFirst && selected - 1 < top ? selected - 1 : top;
  return firstVisibleRow({ index: selected, top: shown }, rows.length, height);
}

/** The search and the column widths with which lines are drawn. */
export interface FinderStyle extends Surface {
  readonly search: string;
  /** Columns of the entries' names, if the entries have descriptions. */
  readonly nameWidth: number;
  /** Columns of the entries' names, if the entries have notes. */
  readonly notedWidth: number;
  readonly hasHeadings: boolean;
}

/** Maximum width, in columns, of a name before its description, and before its note. */
const maxNameWidths = { about: 22, facts: 40 };

/** Returns the number of columns for names that have a description, or a note, next to them. */
export function nameColumns(entries: readonly FinderEntry[], next: 'about' | 'facts'): number {
  const widths = entries.map((entry) =>
    (entry[next] ?? '').length === 0 ? 0 : measureCharacter(markText(entry.name)),
  );
  return Math.min(
    maxNameWidths[next],
    widths.reduce((widest, width) => Math.max(widest, width), 0),
  );
}

/** Maximum width, in columns, of a line: the end of a wider line would be too far from its name. */
const maxWidth = 120;

/** Columns of a key at the end of a line. */
const pressWidth = 6;

/** Minimum width, in columns, for a description. */
const minAboutWidth = 12;

/** Minimum width, in columns, for a note; a shorter note needs only its own length. */
const minNoteWidth = 32;

/**
 * Returns the parts of a row: the name with the matching letters highlighted, its description, note or reason for being unavailable, its
 * pane, and its key.
 */
export function finderParts<E extends FinderEntry>(row: FinderRow<E>, style: FinderStyle): Part[] {
  const indent = style.hasHeadings ? '  ' : '';
  if (row.kind === 'heading') return [{ text: fitText(row.text, style.columns), role: 'title' }];
  if (row.kind === 'more') {
    const text = `${indent}${groupDigits(row.count)} more: press Enter to list them`;
    return [{ text: pad(text, style.columns), role: 'dim' }];
  }
  const { entry } = row;
  const end = endParts(entry, style);
  const room = Math.max(1, Math.min(style.columns, maxWidth) - indent.length - measureParts(end));
  return padParts(
    [{ text: indent }, ...padParts(mainParts(entry, style, room), room), ...end],
    style.columns,
  );
}

/** The settings on which the lines about an entry depend. `columns` is the width of the region. */
interface FactStyle {
  readonly keys: Keymap;
  readonly columns: number;
  readonly undoIsOn: boolean;
}

/** Returns the lines about a selected entry: its facts, the effect of choosing it, and the actions of a place. */
export function entryFacts(
  { kind, about = '', aboutLabel, facts = [], refusal, where, press, link, effect, mode }: FinderEntry,
  { keys, columns, undoIsOn }: FactStyle,
): Entry[] {
  const paragraphs = aboutLabel === undefined && about !== '' ? [{ text: about }, { text: '' }] : [];
  const all = [
    ...factEntries('kind', kind),
    ...(aboutLabel === undefined || about === '' ? [] : factEntries(aboutLabel, about, { isId: true })),
    ...facts.flatMap((fact) =>
      factEntries(fact.label, formatFact(fact), {
        ...(fact.severity !== undefined && { role: severityRoles[fact.severity] }),
      }),
    ),
    ...factEntries(press === undefined ? 'status' : 'pane', where),
    ...factEntries('key', press),
    ...factEntries('link', link),
    ...factEntries('refused', refusal, { role: 'warning' }),
  ];
  const take = pressFor('palette', 'take', keys) ?? '';
  const offered = refusal === undefined ? effect : undefined;
  const isWide = columns >= minColumnsForSentences;
  const chosen = factEntries(formatPress(take), isWide ? offered && capitalize(offered) : offered, keyStyle);
  return [
    ...paragraphs,
    ...all,
    ...(chosen.length === 0 ? [] : [{ text: '' }, ...chosen]),
    ...(mode === undefined ? [] : [{ text: '' }, ...actionEntries(mode, { keys, columns, undoIsOn })]),
  ];
}

/** Minimum width, in columns, for the description of an action instead of its label. */
const minColumnsForSentences = 64;

function actionEntries(mode: Mode, { keys, columns, undoIsOn }: FactStyle): Entry[] {
  const actions = actionsThere(mode, keys, undoIsOn);
  return [
    headingEntry(actionsHeading(mode)),
    ...actions.flatMap(({ press, label, about, role }) =>
      factEntries(press, columns >= minColumnsForSentences ? about : label, { ...keyStyle, labelRole: role }),
    ),
  ];
}

/** The style of a key and its effect, as in the footer and the help. */
const keyStyle = { labelRole: 'press', role: 'dim' } as const;

function mainParts(entry: FinderEntry, style: FinderStyle, room: number): Part[] {
  const { search, nameWidth, notedWidth, redact } = style;
  const { refusal, facts = [] } = entry;
  const note = formatNote(facts);
  const name = redact(entry.name);
  if (note !== '' && room - notedWidth - 2 >= Math.min(minNoteWidth, note.length)) {
    const head = padParts(found(name, nameRanges(search, name), notedWidth, 'plain'), notedWidth);
    return [...head, { text: '  ' }, ...drawNote(facts, room - notedWidth - 2, redact)];
  }
  const about = redact(entry.about ?? '');
  const role: Role = refusal === undefined ? 'plain' : 'dim';
  const head = (width: number) => found(name, nameRanges(search, name), width, role);
  const isNarrow = room - nameWidth - 2 < minAboutWidth;
  if ((about === '' && refusal === undefined) || (isNarrow && refusal === undefined)) return head(room);
  const width = about === '' ? Math.min(room, measureCharacter(markText(name))) : Math.min(nameWidth, room);
  const rest = room - width - 2;
  const after =
    refusal === undefined
      ? found(about, aboutRanges(search, { name, about }), rest, 'dim')
      : [{ text: fitText(markText(redact(refusal)), rest), role: 'warning' } as const];
  return [...padParts(head(width), width), { text: '  ' }, ...after];
}

/** Draws the note of a place, with severities in their colors. */
function drawNote(facts: readonly PlaceFact[], columns: number, redact: Redact): Part[] {
  let room = columns;
  return noteParts(facts).map(({ text, severity }): Part => {
    const fitted = fitText(markText(redact(text)), room);
    room -= measureCharacter(fitted);
    return { text: fitted, role: severity === undefined ? 'dim' : severityRoles[severity] };
  });
}

function found(text: string, ranges: readonly Range[], width: number, role: Role): Part[] {
  return highlightMatches(text, ranges, Math.max(0, width), role);
}

function endParts(
  { group, where, press }: FinderEntry,
  { hasHeadings: grouped, columns }: FinderStyle,
): Part[] {
  const text = fitText(where ?? (grouped ? '' : group), Math.floor(columns / 3));
  return [
    ...(text === '' ? [] : [{ text: `  ${text}`, role: 'dim' } as const]),
    ...(press === undefined
      ? []
      : [{ text: `  ${pad(press, pressWidth, 'right')}`, role: 'press' } as const]),
  ];
}

function padParts(parts: readonly Part[], width: number): Part[] {
  return [...parts, { text: ' '.repeat(Math.max(0, width - measureParts(parts))) }];
}
