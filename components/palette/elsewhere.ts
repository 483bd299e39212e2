import { capitalize } from '../../src/model/sentence.ts';
import type { Mode } from '../kit/keys/modes.ts';
import { modeTitles } from '../kit/keys/modes.ts';
import { formatPress } from '../kit/keys/presses.ts';
import type { Keymap, Shortcut } from '../kit/keys/shortcut.ts';
import { type NounName, nouns, unavailableReason } from '../kit/nouns.ts';
import type { OpenPane, OpenPanes } from '../kit/open-pane.ts';
import { pressFor } from '../ui/input/use-shortcuts.ts';
import { actionId, elsewhereEntry, type PaletteEntry } from './entries.ts';
import { genericActions } from './place-actions.ts';

/** The way to a pane that is not the list of an area. */
interface Way {
  /** The previous pane, and its action that opens this pane. */
  readonly from: Mode;
  readonly does: string;
  /** The row to select first, in the previous pane; undefined if no row is needed. */
  readonly row?: string;
}

/** A pane with actions. */
interface View {
  readonly mode: Mode & OpenPane['pane'];
  readonly area: NounName;
  readonly way?: Way;
  /** A link that opens the pane without a selection. */
  readonly link?: string;
  /** The name of a row with its article, if the pane is a list: `a key`. */
  readonly row?: string;
  /** Another pane with the same actions. The palette lists each of these actions only once. */
  readonly like?: Mode;
}

/** The panes with actions, in the order of the areas. Home is omitted, because its actions are actions on hostnames. */
const views: readonly View[] = [
  { mode: 'namespaces', area: 'namespaces', row: 'a namespace' },
  {
    mode: 'keys',
    area: 'namespaces',
    way: { from: 'namespaces', does: 'open', row: 'a namespace' },
    row: 'a key',
  },
  { mode: 'value', area: 'namespaces', way: { from: 'keys', does: 'open', row: 'a key' }, like: 'keys' },
  {
    mode: 'differences',
    area: 'namespaces',
    way: { from: 'namespaces', does: 'compare', row: 'a namespace' },
    row: 'a key',
  },
  { mode: 'buckets', area: 'buckets', row: 'a bucket' },
  {
    mode: 'objects',
    area: 'buckets',
    way: { from: 'buckets', does: 'open', row: 'a bucket' },
    row: 'an object',
  },
  {
    mode: 'preview',
    area: 'buckets',
    way: { from: 'objects', does: 'open', row: 'an object' },
    like: 'objects',
  },
  { mode: 'hostnames', area: 'hostnames', row: 'a hostname' },
  {
    mode: 'hostname',
    area: 'hostnames',
    way: { from: 'hostnames', does: 'open', row: 'a hostname' },
    like: 'hostnames',
  },
  {
    mode: 'diagnosis',
    area: 'hostnames',
    way: { from: 'hostnames', does: 'diagnose', row: 'a hostname' },
    like: 'hostnames',
  },
  {
    mode: 'instructions',
    area: 'hostnames',
    way: { from: 'hostnames', does: 'instructions', row: 'a hostname' },
  },
  {
    mode: 'forecast',
    area: 'hostnames',
    link: 'hostnames/forecast',
    way: { from: 'hostnames', does: 'timeline' },
    row: 'a hostname',
  },
  {
    mode: 'records',
    area: 'hostnames',
    link: 'hostnames/records',
    way: { from: 'hostnames', does: 'records' },
    row: 'a record',
  },
  { mode: 'workers', area: 'workers', row: 'a worker' },
  { mode: 'worker', area: 'workers', way: { from: 'workers', does: 'open', row: 'a worker' }, row: 'a line' },
  { mode: 'tasks', area: 'tasks', row: 'a task' },
  { mode: 'home', area: 'home', row: 'a hostname', like: 'hostnames' },
  { mode: 'task', area: 'tasks', way: { from: 'tasks', does: 'open', row: 'a task' }, like: 'tasks' },
  { mode: 'undo', area: 'home', link: 'undo', row: 'an entry' },
  { mode: 'audit', area: 'home', link: 'audit', row: 'a record' },
  { mode: 'held', area: 'home', link: 'held', row: 'a request' },
];

/** The pane on the screen and the panes below it in the stack. */
interface Present {
  readonly mode: Mode;
  readonly openPanes: readonly OpenPane[];
  readonly keys: Keymap;
  /** Returns whether an area exists. */
  has(name: NounName): boolean;
}

/** Returns the actions of panes that are not on the screen. An action that several panes share (`like`) is listed once. */
export function actionsElsewhere(present: Present): readonly PaletteEntry[] {
  const { mode, keys } = present;
  const own = views.find((view) => view.mode === mode);
  const listed = new Set(keys[mode].map((shortcut) => actionKey(own?.like ?? mode, shortcut)));
  return views.flatMap((view) =>
    shortcutsIn(view.mode, keys).flatMap((shortcut): PaletteEntry[] => {
      const key = actionKey(view.like ?? view.mode, shortcut);
      if (genericActions.has(shortcut.does) || listed.has(key)) return [];
      listed.add(key);
      return actionEntry(view, shortcut, present);
    }),
  );
}

function shortcutsIn(mode: Mode, keys: Keymap): ReadonlyArray<Shortcut<string>> {
  return keys[mode];
}

function actionKey(mode: Mode, { does, label }: Shortcut<string>): string {
  return `${actionId(mode, does)} ${label}`;
}

function actionEntry(view: View, shortcut: Shortcut<string>, present: Present): PaletteEntry[] {
  const { label, about, does, unless } = shortcut;
  const [press] = shortcut.press;
  if (press === undefined) return [];
  const { goes, isReached } = findWay(view, present);
  const needsRow = unless?.({ readOnly: false, selected: false }) !== false && unless !== undefined;
  const isRun = isReached && !(needsRow && view.row !== undefined);
  const entry = {
    name: label,
    about,
    where: modeTitles[view.mode],
    context: `${modeTitles[view.mode]} ${modeTitles[view.like ?? view.mode]}`,
    press: formatPress(press),
    effect: isRun ? 'open the pane and run the action' : 'open the list to choose from',
    id: actionId(view.mode, does),
    does: {
      goes,
      ...(isRun
        ? { pending: { mode: view.mode, press } }
        : {
            notice: `${firstSteps(view, needsRow, isReached, present.keys)}, then press ${formatPress(press)} (${label}).`,
          }),
    },
    ...(!present.has(view.area) && { refusal: unavailableReason(view.area) }),
  };
  return [elsewhereEntry(entry, stepsTo(view, present))];
}

/**
 * Returns the distance of a pane from the pane on the screen, from 0 to 1. The order is: open panes, top pane first; other panes of the
 * same area; all others.
 */
function stepsTo({ mode, area }: View, { openPanes, mode: top }: Present): number {
  const at = openPanes.findLastIndex(({ pane }) => pane === mode);
  if (at !== -1) return (openPanes.length - at) / (openPanes.length + 1) / 2;
  return views.find((view) => view.mode === top)?.area === area ? 0.6 : 0.8;
}

/**
 * Returns the panes or the link that open a pane. If the pane needs a selection, returns the panes or the link that open the last pane on
 * the way that needs no selection.
 */
function findWay(
  { mode, area, way, link }: View,
  { openPanes }: Pick<Present, 'openPanes'>,
): { readonly goes: OpenPanes | string; readonly isReached: boolean } {
  const at = openPanes.findIndex(({ pane }) => pane === mode);
  const [first, ...rest] = openPanes.slice(0, at + 1);
  if (at !== -1 && first !== undefined) return { goes: [first, ...rest], isReached: true };
  if (link !== undefined) return { goes: link, isReached: true };
  const before = way && views.find((view) => view.mode === way.from);
  if (before !== undefined && openPanes.some(({ pane }) => pane === before.mode)) {
    const { goes } = findWay(before, { openPanes });
    return { goes, isReached: false };
  }
  const noun = nouns.find(({ name }) => name === area);
  return { goes: [noun?.opens ?? { pane: 'home' }], isReached: way === undefined };
}

/** Formats the steps before the key press, as the beginning of a sentence: `Open a namespace, choose a key`. */
function firstSteps(view: View, needsRow: boolean, isReached: boolean, keys: Keymap): string {
  const steps = isReached ? [] : waySteps(view, keys);
  if (needsRow && view.row !== undefined) steps.push(`choose ${view.row}`);
  const text = steps.join(', ');
  return capitalize(text);
}

function waySteps({ way }: View, keys: Keymap): string[] {
  if (way === undefined) return [];
  const before = views.find((view) => view.mode === way.from);
  const press = pressFor(way.from, way.does, keys);
  const pressed = `press ${formatPress(press ?? '')}${way.row === undefined ? '' : ` on ${way.row}`}`;
  return [
    ...(before === undefined ? [] : waySteps(before, keys)),
    way.does === 'open' ? `open ${way.row}` : pressed,
  ];
}
