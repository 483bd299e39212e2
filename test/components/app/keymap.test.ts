import { expect, test } from 'vitest';
import { helpLines } from '../../../components/app/Help.tsx';
import { keymap, keymapRows } from '../../../components/app/keymap.ts';
import {
  findShortcut,
  hasGlobalShortcuts,
  listShortcuts,
} from '../../../components/kit/keys/find-shortcut.ts';
import type { Mode } from '../../../components/kit/keys/modes.ts';
import type { Situation } from '../../../components/kit/keys/shortcut.ts';
import { footerParts as partsOfFooter } from '../../../components/ui/frame/Footer.tsx';
import { measureCharacter } from '../../../src/text/width.ts';

const modes = Object.keys(keymap) as Mode[];
const panes = [
  'namespaces',
  'keys',
  'value',
  'buckets',
  'objects',
  'preview',
  'hostnames',
  'hostname',
  'diagnosis',
  'import',
] as const;
const textual = ['filter', 'prefix', 'contains', 'search', 'form', 'choice', 'help'];
const free = { readOnly: false, selected: true, marked: 1 };
const readOnly = { readOnly: true, selected: true, marked: 1 };

function joinText(parts: readonly { text: string }[]): string {
  return parts.map(({ text }) => text).join('');
}

test.each(modes)('has no press with two actions in mode %s', (mode) => {
  const rows = mode === 'always' ? keymap.always : [...listShortcuts(mode, keymap), ...keymap.always];
  const presses = rows.flatMap(({ press }) => press);
  expect(presses.filter((press, at) => presses.indexOf(press) !== at)).toEqual([]);
});

/**
 * Presses with different actions in different panes. Most mean the same to a user (`/` searches, `h` goes back). No press may be
 * added to this list.
 */
const several: Readonly<Record<string, readonly string[]>> = {
  enter: ['fold', 'import', 'open', 'restore'],
  right: ['open', 'restore'],
  l: ['open', 'restore'],
  r: ['refresh', 'resume'],
  n: ['create', 'next-match'],
  '/': ['filter', 'search'],
  e: ['edit', 'rename'],
  left: ['back', 'out'],
  h: ['back', 'out'],
  v: ['mark-range', 'next-view'],
  s: ['download', 'expire', 'import-valid', 'status'],
  c: ['authority', 'copy-keys', 'copy-object', 'copy-record'],
  tab: ['next', 'next-view'],
  D: ['diagnose', 'remove-done'],
};

const footerParts = (mode: Mode, situation: Situation, columns: number) =>
  partsOfFooter(mode, situation, columns, keymap);

test('gives a press the same meaning in all panes', () => {
  const inFront = [
    ...textual,
    'palette',
    'moving',
    'confirm',
    'menu',
    'problem',
    'nouns',
    'global',
    'always',
  ];
  const places = modes.filter((mode) => !inFront.includes(mode));
  const rows = places.flatMap((mode) =>
    keymap[mode].flatMap(({ press, does }) => press.map((one) => [one, does] as const)),
  );
  const meanings = [...Map.groupBy(rows, ([press]) => press)].map(
    ([press, all]) => [press, [...new Set(all.map(([, does]): string => does))].sort()] as const,
  );
  expect(Object.fromEntries(meanings.filter(([, actions]) => actions.length > 1))).toEqual(several);
});

test.each(modes)('describes every shortcut of mode %s in words that fit the footer and the help', (mode) => {
  for (const { press, label, about } of keymap[mode]) {
    expect(press.length).toBeGreaterThan(0);
    expect(label.length).toBeLessThanOrEqual(20);
    expect(about).toMatch(/^\S.*[^.]$/);
  }
});

test.each(modes)('gives no two actions of mode %s the same label', (mode) => {
  const actions = new Map(keymap[mode].map(({ label, does }) => [label, does]));
  expect(keymap[mode].filter(({ label, does }) => actions.get(label) !== does)).toEqual([]);
});

test('finds a shortcut by any of its presses', () => {
  expect(findShortcut('keys', 'l', keymap)?.does).toBe('open');
  expect(findShortcut('keys', 'enter', keymap)?.does).toBe('open');
  expect(findShortcut('keys', 'Q', keymap)).toBeUndefined();
});

test('labels r as reload wherever it rereads, and names a restart of validation as such', () => {
  const reading = panes.flatMap((mode) => keymap[mode].filter(({ does }) => does === 'refresh'));
  expect(reading.length).toBeGreaterThan(5);
  expect(new Set(reading.flatMap(({ press, label }) => [...press, label]))).toEqual(new Set(['r', 'reload']));
  expect(findShortcut('hostnames', 'R', keymap)?.label).toBe('restart validation');
});

test('treats q and ? as text while typing', () => {
  const typed = ['filter', 'prefix', 'contains', 'search', 'form', 'confirm', 'menu', 'problem', 'help'];
  expect(modes.filter(hasGlobalShortcuts).filter((mode) => typed.includes(mode))).toEqual([]);
  expect(panes.every(hasGlobalShortcuts)).toBe(true);
});

test.each(panes)('refuses every write of %s in a read-only session', (mode) => {
  const refused = keymap[mode].filter(({ unless }) => unless?.(readOnly)).map(({ does }) => does);
  const writing = [
    'create',
    'rename',
    'remove',
    'edit',
    'edit-outside',
    'roll-back',
    'expire',
    'upload',
    'copy-object',
    'copy-keys',
    'import',
    'import-valid',
    'fix',
    'revalidate',
    'authority',
    'zone-settings',
  ];
  expect(refused).toEqual(keymap[mode].map(({ does }) => does).filter((does) => writing.includes(does)));
});

test('during a write, refuses only changes of the row that it changes', () => {
  const writing = { ...free, rowWrite: 'deleting' } as const;
  const reason = (mode: Mode, press: string) => findShortcut(mode, press, keymap)?.unless?.(writing) ?? false;
  expect(['d', 'e', 's'].map((press) => reason('keys', press))).toEqual(Array(3).fill('Wait: deleting'));
  expect(['n', 'enter', 'esc', '/', 'r'].map((press) => reason('keys', press))).toEqual(Array(5).fill(false));
  expect(['q', 't', 'Z', 'U'].map((press) => reason('global', press))).toEqual(Array(4).fill(false));
});

test.each([40, 80, 120])('fits the footer into %i columns and keeps help and quit', (columns) => {
  for (const mode of panes) {
    const text = joinText(footerParts(mode, free, columns));
    expect(text.length).toBeLessThanOrEqual(columns);
    expect(text).toContain('? help');
    expect(text).toContain('q quit');
  }
});

test.each(['form', 'choice', 'confirm', 'menu'] as const)(
  'shows how to leave mode %s on the smallest screen',
  (mode) => {
    expect(joinText(footerParts(mode, free, 40))).toContain('Esc cancel');
  },
);

test('shows upload and download in the footer of objects on a small screen', () => {
  expect(joinText(footerParts('objects', { ...free, marked: 0 }, 80))).toMatch(/u upload {2}s download/);
});

test('shows in the footer only useful actions, the most important first', () => {
  const footer = (mode: Mode, more: object) => joinText(footerParts(mode, { ...free, ...more }, 120));
  expect(footer('value', { tree: false })).toMatch(/\/ search .* y copy {2}W wrap/);
  expect(footer('value', { tree: false })).not.toContain('fold');
  expect(footer('preview', { tree: true })).toMatch(/Enter fold .* W wrap/);
  const preview = { isReading: false, changes: 3 };
  expect(footer('import', { preview: { ...preview, wrong: 0 } })).not.toContain('the others');
  expect(footer('import', { preview: { ...preview, wrong: 1 } })).toContain('s import the others');
});

test('shows in the footer of a form only actions that its fields support', () => {
  const footer = (more: object, mode: Mode = 'form') =>
    joinText(footerParts(mode, { ...free, ...more }, 120));
  expect(footer({})).toBe('Enter save  Tab next field  Shift-Tab previous  Esc cancel');
  expect(footer({ oneField: true })).toBe('Enter save  Esc cancel');
  expect(footer({ oneField: true, completes: true })).toBe('Enter save  Tab complete  Esc cancel');
  expect(footer({ completes: true, submit: 'copy' })).toMatch(/^Enter copy {2}Tab complete, next field {2}/);
  expect(footer({ oneField: true }, 'choice')).toBe('Enter save  ↑↓ choose  Esc cancel');
});

test('shows on a small screen how to write, change and delete a key, and how to continue a search', () => {
  const footer = (mode: Mode, more: object = {}) =>
    joinText(footerParts(mode, { ...free, marked: 0, ...more }, 80));
  expect(footer('keys')).toMatch(/^Enter value {2}n new {2}e edit {2}d delete {2}Esc back {2}\/ filter {2}/);
  expect(footer('objects')).toContain('d delete');
  expect(footer('value')).not.toContain('next match');
  expect(footer('value', { searched: true })).toMatch(/^n next match {2}/);
});

test('offers no action on a task in an empty list of tasks', () => {
  const footer = (some: boolean) =>
    joinText(footerParts('tasks', { ...free, marked: 0, selected: some }, 120));
  expect(footer(true)).toContain('D remove done');
  expect(footer(false)).not.toContain('D remove done');
});

test('offers f only if the operator may fix something', () => {
  const fix = (mode: Mode, fixable: boolean) =>
    footerParts(mode, { ...free, marked: 0, fixable }, 120).find(({ text }) => text.trim() === 'fix')?.role;
  for (const mode of ['hostnames', 'hostname', 'diagnosis'] as const) expect(fix(mode, true)).toBe('plain');
  expect(fix('hostnames', false)).toBeUndefined();
  expect(fix('diagnosis', false)).toBe('dim');
});

// Issue "One truth", item 17.
test('offers to load more only while the list is incomplete', () => {
  const footer = (complete: boolean) => joinText(footerParts('keys', { ...free, marked: 0, complete }, 300));
  expect(footer(false)).toMatch(/m more {2}L load all/);
  expect(footer(true)).not.toMatch(/m more|load all/);
});

test('dims unavailable actions in the footer if there is room, and shows the reasons in the help', () => {
  const roleOf = (situation: typeof free, columns: number) =>
    footerParts('keys', situation, columns).find(({ text }) => text.trim() === 'new')?.role;
  expect([roleOf(readOnly, 200), roleOf(free, 200)]).toEqual(['dim', 'plain']);
  expect(joinText(footerParts('keys', readOnly, 40))).not.toContain('n new');
  expect(joinText(footerParts('keys', { ...readOnly, loading: true }, 200))).not.toContain('new');
  const help = helpLines('keys', readOnly, 'write a new', 80, keymap).map(joinText);
  expect(help).toEqual([`${'n'.padEnd(16)} Write a new key (This session is read-only)`]);
});

test.each(modes)('shows the full description of every shortcut of mode %s on a narrow screen', (mode) => {
  const lines = helpLines(mode, readOnly, '', 40, keymap).map(joinText);
  for (const line of lines) expect(measureCharacter(line)).toBeLessThanOrEqual(40);
  const text = lines.map((line) => line.slice(17)).join(' ');
  for (const { about, unless } of keymap[mode]) {
    const reason = unless?.(readOnly) ?? false;
    expect(text).toContain(reason === false ? about : `${about} (${reason})`);
  }
});

test('searches the help by presses and words', () => {
  expect(helpLines('keys', free, 'CTRL-C', 80, keymap).map(joinText).join()).toContain('Leave immediately');
  expect(helpLines('keys', free, 'no such thing', 80, keymap)).toEqual([]);
});

test('lists each shortcut in docs/keys.md once per area with its panes, and shared ones once', () => {
  const rows = keymapRows();
  const named = new Set(rows.map(({ action }) => action));
  const actions = modes.flatMap((mode) => keymap[mode].map(({ does }) => does));
  expect(actions.filter((action) => !named.has(action))).toEqual([]);
  expect(rows.filter(({ about }) => about === 'To the last loaded line').map(({ area }) => area)).toEqual([
    'Lists and documents',
  ]);
  expect(rows).toContainEqual({
    area: 'Key-value',
    panes: ['Keys'],
    presses: ['n'],
    about: 'Write a new key',
    action: 'create',
  });
  expect(rows).toContainEqual({
    area: 'Everywhere',
    panes: ['Everywhere'],
    presses: ['Ctrl-C'],
    about: 'Leave immediately (exit code 130)',
    action: 'interrupt',
  });
});
