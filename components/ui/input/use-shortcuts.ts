import { useInput } from 'ink';
import type { Act } from '../../../src/services/equivalents/act.ts';
import { lackOf, nounsOf } from '../../kit/nouns.ts';
import { type ConsoleParts, useConsole } from '../../kit/use-console.ts';
import { isMove } from '../../kit/keys/cursor.ts';
import { bookmark, copyLink } from '../../app/keeping.ts';
import { useMouse } from './use-mouse.ts';
import type { Actions, Mode } from '../../kit/keys/actions.ts';
import { findShortcut, hasGlobalShortcuts, hasNounShortcuts, shortcutsOf } from '../../kit/keys/find-shortcut.ts';
import type { Keymap } from '../../app/keymap.ts';
import { type Press, pressOf } from '../../kit/keys/presses.ts';
import type { Shortcut, Situation } from '../../kit/keys/shortcut.ts';

interface ShortcutOptions<M extends Mode> {
  /** Whether presses are for this mode at the moment. */
  readonly active: boolean;
  readonly situation: Situation;
  readonly act: (action: Actions[M]) => void;
  /** Gives up waiting for what is being written: Esc. */
  readonly stopWaiting?: () => void;
  /** What can be done in a pane, as other programs do it. */
  readonly acts?: (() => readonly Act[]) | undefined;
  /** Told of a press that stands for nothing here. */
  readonly otherwise?: (() => void) | undefined;
}

/**
 * Turns presses into a mode's actions, and the wheel into moves. One that is unavailable shows its reason above the footer.
 * Gives the function that takes a press.
 */
export function useShortcuts<M extends Mode>(mode: M, options: ShortcutOptions<M>): (press: Press) => void {
  const parts = useConsole();
  const take = (press: Press): void => {
    if (press === 'esc' && parts.notice?.tone === 'failed') {
      parts.dismiss();
      return;
    }
    parts.notify(undefined);
    const isWriting = options.situation.busy?.kind === 'writing';
    if (press === 'esc' && isWriting && options.stopWaiting) {
      options.stopWaiting();
      return;
    }
    const own = findShortcut(mode, press, parts.keys);
    if (own !== undefined) run(own, options.situation, parts, repeated(options.act, parts));
    else if (hasNounShortcuts(mode) && findShortcut('moving', press, parts.keys) !== undefined)
      runMoving(press, { mode, situation: options.situation, perform: take }, parts);
    else if (hasNounShortcuts(mode) && findShortcut('nouns', press, parts.keys) !== undefined)
      runNoun(press, options.situation, parts);
    else if (hasGlobalShortcuts(mode) && findShortcut('global', press, parts.keys) !== undefined)
      runGlobal(press, { mode, situation: options.situation, perform: take, acts: options.acts }, parts);
    else options.otherwise?.();
  };
  useInput((input, key) => take(pressOf(input, key)), { isActive: options.active });
  useMouse(options.active, ({ kind }) => {
    if (kind !== 'wheel-up' && kind !== 'wheel-down') return;
    const way = pressFor(mode, kind === 'wheel-up' ? 'up' : 'down', parts.keys);
    if (way !== undefined) for (let line = 0; line < wheelLines; line++) take(way);
  });
  return take;
}

/** Lines that a notch of the wheel moves. */
const wheelLines = 3;

/** The press for an action in a mode, whatever the reader has made of the keys; undefined where it has none. */
export function pressFor(mode: Mode, action: string, keys: Keymap): Press | undefined {
  return shortcutsOf(mode, keys).find(({ does }) => does === action)?.press[0];
}

/** Where a press was made, and what does there what another press stands for. */
interface Pressed {
  readonly mode: Mode;
  readonly situation: Situation;
  perform(press: Press): void;
  readonly acts?: (() => readonly Act[]) | undefined;
}

/** The presses of a move that wait are made with it, and drawn once: a held key never runs on after it is let go. */
function repeated<Action extends string>(act: (action: Action) => void, { input }: ConsoleParts) {
  return (action: Action) => {
    const times = isMove(action) ? 1 + input.takeRepeats() : 1;
    for (let time = 0; time < times; time++) act(action);
  };
}

function run<Action extends string>(
  shortcut: Shortcut<Action>,
  situation: Situation,
  parts: ConsoleParts,
  act: (action: Action) => void,
): void {
  const reason = shortcut.unless?.(situation) ?? false;
  if (reason === false) act(shortcut.does);
  else parts.notify(`${reason}.`, 'refused');
}

function runNoun(press: Press, situation: Situation, parts: ConsoleParts): void {
  const shortcut = findShortcut('nouns', press, parts.keys);
  if (shortcut === undefined) return;
  run(shortcut, situation, parts, (name) => {
    const noun = nounsOf(parts.services).find((one) => one.name === name);
    if (noun === undefined) parts.notify(`${lackOf(name)}.`, 'refused');
    else parts.turnTo(noun.opens);
  });
}

function runMoving(press: Press, pressed: Pressed, parts: ConsoleParts): void {
  const shortcut = findShortcut('moving', press, parts.keys);
  if (shortcut === undefined) return;
  const { mode, situation, perform } = pressed;
  const acts: Record<Actions['moving'], () => void> = {
    'go-back': () => parts.step('back'),
    'go-forward': () => parts.step('forward'),
    palette: () => parts.showPalette(mode, situation, perform),
    bookmark: () => bookmark(situation, parts),
    'copy-link': () => copyLink(situation, parts),
  };
  run(shortcut, situation, parts, (action) => acts[action]());
}

function runGlobal(
  press: Press,
  { mode, situation, perform, acts: actsHere }: Pressed,
  parts: ConsoleParts,
): void {
  const shortcut = findShortcut('global', press, parts.keys);
  if (shortcut === undefined) return;
  const acts: Record<Actions['global'], () => void> = {
    help: () => parts.showHelp(mode, situation, perform),
    target: () => parts.chooseTarget(),
    acting: () => parts.chooseActing(),
    equivalents: () => {
      const shown = actsHere?.() ?? [];
      if (shown.length > 0) parts.showEquivalents(shown);
      else parts.notify('No command stands for what is shown here.', 'refused');
    },
    messages: () => {
      if (parts.openPanes.at(-1)?.pane !== 'messages') parts.open({ pane: 'messages' });
    },
    doctor: () => {
      if (parts.openPanes.at(-1)?.pane !== 'doctor') parts.open({ pane: 'doctor' });
    },
    undo: () => {
      if (parts.openPanes.at(-1)?.pane !== 'undo') parts.open({ pane: 'undo' });
    },
    preview: () => parts.togglePreview(),
    mouse: () => parts.toggleMouse(),
    quit: () => parts.quit(0),
  };
  run(shortcut, situation, parts, (action) => acts[action]());
}
