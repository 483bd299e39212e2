import type { Actions, Mode } from '../kit/keys/actions.ts';
import { movement, writing } from '../kit/keys/conditions.ts';
import { doctorKeymap } from '../doctor/keymap.ts';
import { homeKeymap } from '../home/keymap.ts';
import {
  diagnosesKeymap,
  diagnosisKeymap,
  forecastKeymap,
  hostnameKeymap,
  hostnamesKeymap,
  planKeymap,
} from '../hostnames/keymap.ts';
import { importKeymap } from '../kv/import-keymap.ts';
import { keysKeymap, namespacesKeymap, valueKeymap } from '../kv/keymap.ts';
import { messagesKeymap } from '../messages/keymap.ts';
import { movingKeymap, nounsKeymap } from './moving.ts';
import { bucketsKeymap, objectsKeymap, previewKeymap } from '../objects/keymap.ts';
import { paletteKeymap } from '../palette/keymap.ts';
import { showPress } from '../kit/keys/presses.ts';
import type { Shortcut, Situation } from '../kit/keys/shortcut.ts';
import { taskKeymap, tasksKeymap } from '../tasks/keymap.ts';
import { comparisonKeymap, differencesKeymap } from '../comparison/keymap.ts';
import { instructionsKeymap } from '../hostnames/instructions/keymap.ts';
import { modeTitles } from '../kit/keys/modes.ts';
import { undoKeymap } from '../undo/keymap.ts';
import { logsKeymap, workerKeymap, workersKeymap } from '../workers/keymap.ts';
import { recordsKeymap } from '../zones/keymap.ts';

/** The shortcuts of each mode. */
export type Keymap = { readonly [M in Mode]: ReadonlyArray<Shortcut<Actions[M]>> };

/** Enter comes first in the footer of every form. */
const submitLabel = ({ submit = 'save' }: Situation) => submit;

const isAlone = ({ oneField }: Situation) => oneField === true;

function completeLabel({ completes, oneField }: Situation): string | undefined {
  if (completes !== true) return undefined;
  return oneField === true ? 'complete' : 'complete, next field';
}

/** Every shortcut of the console. Footer, help overlay and docs/keys.md are made from it, and the reader's own keys. */
export const keymap: Keymap = {
  home: homeKeymap,
  namespaces: namespacesKeymap,
  keys: keysKeymap,
  value: valueKeymap,
  comparison: comparisonKeymap,
  differences: differencesKeymap,
  import: importKeymap,
  buckets: bucketsKeymap,
  objects: objectsKeymap,
  preview: previewKeymap,
  workers: workersKeymap,
  worker: workerKeymap,
  logs: logsKeymap,
  tasks: tasksKeymap,
  task: taskKeymap,
  hostnames: hostnamesKeymap,
  hostname: hostnameKeymap,
  instructions: instructionsKeymap,
  diagnosis: diagnosisKeymap,
  diagnoses: diagnosesKeymap,
  forecast: forecastKeymap,
  records: recordsKeymap,
  plan: planKeymap,
  messages: messagesKeymap,
  doctor: doctorKeymap,
  undo: undoKeymap,
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
      label: 'ask the server',
      about: 'List only what begins so; all, where nothing is typed',
      does: 'apply',
    },
    { press: ['esc'], label: 'cancel', about: 'Leave the list as it is', does: 'clear' },
  ],
  contains: [
    {
      press: ['enter'],
      label: 'ask the server',
      about: 'List only what contains it; all, where nothing is typed',
      does: 'apply',
    },
    { press: ['esc'], label: 'cancel', about: 'Leave the list as it is', does: 'clear' },
  ],
  search: [
    { press: ['enter'], label: 'find', about: 'To the first match', does: 'apply' },
    { press: ['esc'], label: 'cancel', about: 'Close the search', does: 'clear' },
  ],
  form: [
    {
      press: ['enter'],
      label: 'save',
      labelIn: submitLabel,
      about: 'Save, from any field; one that is expected and empty comes first',
      does: 'save',
    },
    {
      press: ['tab'],
      label: 'next field',
      labelIn: completeLabel,
      about: 'Complete the name or path that is begun; else to the next field',
      does: 'complete',
      quietIn: (situation) => isAlone(situation) && situation.completes !== true,
    },
    { press: ['down'], label: 'next', about: 'To the next field', does: 'next', quiet: true },
    {
      press: ['shift+tab', 'up'],
      label: 'previous',
      about: 'To the field before',
      does: 'previous',
      quietIn: isAlone,
    },
    {
      press: ['ctrl+j', 'alt+enter'],
      label: 'new line',
      about: 'Begin a new line, where a field may have several',
      does: 'line',
      quiet: true,
    },
    { press: ['esc'], label: 'cancel', about: 'Close the form and save nothing', does: 'cancel' },
  ],
  choice: [
    {
      press: ['enter'],
      label: 'save',
      labelIn: submitLabel,
      about: 'Save, from any field; one that is expected and empty comes first',
      does: 'save',
    },
    {
      press: ['up', 'down'],
      label: 'choose',
      about: 'Another value; its first letters choose it as well',
      does: 'choose',
      isPair: true,
    },
    { press: ['tab'], label: 'next field', about: 'To the next field', does: 'next', quietIn: isAlone },
    {
      press: ['shift+tab'],
      label: 'previous',
      about: 'To the field before',
      does: 'previous',
      quietIn: isAlone,
    },
    { press: ['esc'], label: 'cancel', about: 'Close the form and save nothing', does: 'cancel' },
  ],
  confirm: [
    { press: ['y'], label: 'yes', about: 'Do it', does: 'yes' },
    { press: ['n'], label: 'no', about: 'Change nothing', does: 'cancel' },
    { press: ['up', 'down'], label: 'choose', about: 'Between No and Yes', does: 'choose', quiet: true },
    { press: ['enter'], label: 'answer', about: 'Answer what is marked; No at first', does: 'answer' },
    { press: ['esc'], label: 'cancel', about: 'Change nothing', does: 'cancel' },
  ],
  menu: [
    {
      press: ['up', 'down', 'j', 'k'],
      label: 'choose',
      about: 'Another entry',
      does: 'choose',
      isPair: true,
    },
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
    { press: ['enter'], label: 'do it', about: 'Do what the line says', does: 'run' },
    { press: ['up'], label: 'up', about: 'One line up', does: 'up', quiet: true },
    { press: ['down'], label: 'down', about: 'One line down', does: 'down', quiet: true },
    { press: ['pageup'], label: 'page up', about: 'One page up', does: 'page-up', quiet: true },
    { press: ['pagedown'], label: 'page down', about: 'One page down', does: 'page-down', quiet: true },
  ],
  palette: paletteKeymap,
  moving: movingKeymap,
  nouns: nounsKeymap,
  global: [
    {
      press: ['t'],
      label: 'target',
      about: 'Switch between production, preview and local',
      does: 'target',
      unless: writing,
    },
    {
      press: ['Z'],
      label: 'profile',
      about: 'Act as another profile, or in another account or zone',
      does: 'acting',
      unless: writing,
    },
    {
      press: ['U'],
      label: 'undo',
      about: 'Put back the last thing that was deleted or replaced, or choose among all that is kept',
      does: 'undo',
      unless: writing,
      quiet: true,
    },
    {
      press: ['Y'],
      label: 'as command',
      about: 'Copy what can be done here as a command line, or as a request of curl',
      does: 'equivalents',
      quiet: true,
    },
    {
      press: ['M'],
      label: 'messages',
      about: 'What was told since the console was opened, with times and ids of requests',
      does: 'messages',
      quiet: true,
    },
    {
      press: ['!'],
      label: 'doctor',
      about:
        'Look at all that the console needs: credentials, platform, permissions, clock, folders, terminal',
      does: 'doctor',
      quiet: true,
    },
    {
      press: ['|'],
      label: 'preview',
      about: 'Show or hide what is selected beside the list, on a wide screen',
      does: 'preview',
      quiet: true,
    },
    {
      press: ['&'],
      label: 'mouse',
      about: 'Take clicks, the wheel and drags of the divider, or leave the mouse to the terminal',
      does: 'mouse',
      quiet: true,
    },
    { press: ['?'], label: 'help', about: 'Show all shortcuts', does: 'help' },
    { press: ['q'], label: 'quit', about: 'Leave the console (exit code 0)', does: 'quit', unless: writing },
  ],
  always: [
    { press: ['ctrl+c'], label: 'interrupt', about: 'Leave at once (exit code 130)', does: 'interrupt' },
    { press: ['ctrl+z'], label: 'suspend', about: 'Suspend to the shell; fg comes back', does: 'suspend' },
    { press: ['ctrl+l'], label: 'redraw', about: 'Draw the whole screen anew', does: 'redraw' },
  ],
};

/** One row of the table of the console's keys in docs/keys.md. */
export interface KeymapRow {
  readonly pane: string;
  /** `Enter`, `→`, `l`. */
  readonly presses: readonly string[];
  readonly about: string;
  /** The action's name in keys.toml. */
  readonly action: string;
}

/** The console's keys, pane by pane, for docs/keys.md; how all lists and texts are moved through comes once, first. */
export function keymapRows(): KeymapRow[] {
  const moves: ReadonlySet<Shortcut<string>> = new Set(movement);
  const rows = (pane: string, shortcuts: ReadonlyArray<Shortcut<string>>): KeymapRow[] =>
    shortcuts.map(({ press, about, does }) => ({ pane, presses: press.map(showPress), about, action: does }));
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
