import { expect, test } from 'vitest';
import { keymap, keymapRows } from '../../../components/app/keymap.ts';
import { parseOwnKeys } from '../../../components/app/own-keys.ts';
import {
  findShortcut,
  hasGlobalShortcuts,
  listShortcuts,
} from '../../../components/kit/keys/find-shortcut.ts';
import { meaningExceptions, meanings } from '../../../components/kit/keys/meanings.ts';
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

test.each(modes)('assigns no key to two actions in mode %s', (mode) => {
  const rows = mode === 'always' ? keymap.always : [...listShortcuts(mode, keymap), ...keymap.always];
  const presses = rows.flatMap(({ press }) => press);
  expect(presses.filter((press, at) => presses.indexOf(press) !== at)).toEqual([]);
});

const footerParts = (mode: Mode, situation: Situation, columns: number, undoIsOn = true, keys = keymap) =>
  partsOfFooter(mode, situation, columns, { keys, undoIsOn });

/** Modes in which keys type text or answer a question, and the mode of the digits. */
const dialogs = [...textual, 'palette', 'confirm', 'approval', 'menu', 'problem', 'nouns', 'always'];

test('gives a press the same meaning in all panes', () => {
  const rows = modes
    .filter((mode) => !dialogs.includes(mode))
    .flatMap((mode) => keymap[mode].flatMap(({ press, does }) => press.map((one) => [one, does] as const)))
    // Excludes cursor keys with names, which have the same meaning as a letter.
    .filter(
      ([press]) => !['up', 'down', 'left', 'right', 'pageup', 'pagedown', 'home', 'end'].includes(press),
    );
  const actions = [...Map.groupBy(rows, ([press]) => press)].map(
    ([press, all]) => [press, [...new Set(all.map(([, does]): string => does))].sort()] as const,
  );
  const meant = Object.entries(meanings).map(
    ([press, one]) => [press, [...one.actions, ...(meaningExceptions[press]?.actions ?? [])].sort()] as const,
  );
  expect(Object.fromEntries(actions)).toEqual(Object.fromEntries(meant));
});

test('gives each meaning one key, and each action one meaning', () => {
  const all = Object.values(meanings);
  expect(new Set(all.map(({ means }) => means)).size).toBe(all.length);
  // Enter and Esc are exceptions: Enter opens, imports and goes back, as letters also do, and Esc clears before it goes back.
  const letters = Object.entries({ ...meanings, enter: { actions: [] }, esc: { actions: [] } });
  const actions = letters.flatMap(([, one]) => one.actions);
  expect(actions.filter((action, at) => actions.indexOf(action) !== at)).toEqual([]);
  expect(Object.keys(meaningExceptions)).toEqual(['n']);
});

test.each(modes)('describes every shortcut of mode %s in words that fit the footer and the help', (mode) => {
  for (const { press, label, about } of keymap[mode]) {
    expect(press.length).toBeGreaterThan(0);
    expect(label.length).toBeLessThanOrEqual(20);
    expect(about).toMatch(/^\S.*[^.]$/);
  }
});

test.each(modes)('no two actions of mode %s have the same label', (mode) => {
  const actions = new Map(keymap[mode].map(({ label, does }) => [label, does]));
  expect(keymap[mode].filter(({ label, does }) => actions.get(label) !== does)).toEqual([]);
});

test('finds a shortcut by each of its keys', () => {
  expect(findShortcut('keys', 'l', keymap)?.does).toBe('open');
  expect(findShortcut('keys', 'enter', keymap)?.does).toBe('open');
  expect(findShortcut('keys', 'Q', keymap)).toBeUndefined();
});

test('r has the label "reload" in every pane that rereads, and a restart of validation has its own label', () => {
  const reading = panes.flatMap((mode) => keymap[mode].filter(({ does }) => does === 'refresh'));
  expect(reading.length).toBeGreaterThan(5);
  expect(new Set(reading.flatMap(({ press, label }) => [...press, label]))).toEqual(new Set(['r', 'reload']));
  expect(findShortcut('hostnames', 'R', keymap)?.label).toBe('restart validation');
});

test('treats q and ? as text while typing', () => {
  const typed = [
    'filter',
    'prefix',
    'contains',
    'search',
    'form',
    'confirm',
    'approval',
    'menu',
    'problem',
    'help',
  ];
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
    'clear-keys',
  ];
  expect(refused).toEqual(keymap[mode].map(({ does }) => does).filter((does) => writing.includes(does)));
});

test('during a write, refuses changes only to the row that is being written', () => {
  const writing = { ...free, rowWrite: 'deleting' } as const;
  const reason = (mode: Mode, press: string) => findShortcut(mode, press, keymap)?.unless?.(writing) ?? false;
  expect(['d', 'e', 'ctrl+e'].map((press) => reason('keys', press))).toEqual(Array(3).fill('Wait: deleting'));
  expect(['n', 'enter', 'esc', '/', 'r'].map((press) => reason('keys', press))).toEqual(Array(5).fill(false));
  expect(['q', 't', 'Z', 'U'].map((press) => reason('global', press))).toEqual(Array(4).fill(false));
});

const unmarked = { readOnly: false, selected: true, marked: 0 };

/** The footer keys that an operator needs first in each pane; for the document pane, with JSON that has a fixable fault. */
const five: Readonly<Record<string, string>> = {
  home: 'Enter go there  D diagnose  : go to  t target  Z profile  ? more',
  namespaces: 'Enter keys  n new  e rename  d delete  / filter  ? more',
  keys: 'Enter value  n new  e edit  d delete  / filter  ? more',
  value: 'Enter fold  e edit  y copy  / search  Tab view  ? more',
  comparison: 'Tab next  = compare  y copy  r reload  Esc back  ? more',
  differences: 'Enter compare  s filter by side  / filter  y copy name  r reload  ? more',
  import: 'Enter import  r reload  Esc back  : go to  t target  ? more',
  buckets: 'Enter objects  n new  d delete  / filter  y copy name  ? more',
  objects: 'Enter open  u upload  w download  d delete  / filter  ? more',
  sync: 'Ctrl-S carry out  / filter  s filter by step  y copy name  r reload  ? more',
  preview: 'Enter fold  w download  c copy  / search  Tab view  ? more',
  workers: 'Enter worker  C logs  d delete  / filter  y copy name  ? more',
  worker: 'C logs  B roll back  n new secret  e set value  d delete secret  ? more',
  logs: 'Tab next failure  / search  y copy  W wrap  r reconnect  ? more',
  tasks: 'Enter details  R resume  d dismiss  / filter  Ctrl-X dismiss done  ? more',
  task: 'R resume  d dismiss  y copy  Esc back  : go to  ? more',
  hostnames: 'Enter detail  D diagnose  f fix  n new  / filter  ? more',
  hostname: 'D diagnose  f fix  I instructions  e edit  d delete  ? more',
  instructions: 'I hand over  y copy  Tab next record  r reload  Esc back  ? more',
  diagnosis: 'f fix  Tab next fix  y copy  r reload  Esc back  ? more',
  diagnoses: 'Enter diagnosis  s filter by severity  / filter  y copy name  r reload  ? more',
  forecast: 'Enter detail  s filter by result  / filter  y copy name  r reload  ? more',
  records: 'n new  e edit  d delete  X proxied  / filter  ? more',
  plan: 'i apply  Enter detail  s filter by step  / filter  y copy name  ? more',
  messages: 'y copy  Tab next failure  Esc back  : go to  t target  ? more',
  doctor: 'Tab next fault  y copy  r reload  Esc back  : go to  ? more',
  settings: 'Enter change  d reset  / filter  r reload  y copy value  ? more',
  undo: 'Enter restore  d forget  / filter  y copy id  Ctrl-X forget all  ? more',
  audit: 'Enter details  s filter by outcome  / filter  y copy  r reload  ? more',
  'audit-record': 'y copy  Esc back  : go to  t target  Z profile  ? more',
  held: 'Enter details  Ctrl-Y approve  Ctrl-N refuse  Ctrl-R approve matching  ? more',
  'held-request': 'Ctrl-Y approve  Ctrl-N refuse  Ctrl-R approve matching  y copy  Esc back  ? more',
};

test.each(modes.filter(hasGlobalShortcuts))('the footer of %s shows the five most important keys', (mode) => {
  const situation = { ...unmarked, tree: true, fixable: true };
  expect(joinText(footerParts(mode, situation, 80))).toBe(five[mode]);
});

test.each(modes.filter(hasGlobalShortcuts))('never truncates the help key in the footer of %s', (mode) => {
  for (const columns of [40, 80, 120]) {
    for (const marked of [0, 1_234_567]) {
      const text = joinText(footerParts(mode, { ...free, marked }, columns));
      expect(measureCharacter(text)).toBeLessThanOrEqual(columns);
      expect(text).toMatch(/\? more$/);
    }
  }
});

test('the footer shows fewer keys on a small screen', () => {
  expect(joinText(footerParts('keys', unmarked, 40))).toBe('Enter value  n new  e edit  ? more');
});

test('shows the keys for marked rows in the footer while any row is marked', () => {
  const footer = (mode: Mode) => joinText(footerParts(mode, { ...unmarked, marked: 3 }, 80));
  expect(footer('keys')).toBe('d delete 3  Ctrl-E ttl 3  w export 3  c copy 3  A unmark all  ? more');
  expect(footer('objects')).toBe('w download 3  d delete 3  c copy 3  A unmark all  Enter open  ? more');
  expect(footer('hostnames')).toBe('D diagnose 3  e edit 3  d delete 3  R restart 3  w export 3  ? more');
  expect(footer('records')).toBe('d delete 3  A unmark all  n new  e edit  X proxied  ? more');
});

test('shows the user’s own keys in the footer', () => {
  const keys = parseOwnKeys(
    'remove = "~"\nhelp = ["ctrl+p", "?"]\nfilter = "ctrl+f"\npage-down = "pagedown"',
    'keys.toml',
  );
  expect(joinText(footerParts('keys', unmarked, 80, true, keys))).toBe(
    'Enter value  n new  e edit  ~ delete  Ctrl-F filter  Ctrl-P more',
  );
});

test('styles a key in the footer by how much its action can destroy', () => {
  const role = (mode: Mode, key: string, more: Partial<Situation> = {}, undoIsOn = true) =>
    footerParts(mode, { ...unmarked, ...more }, 80, undoIsOn).find(({ text }) => text === key)?.role;
  expect(role('keys', 'e')).toBe('press');
  expect(role('keys', 'd')).toBe('warning');
  expect(role('keys', 'd', { marked: 1 })).toBe('critical');
  expect(role('keys', 'd', {}, false)).toBe('critical');
  expect(role('hostnames', 'd', { marked: 2 })).toBe('critical');
  expect(role('objects', 'd')).toBe('warning');
  expect(role('objects', 'd', { beyondUndo: true })).toBe('critical');
  for (const mode of ['namespaces', 'buckets', 'workers', 'undo'] as const)
    expect(role(mode, 'd')).toBe('critical');
});

test.each(['form', 'choice', 'confirm', 'menu'] as const)(
  'shows how to leave mode %s on the smallest screen',
  (mode) => {
    expect(joinText(footerParts(mode, free, 40))).toContain('Esc cancel');
  },
);

test('shows only usable actions in the footer, most important first', () => {
  const footer = (mode: Mode, more: object) => joinText(footerParts(mode, { ...free, ...more }, 120));
  expect(footer('value', { tree: false })).toBe('e edit  y copy  / search  Tab view  d delete  ? more');
  const preview = { isReading: false, changes: 3 };
  expect(footer('import', { preview: { ...preview, wrong: 0 } })).not.toContain('the others');
  expect(footer('import', { preview: { ...preview, wrong: 1 } })).toContain('Ctrl-O import valid');
});

test('the footer of a form shows only actions that the focused field supports', () => {
  const footer = (more: object, mode: Mode = 'form') =>
    joinText(footerParts(mode, { ...free, ...more }, 120));
  expect(footer({})).toBe('Enter save  Tab next field  Shift-Tab previous  Esc cancel');
  expect(footer({ oneField: true })).toBe('Enter save  Esc cancel');
  expect(footer({ oneField: true, completes: true })).toBe('Enter save  Tab complete  Esc cancel');
  expect(footer({ completes: true, submit: 'copy' })).toMatch(/^Enter copy {2}Tab complete, next field {2}/);
  expect(footer({ oneField: true }, 'choice')).toBe('Enter save  ←→ change  Esc cancel');
});

test('shows the key that continues a search first in the footer', () => {
  const footer = (more: object = {}) => joinText(footerParts('value', { ...unmarked, ...more }, 80));
  expect(footer()).not.toContain('next match');
  expect(footer({ searched: true })).toMatch(/^n next match {2}/);
});

test('offers no action on a task in an empty list of tasks', () => {
  const footer = (some: boolean) =>
    joinText(footerParts('tasks', { ...free, marked: 0, selected: some }, 120));
  expect(footer(true)).toContain('Ctrl-X dismiss done');
  expect(footer(false)).not.toContain('remove done');
});

test('offers f only if there is something that the operator can fix', () => {
  const fix = (mode: Mode, fixable: boolean) =>
    footerParts(mode, { ...unmarked, fixable }, 120).some(({ text }) => text.trim() === 'fix');
  for (const mode of ['hostnames', 'hostname', 'diagnosis'] as const) {
    expect(fix(mode, true)).toBe(true);
    expect(fix(mode, false)).toBe(false);
  }
});

test('offers the actions on a secret only while a secret is selected', () => {
  const footer = (secret: boolean) => joinText(footerParts('worker', { ...unmarked, secret }, 100));
  expect(footer(true)).toContain('e set value  d delete secret');
  expect(footer(false)).toMatch(/^C logs {2}B roll back {2}n new secret {2}\/ filter/);
  expect(footer(false)).not.toMatch(/set value|delete/);
});

test('shows another action in the footer instead of an unavailable action, except while loading', () => {
  const footer = (situation: Situation) => joinText(footerParts('keys', situation, 200));
  expect(footer({ ...readOnly, marked: 0 })).toBe(
    'Enter value  / filter  w export  y copy name  p prefix  ? more',
  );
  expect(footer({ ...unmarked, selected: false, loading: true })).toBe('n new  / filter  ? more');
});

test('docs/keys.md lists each shortcut once per area with its panes, and each shared shortcut once', () => {
  const rows = keymapRows();
  const named = new Set(rows.map(({ action }) => action));
  const actions = modes.flatMap((mode) => keymap[mode].map(({ does }) => does));
  expect(actions.filter((action) => !named.has(action))).toEqual([]);
  expect(rows.filter(({ about }) => about === 'Go to the last loaded line').map(({ area }) => area)).toEqual([
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
