import { useInput } from 'ink';
import { useEffect, useLayoutEffect, useRef } from 'react';
import type { CliEquivalent } from '../../../src/services/equivalents/cli-equivalent.ts';
import type { Action } from '../../kit/keys/action.ts';
import { isMove } from '../../kit/keys/cursor.ts';
import {
  findShortcut,
  hasGlobalShortcuts,
  hasNounShortcuts,
  listShortcuts,
} from '../../kit/keys/find-shortcut.ts';
import type { Mode } from '../../kit/keys/modes.ts';
import { type Press, toPress } from '../../kit/keys/presses.ts';
import type { Keymap, Shortcut, Situation } from '../../kit/keys/shortcut.ts';
import {
  type ConsoleKeymap,
  type ConsoleParts,
  type PressContext,
  useConsole,
} from '../../kit/use-console.ts';
import { useMouse } from './use-mouse.ts';

interface ShortcutOptions<Does extends string> {
  /** Whether this mode currently receives presses. */
  readonly active: boolean;
  readonly situation: Situation;
  readonly runAction: (action: Does) => void;
  /** Returns the commands that are equivalent to the actions of this pane. */
  readonly equivalents?: (() => readonly CliEquivalent[]) | undefined;
  /** Called for a press without an action in this pane. */
  readonly otherwise?: (() => void) | undefined;
}

/**
 * Runs a mode's actions on presses, and moves on the mouse wheel. If an action is unavailable, shows the reason above the footer. Returns
 * the function that handles a press.
 */
export function useShortcuts<Does extends string>(
  mode: Mode,
  options: ShortcutOptions<Does>,
): (press: Press) => void {
  const parts = useConsole();
  const take = (press: Press): void => {
    if (press === 'esc' && parts.notice?.tone === 'failed') {
      parts.dismiss();
      return;
    }
    parts.notify(undefined);
    if (parts.pending !== undefined) parts.clearPending();
    const { situation, runAction, equivalents } = options;
    const own = findShortcut(mode, press, parts.keys);
    const shared = own === undefined ? findSharedAction(mode, press, parts.keys) : undefined;
    const perform = (later: Press) => latest.current(later);
    const pressed: PressContext = { mode, situation, parts, perform, equivalents };
    if (own !== undefined)
      runUnlessRefused(own, pressed, () => withRepeats(runAction, parts)(own.does as Does));
    else if (shared !== undefined) runUnlessRefused(shared, pressed, () => shared.run(pressed));
    else options.otherwise?.();
  };
  // The help and the palette run an action later, when the pane may have loaded more data.
  const latest = useRef(take);
  useLayoutEffect(() => {
    latest.current = take;
  });
  useInput((input, key) => take(toPress(input, key)), { isActive: options.active });
  usePendingPress(mode, options, take);
  useMouse(options.active, ({ kind }) => {
    if (kind !== 'wheel-up' && kind !== 'wheel-down') return;
    const press = pressFor(mode, kind === 'wheel-up' ? 'up' : 'down', parts.keys);
    if (press !== undefined) for (let line = 0; line < wheelLines; line++) take(press);
  });
  return take;
}

/** Handles a press that is pending for this mode as soon as the pane is on the screen and has loaded its content. */
function usePendingPress<Does extends string>(
  mode: Mode,
  { active, situation: { busy, loading } }: ShortcutOptions<Does>,
  take: (press: Press) => void,
): void {
  const { pending } = useConsole();
  const isReady = active && pending?.mode === mode && busy === undefined && loading !== true;
  useEffect(() => {
    if (!isReady || pending === undefined) return undefined;
    // Waits one turn of the event loop, in which a pane that has just been opened starts to load.
    const next = setImmediate(() => take(pending.press));
    return () => clearImmediate(next);
  });
}

/** Lines per notch of the mouse wheel. */
const wheelLines = 3;

/** Returns the first press of an action in a mode; undefined if the mode does not have the action. */
export function pressFor(mode: Mode, action: string, keys: Keymap): Press | undefined {
  return listShortcuts(mode, keys).find(({ does }) => does === action)?.press[0];
}

/** Returns the shared action for a press; undefined if the mode has no shared action for the press. */
function findSharedAction(mode: Mode, press: Press, keys: ConsoleKeymap): Action<PressContext> | undefined {
  const isNear = hasNounShortcuts(mode);
  return (
    (isNear ? (findShortcut('moving', press, keys) ?? findShortcut('nouns', press, keys)) : undefined) ??
    (hasGlobalShortcuts(mode) ? findShortcut('global', press, keys) : undefined)
  );
}

/** Returns a function that runs a move together with its queued repeats, so that movement stops when a held key is released. */
function withRepeats<Does extends string>(runAction: (action: Does) => void, { input }: ConsoleParts) {
  return (action: Does) => {
    const times = isMove(action) ? 1 + input.takeRepeats() : 1;
    for (let time = 0; time < times; time++) runAction(action);
  };
}

function runUnlessRefused(
  shortcut: Shortcut<string>,
  { situation, parts }: PressContext,
  run: () => void,
): void {
  const reason = shortcut.unless?.(situation) ?? false;
  if (reason === false) run();
  else parts.notify(`${reason}.`, 'refused');
}
