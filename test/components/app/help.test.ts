import { expect, test } from 'vitest';
import { bestEntry, findInHelp, groupShortcuts } from '../../../components/app/help-groups.ts';
import {
  describeEntry,
  formatPosition,
  type HelpPage,
  type HelpStyle,
  isCompactHelp,
  layoutHelp,
  longestDescription,
  pageLength,
} from '../../../components/app/help-layout.ts';
import { firstHelpLine, moveInHelp } from '../../../components/app/help-state.ts';
import { keymap } from '../../../components/app/keymap.ts';
import { parseOwnKeys } from '../../../components/app/own-keys.ts';
import { hasGlobalShortcuts } from '../../../components/kit/keys/find-shortcut.ts';
import type { Mode } from '../../../components/kit/keys/modes.ts';
import { formatPress } from '../../../components/kit/keys/presses.ts';
import { bodyHeight } from '../../../components/ui/layout/layout.ts';
import type { Part } from '../../../components/ui/lines/Line.tsx';
import { measureCharacter } from '../../../src/text/width.ts';

const modes = Object.keys(keymap) as Mode[];
const free = { readOnly: false, selected: true, marked: 0 };
const readOnly = { ...free, readOnly: true };
const note = 'Set your own keys in /home/you/.config/edgectl/keys.toml';

interface Options extends Partial<HelpStyle> {
  readonly columns?: number;
  readonly height?: number;
  readonly isSpoken?: boolean;
}

function openHelp(mode: Mode, options: Options = {}): HelpPage {
  // In a help page of one column, all descriptions are shown only for a screen reader.
  const { columns = 80, height = 30, isSpoken = columns === 80, ...others } = options;
  const style = { situation: free, keys: keymap, undoIsOn: true, search: '', note, ...others };
  const groups = findInHelp(groupShortcuts(mode, style.keys), style.search);
  const room = { columns, height, isSpoken };
  return layoutHelp(groups, style, room, isCompactHelp(groups, style, room));
}

const joinText = (parts: readonly Part[]) => parts.map(({ text }) => text).join('');
const textLines = ({ columns }: HelpPage) => columns.flat().map(({ parts }) => joinText(parts).trimEnd());

/** Returns the lines of one entry. */
const linesOf = (page: HelpPage, does: string) => {
  const index = page.entries.findIndex(({ shortcut }) => shortcut.does === does);
  return page.columns.flat().filter(({ entry }) => entry === index);
};

/** Returns the words of an entry after its keys. */
const aboutOf = (page: HelpPage, does: string) =>
  linesOf(page, does)
    .map(({ parts }) => joinText(parts).slice(pressColumns(page)).trim())
    .join(' ');

/** Returns the width of the keys in a page of one column, measured at the description of Ctrl-L. */
const pressColumns = (page: HelpPage) => joinText(linesOf(page, 'redraw')[0]?.parts ?? []).indexOf('Redraw');

test.each(modes.filter(hasGlobalShortcuts))(
  'the help lists the actions of %s first, and each shortcut in one group',
  (mode) => {
    const groups = groupShortcuts(mode, keymap);
    expect(groups[0]?.title).toMatch(/^Here: /);
    expect(groups.at(-1)?.title).toBe('Everywhere');
    const listed = groups.flatMap(({ entries }) => entries.map(({ shortcut }) => shortcut));
    const all = [keymap[mode], keymap.moving, keymap.nouns, keymap.global, keymap.always].flat();
    expect(new Set(listed)).toEqual(new Set(all));
    expect(listed).toHaveLength(all.length);
  },
);

test('names the group of shortcuts that lists or documents share', () => {
  const titles = (mode: Mode) => groupShortcuts(mode, keymap).map(({ title }) => title);
  expect(titles('keys')).toEqual(['Here: Keys', 'Lists', 'Everywhere']);
  expect(titles('value')).toEqual(['Here: Value', 'Documents', 'Everywhere']);
  expect(titles('messages')).toEqual(['Here: Messages', 'Moving', 'Everywhere']);
});

test.each(modes)('shows every shortcut of mode %s in full at any width', (mode) => {
  for (const columns of [40, 80, 116, 196]) {
    const page = openHelp(mode, { columns, situation: readOnly });
    for (const line of page.columns.flat()) {
      expect(measureCharacter(joinText(line.parts))).toBe(page.width);
    }
    expect(page.columns.length * (page.width + page.gap) - page.gap).toBeLessThanOrEqual(columns);
  }
  const page = openHelp(mode, { columns: 60, situation: readOnly, isSpoken: true });
  for (const { about, does, unless } of keymap[mode]) {
    const reason = unless?.(readOnly) ?? false;
    expect(aboutOf(page, does)).toContain(reason === false ? about : `${about} (${reason})`);
  }
});

test.each(modes)(
  'below 92 columns, shows a whole label of mode %s in one line, and one description',
  (mode) => {
    const style = { situation: readOnly, keys: keymap, undoIsOn: true, search: '', note };
    const page = openHelp(mode, { ...style, columns: 38 });
    for (const [index, entry] of page.entries.entries()) {
      const lines = page.columns.flat().filter((line) => line.entry === index);
      const { press, label, helpLabel = label, shortLabel = label, about, unless } = entry.shortcut;
      expect(lines).toHaveLength(1);
      const shown = joinText(lines[0]?.parts ?? []).trimEnd();
      expect(
        [helpLabel, label, shortLabel].map((name) => [formatPress(press[0] ?? ''), name]),
      ).toContainEqual([shown.slice(0, shown.indexOf(' ')), shown.slice(shown.indexOf(' ')).trim()]);
      const described = describeEntry(entry, style, 38).map((parts) => joinText(parts).trim());
      const reason = unless?.(readOnly) ?? false;
      expect(described.join(' ')).toContain(reason === false ? about : `${about} (${reason})`);
      for (const line of described) expect(measureCharacter(line)).toBeLessThanOrEqual(38);
    }
    const spoken = openHelp(mode, { ...style, columns: 38, isSpoken: true });
    expect(textLines(spoken).length).toBeGreaterThan(textLines(page).length);
  },
);

test.each(modes)('shows all keys of mode %s on 120x40', (mode) => {
  const style = { situation: free, keys: keymap, undoIsOn: true, search: '', note };
  const details = longestDescription(groupShortcuts(mode, keymap), style, 116);
  const height = bodyHeight(40) - 1 - details;
  const page = openHelp(mode, { columns: 116, height, isSpoken: false });
  expect(pageLength(page)).toBeLessThanOrEqual(height);
});

test('in one column, shows one line for each key, and descriptions only in the results of a search', () => {
  const page = openHelp('hostnames', { columns: 60, isSpoken: false });
  for (const index of page.entries.keys())
    expect(page.columns.flat().filter(({ entry }) => entry === index)).toHaveLength(1);
  expect(textLines(page).some((line) => /^d +delete$/.test(line))).toBe(true);
  const found = openHelp('hostnames', { columns: 80, isSpoken: false, search: 'certificates' });
  expect(textLines(found).some((line) => /^d +Delete the hostname/.test(line))).toBe(true);
});

test('shows three columns of labels, two of descriptions and three on 180 columns, and one for a screen reader', () => {
  const count = (columns: number, height: number, isSpoken = false) =>
    openHelp('keys', { columns, height, isSpoken }).columns.length;
  const widths = [40, 56, 80, 91, 92, 179, 180, 250];
  expect(widths.map((columns) => count(columns, 30))).toEqual([2, 2, 3, 3, 3, 3, 3, 3]);
  expect(widths.slice(4).map((columns) => count(columns, 90))).toEqual([2, 2, 3, 3]);
  expect(count(250, 30, true)).toBe(1);
});

test.each(modes)('a wide screen shows labels of mode %s if not all descriptions fit', (mode) => {
  for (const columns of [96, 116, 196]) {
    const full = openHelp(mode, { columns, height: 200, isSpoken: false });
    const length = pageLength(full);
    const fits = openHelp(mode, { columns, height: length, isSpoken: false });
    expect(textLines(fits)).toEqual(textLines(full));
    const labels = openHelp(mode, { columns, height: length - 1, isSpoken: false });
    expect(labels.columns.length).toBeGreaterThanOrEqual(Math.min(3, labels.groupStarts.length));
    for (const index of labels.entries.keys())
      expect(labels.columns.flat().filter(({ entry }) => entry === index)).toHaveLength(1);
    expect(pageLength(labels)).toBeLessThanOrEqual(length);
  }
});

test('continues the longest group in a fourth column if a wide screen is too low for three columns', () => {
  const page = openHelp('value', { columns: 116, height: 22, isSpoken: false });
  expect(page.columns.map(([heading]) => joinText(heading?.parts ?? []).split(' ─')[0])).toEqual([
    ...['Here: Value', 'Documents', 'Everywhere', 'Everywhere (more)'],
  ]);
  expect(pageLength(page)).toBeLessThanOrEqual(22);
  expect(page.groupStarts).toHaveLength(3);
  const order = page.columns.flat().flatMap(({ entry }) => (entry === undefined ? [] : [entry]));
  expect(order).toEqual(page.entries.map((_, index) => index));
  expect(openHelp('value', { columns: 80, height: 22, isSpoken: false }).columns.length).toBeLessThan(4);
});

test('uses more columns of labels only if not all lines fit, and cuts no label', () => {
  const count = (mode: Mode, columns: number, height: number) =>
    openHelp(mode, { columns, height, isSpoken: false }).columns.length;
  expect([16, 40, 70].map((height) => count('keys', 80, height))).toEqual([3, 2, 1]);
  // The help for hostnames has a label that is too long for two columns.
  expect(['keys', 'hostnames'].map((mode) => count(mode as Mode, 40, 7))).toEqual([2, 1]);
});

test('shows longer labels where they fit', () => {
  const labels = (columns: number, height: number) =>
    textLines(openHelp('keys', { columns, height, isSpoken: false }));
  const find = (lines: readonly string[], press: string) => lines.find((line) => line.startsWith(press));
  expect(find(labels(80, 16), 'Ctrl-E')).toBe('Ctrl-E  set expiry');
  expect(find(labels(80, 16), 'c ')).toBe('c       copy');
  expect(find(labels(80, 40), 'c ')).toBe('c       copy to a namespace');
  expect(find(labels(40, 7), 'E ')).toBe('E      $EDITOR');
});

test.each(modes.filter(hasGlobalShortcuts))('gives each key of mode %s its own label in help', (mode) => {
  const page = openHelp(mode, { columns: 116, height: 40, isSpoken: false });
  const labels = page.entries.map(({ shortcut: { label, helpLabel = label } }) => helpLabel);
  expect(labels.filter((label, index) => labels.indexOf(label) !== index)).toEqual([]);
});

test('shows all keys of an action on one line', () => {
  for (const columns of [92, 120]) {
    const page = openHelp('keys', { columns, height: 90, isSpoken: false });
    expect(textLines(page).find((line) => line.includes('Show the value'))).toMatch(
      /^Enter, →, l {2,}Show the value/,
    );
  }
});

test('divides the help into columns of groups with the smallest height, and never splits a group', () => {
  const [first, second] = openHelp('keys', { columns: 116, height: 90 }).columns.map((lines) =>
    lines.map(({ parts }) => joinText(parts).trimEnd()).filter((line) => line.includes(' ──')),
  );
  expect(first?.map((line) => line.split(' ─')[0])).toEqual(['Here: Keys', 'Lists']);
  expect(second?.map((line) => line.split(' ─')[0])).toEqual(['Everywhere']);
});

test('shows an unavailable action in the quiet style, with the reason', () => {
  const [line] = linesOf(openHelp('keys', { situation: readOnly }), 'create');
  expect(joinText(line?.parts ?? []).trimEnd()).toMatch(/^n +Write a new key \(This session is read-only\)$/);
  const roles = new Set(line?.parts.filter(({ text }) => text.trim() !== '').map(({ role }) => role));
  expect(roles).toEqual(new Set(['dim']));
});

test('marks destructive actions as undoable or permanent, in words and in color', () => {
  const costOf = (mode: Mode, does: string, options: Options = {}) => {
    const parts = linesOf(openHelp(mode, options), does).flatMap((line) => line.parts);
    const shown = parts.filter(({ text }) => text.trim() !== '');
    return [shown[0]?.role, shown.at(-1)?.text, shown.at(-1)?.role];
  };
  expect(costOf('keys', 'remove')).toEqual(['warning', 'undo with U', 'warning']);
  expect(costOf('keys', 'remove', { undoIsOn: false })).toEqual(['critical', 'permanent', 'critical']);
  expect(costOf('namespaces', 'remove')).toEqual(['critical', 'permanent', 'critical']);
  expect(costOf('keys', 'edit')[0]).toBe('press');
  const keys = parseOwnKeys('undo = "ctrl+u"', 'keys.toml');
  expect(costOf('keys', 'remove', { keys })).toEqual(['warning', 'undo with Ctrl-U', 'warning']);
});

test('finds a shortcut of any group by its key, label or description, and highlights the words', () => {
  const found = (search: string) => openHelp('keys', { search }).entries.map(({ shortcut }) => shortcut.does);
  expect(found('CTRL-C')).toEqual(['interrupt']);
  expect(found('export')).toEqual(['export']);
  expect(found('  namespace   COPY ')).toEqual(['copy-keys']);
  expect(found('no such thing')).toEqual([]);
  const page = openHelp('keys', { search: 'marked export' });
  const marked = page.columns.flat().flatMap(({ parts }) => parts.filter(({ role }) => role === 'found'));
  expect(marked.map(({ text }) => text)).toEqual(['Export', 'marked']);
});

test('shows the label of a shortcut if the search matches only the label', () => {
  const page = openHelp('keys', { search: 'ttl' });
  expect(textLines(page).some((line) => line.includes('ttl: Set the expiry'))).toBe(true);
});

test('keeps the results of a search in one column if they fit', () => {
  expect(openHelp('keys', { columns: 196, search: 'mark' }).columns).toHaveLength(1);
  expect(openHelp('keys', { columns: 196, search: 'mark', height: 4 }).columns.length).toBeGreaterThan(1);
});

test('selects the best match of a search', () => {
  const best = (mode: Mode, search: string) => {
    const { entries } = openHelp(mode, { search });
    return entries[bestEntry(entries, search)]?.shortcut.does;
  };
  expect(best('keys', 'export')).toBe('export');
  expect(best('keys', 'e')).toBe('edit');
  expect(best('keys', 'copy n')).toBe('copy');
  expect(best('hostnames', 'delete')).toBe('remove');
  expect(best('keys', 'quit')).toBe('quit');
  expect(best('keys', '')).toBe('open');
});

test('moves by entries, by groups and by pages, through all columns', () => {
  for (const columns of [40, 116, 196]) {
    const page = openHelp('keys', { columns, height: columns === 116 ? 30 : 90 });
    const last = page.entries.length - 1;
    const walk = (from: number, move: Parameters<typeof moveInHelp>[2]) => {
      const way = [from];
      for (let at = from; ; ) {
        const next = moveInHelp(page, at, move, 10);
        if (next === at) return way;
        way.push(next);
        at = next;
      }
    };
    expect(walk(0, 'down')).toEqual(page.entries.map((_, index) => index));
    expect(walk(last, 'up')).toEqual(page.entries.map((_, index) => last - index));
    expect(walk(0, 'page-down').at(-1)).toBe(last);
    expect(walk(last, 'page-up').at(-1)).toBe(0);
    const [first = 0, second, third] = page.groupStarts;
    expect([first, second, third].map((start = 0) => moveInHelp(page, start, 'next-group', 10))).toEqual([
      second,
      third,
      first,
    ]);
    expect(moveInHelp(page, first, 'previous-group', 10)).toBe(third);
  }
});

test('keeps the selected entry and its heading on the screen', () => {
  const height = 8;
  for (const columns of [40, 116]) {
    const page = openHelp('keys', { columns, height: 90 });
    let top = 0;
    const order = page.entries.map((_, index) => index);
    for (const entry of [...order, ...order.toReversed()]) {
      top = firstHelpLine(page, entry, top, height);
      const column = page.columns.find((lines) => lines.some((line) => line.entry === entry)) ?? [];
      const visible = column.slice(top, top + height);
      const lines = column.filter((line) => line.entry === entry);
      expect(visible.filter((line) => line.entry === entry)).toHaveLength(Math.min(lines.length, height));
    }
    expect(top).toBe(0);
  }
});

test('shows the position, and arrows toward the hidden lines, if not all lines fit', () => {
  const page = openHelp('keys', { columns: 40 });
  const length = pageLength(page);
  const position = (top: number) => joinText(formatPosition(page, top, 8));
  expect(position(0)).toBe(`lines 1-8 of ${length}  ↓`);
  expect(position(3)).toBe(`lines 4-11 of ${length} ↑↓`);
  expect(position(length - 8)).toBe(`lines ${length - 7}-${length} of ${length} ↑ `);
  expect(formatPosition(page, 0, length)).toEqual([]);
});

test('names the file with the user’s own keys in the last line, except during a search', () => {
  expect(textLines(openHelp('keys')).at(-1)).toBe(note);
  expect(textLines(openHelp('keys', { search: 'copy' })).join()).not.toContain(note);
  const style = { situation: free, keys: keymap, undoIsOn: true, search: '', note };
  const last = openHelp('keys', { columns: 40, isSpoken: false }).entries.at(-1);
  expect(last && describeEntry(last, style, 40, true).map(joinText)).toEqual([
    'Ctrl-L: Redraw the screen',
    'Set your own keys in /home/you/.config/',
    'edgectl/keys.toml',
  ]);
});
