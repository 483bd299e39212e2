import { nouns } from '../console/nouns.ts';
import type { Actions, KeysAction, Mode, NamespacesAction, ValueAction } from './actions.ts';
import { listed, movement, selected, titled, writes, writesSelected, writing } from './conditions.ts';
import { diagnosisKeymap, hostnameKeymap, hostnamesKeymap } from './hostnames.ts';
import { importKeymap } from './import.ts';
import { chosen, marking, withCount, writesChosen } from './marks.ts';
import { bucketsKeymap, objectsKeymap, previewKeymap } from './objects.ts';
import { showPress } from './presses.ts';
import type { Shortcut } from './shortcut.ts';
import { taskKeymap, tasksKeymap } from './tasks.ts';
import { workerKeymap, workersKeymap } from './workers.ts';

const modeTitles: Readonly<Record<Mode, string>> = {
  namespaces: 'Namespaces',
  keys: 'Keys',
  value: 'Value',
  import: 'Import',
  buckets: 'Buckets',
  objects: 'Objects',
  preview: 'Preview',
  workers: 'Workers',
  worker: 'Worker',
  tasks: 'Tasks',
  task: 'Task',
  hostnames: 'Hostnames',
  hostname: 'Hostname',
  diagnosis: 'Diagnosis',
  filter: 'Filter',
  prefix: 'Filter and prefix',
  contains: 'Filter and search',
  search: 'Search',
  form: 'Form',
  confirm: 'Confirmation',
  menu: 'Menu',
  problem: 'Problem',
  help: 'Help',
  nouns: 'Every list',
  global: 'Every pane',
  always: 'Everywhere',
};

const namespaces: ReadonlyArray<Shortcut<NamespacesAction>> = [
  { press: ['enter', 'right', 'l'], label: 'keys', about: 'List its keys', does: 'open', unless: selected },
  { press: ['n'], label: 'new', about: 'Create a namespace', does: 'create', unless: listed },
  {
    press: ['/'],
    label: 'filter',
    about: 'Show only titles and ids that contain a text',
    does: 'filter',
  },
  { press: ['r'], label: 'refresh', about: 'List again, with the selection kept', does: 'refresh' },
  { press: ['e'], label: 'rename', about: 'Change its title', does: 'rename', unless: titled },
  {
    press: ['d'],
    label: 'delete',
    about: 'Delete it with all its keys; asks for its title',
    does: 'remove',
    unless: writesSelected,
  },
  { press: ['y'], label: 'copy id', about: 'Copy its id', does: 'copy', unless: selected },
  { press: ['esc'], label: 'back', about: 'Clear the filter', does: 'back', quiet: true },
  ...movement,
];

const keys: ReadonlyArray<Shortcut<KeysAction>> = [
  { press: ['enter', 'right', 'l'], label: 'value', about: 'Show its value', does: 'open', unless: selected },
  {
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Clear the filter, then the marks, then to the namespaces',
    does: 'back',
    unless: writing,
  },
  {
    press: ['/'],
    label: 'filter',
    about: 'Show loaded keys that contain a text; Enter asks the platform for that prefix',
    does: 'filter',
  },
  ...marking,
  { press: ['n'], label: 'new', about: 'Write a new key', does: 'create', unless: writes },
  {
    press: ['e'],
    label: 'edit',
    about: 'Change its value (when it is one line), time to live and metadata',
    does: 'edit',
    unless: writesSelected,
  },
  {
    press: ['d'],
    label: 'delete',
    labelIn: withCount('delete'),
    about: 'Delete it, or the marked ones',
    does: 'remove',
    unless: writesChosen,
  },
  {
    press: ['s'],
    label: 'ttl',
    about: 'Set when it expires, or the marked ones',
    does: 'expire',
    unless: writesChosen,
  },
  {
    press: ['w'],
    label: 'export',
    about: 'Write it, or the marked ones, into a file with metadata and expiry',
    does: 'export',
    unless: chosen,
  },
  {
    press: ['c'],
    label: 'copy',
    about: 'Copy it, or the marked ones, to another namespace, here or elsewhere',
    does: 'copy-keys',
    unless: writesChosen,
  },
  {
    press: ['i'],
    label: 'import',
    about: 'Import a file of entries; shows first what it would change',
    does: 'import',
    unless: writes,
  },
  {
    press: ['E'],
    label: '$EDITOR',
    about: 'Change its value in $EDITOR',
    does: 'edit-outside',
    unless: writesSelected,
  },
  { press: ['r'], label: 'refresh', about: 'List again, with the selection kept', does: 'refresh' },
  { press: ['m'], label: 'more', about: 'Load one more page', does: 'more' },
  { press: ['y'], label: 'copy name', about: 'Copy its name', does: 'copy', unless: selected },
  ...movement,
];

const value: ReadonlyArray<Shortcut<ValueAction>> = [
  { press: ['esc', 'left', 'h'], label: 'back', about: 'Back to the keys', does: 'back', unless: writing },
  { press: ['tab', 'v'], label: 'view', about: 'The next view of the value', does: 'next-view' },
  { press: ['1'], label: 'text', about: 'As text', does: 'text', quiet: true },
  { press: ['2'], label: 'json', about: 'As JSON, indented', does: 'json', quiet: true },
  { press: ['3'], label: 'hex', about: 'As bytes', does: 'hex', quiet: true },
  { press: ['4'], label: 'metadata', about: 'Metadata, expiry and size', does: 'metadata', quiet: true },
  {
    press: ['e'],
    label: 'edit',
    about: 'Change the value (when it is one line), time to live and metadata',
    does: 'edit',
    unless: writesSelected,
  },
  {
    press: ['E'],
    label: '$EDITOR',
    about: 'Change the value in $EDITOR',
    does: 'edit-outside',
    unless: writesSelected,
  },
  { press: ['s'], label: 'ttl', about: 'Set when the key expires', does: 'expire', unless: writesSelected },
  { press: ['d'], label: 'delete', about: 'Delete the key', does: 'remove', unless: writesSelected },
  { press: ['/'], label: 'search', about: 'Find a text in the value', does: 'search', unless: selected },
  {
    press: ['n'],
    label: 'next match',
    about: 'To the next match of the search',
    does: 'next-match',
    unless: selected,
    quiet: true,
  },
  { press: ['y'], label: 'copy', about: 'Copy the value', does: 'copy', unless: selected },
  { press: ['Y'], label: 'copy name', about: 'Copy the name of the key', does: 'copy-name', quiet: true },
  { press: ['r'], label: 'refresh', about: 'Read the value again', does: 'refresh' },
  ...movement,
];

/** Every shortcut of the console. Footer, help overlay and docs/keys.md are made from it. */
export const keymap: { readonly [M in Mode]: ReadonlyArray<Shortcut<Actions[M]>> } = {
  namespaces,
  keys,
  value,
  import: importKeymap,
  buckets: bucketsKeymap,
  objects: objectsKeymap,
  preview: previewKeymap,
  workers: workersKeymap,
  worker: workerKeymap,
  tasks: tasksKeymap,
  task: taskKeymap,
  hostnames: hostnamesKeymap,
  hostname: hostnameKeymap,
  diagnosis: diagnosisKeymap,
  filter: [
    {
      press: ['enter', 'down', 'tab'],
      label: 'keep',
      about: 'Keep the filter and go to the list',
      does: 'keep',
    },
    { press: ['esc'], label: 'clear', about: 'Clear the filter', does: 'clear' },
  ],
  prefix: [
    {
      press: ['enter'],
      label: 'prefix on the server',
      about: 'Ask the platform for this prefix',
      does: 'apply',
    },
    { press: ['down', 'tab'], label: 'keep', about: 'Keep the filter and go to the list', does: 'keep' },
    { press: ['esc'], label: 'clear', about: 'Clear the filter', does: 'clear' },
  ],
  contains: [
    { press: ['enter'], label: 'ask the server', about: 'Ask the platform for these', does: 'apply' },
    { press: ['down', 'tab'], label: 'keep', about: 'Keep the filter and go to the list', does: 'keep' },
    { press: ['esc'], label: 'clear', about: 'Clear the filter', does: 'clear' },
  ],
  search: [
    { press: ['enter'], label: 'find', about: 'To the first match', does: 'apply' },
    { press: ['esc'], label: 'cancel', about: 'Close the search', does: 'clear' },
  ],
  form: [
    {
      press: ['enter'],
      label: 'save',
      labelIn: ({ submit }) => submit,
      about: 'Save, from any field',
      does: 'save',
    },
    { press: ['tab', 'down'], label: 'next field', about: 'To the next field', does: 'next' },
    { press: ['shift+tab', 'up'], label: 'previous', about: 'To the field before', does: 'previous' },
    { press: ['esc'], label: 'cancel', about: 'Close the form and save nothing', does: 'cancel' },
  ],
  confirm: [
    { press: ['up', 'down', 'j', 'k'], label: 'choose', about: 'Between No and Yes', does: 'choose' },
    { press: ['enter'], label: 'answer', about: 'Answer what is marked; No at first', does: 'answer' },
    { press: ['esc'], label: 'cancel', about: 'Change nothing', does: 'cancel' },
  ],
  menu: [
    { press: ['up', 'down', 'j', 'k'], label: 'choose', about: 'Another entry', does: 'choose' },
    { press: ['enter'], label: 'take', about: 'Take the marked entry', does: 'answer' },
    { press: ['esc'], label: 'cancel', about: 'Close the menu', does: 'cancel' },
  ],
  problem: [
    { press: ['r'], label: 'retry', about: 'Do again what failed', does: 'retry' },
    { press: ['y'], label: 'copy', about: 'Copy the message', does: 'copy' },
    { press: ['esc'], label: 'dismiss', about: 'Close the message', does: 'dismiss' },
  ],
  help: [
    {
      press: ['esc', '?'],
      label: 'close',
      about: 'Close the help; other characters search it',
      does: 'close',
    },
    { press: ['up'], label: 'up', about: 'One line up', does: 'up', quiet: true },
    { press: ['down'], label: 'down', about: 'One line down', does: 'down', quiet: true },
    { press: ['pageup'], label: 'page up', about: 'One page up', does: 'page-up', quiet: true },
    { press: ['pagedown'], label: 'page down', about: 'One page down', does: 'page-down', quiet: true },
  ],
  nouns: nouns.map(({ name, press, label }) => ({
    press: [press],
    label: label.toLowerCase(),
    about: `Go to the ${label.toLowerCase()}`,
    does: name,
    unless: writing,
    quiet: true,
  })),
  global: [
    {
      press: ['t'],
      label: 'target',
      about: 'Switch between production, preview and local',
      does: 'target',
      unless: writing,
    },
    { press: ['?'], label: 'help', about: 'Show all shortcuts', does: 'help' },
    { press: ['q'], label: 'quit', about: 'Leave the console (exit code 0)', does: 'quit', unless: writing },
  ],
  always: [
    { press: ['ctrl+c'], label: 'interrupt', about: 'Leave at once (exit code 130)', does: 'interrupt' },
    { press: ['ctrl+z'], label: 'suspend', about: 'Suspend to the shell; fg comes back', does: 'suspend' },
  ],
};

/** One row of the table of the console's keys in docs/keys.md. */
export interface KeymapRow {
  readonly pane: string;
  /** `Enter`, `→`, `l`. */
  readonly presses: readonly string[];
  readonly about: string;
}

/** The console's keys, pane by pane, for docs/keys.md; how all lists and texts are moved through comes once, first. */
export function keymapRows(): KeymapRow[] {
  const moves: ReadonlySet<Shortcut<string>> = new Set(movement);
  const rows = (pane: string, shortcuts: ReadonlyArray<Shortcut<string>>): KeymapRow[] =>
    shortcuts.map(({ press, about }) => ({ pane, presses: press.map(showPress), about }));
  const modes = Object.keys(keymap) as Mode[];
  const own = (mode: Mode) => keymap[mode].filter((shortcut) => !moves.has(shortcut));
  return [
    ...rows('Every list and text', movement),
    ...modes.flatMap((mode) => rows(modeTitles[mode], own(mode))),
  ];
}

/** The heading of a mode in the help overlay. */
export function modeTitle(mode: Mode): string {
  return modeTitles[mode];
}
