import { useApp, useStdin } from 'ink';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { World } from '../../src/world.ts';
import { findShortcut } from '../kit/keys/find-shortcut.ts';
import { controlPressOf } from '../kit/keys/presses.ts';
import type { Keymap } from '../kit/keys/shortcut.ts';
import { onContinue, stopJob } from '../kit/terminal/signals.ts';
import type { Terminal } from '../kit/terminal/terminal.ts';

/** Exit codes as shells have them: of an interrupted program, and of one whose line was hung up. */
const interrupted = 130;
const hungUp = 129;

export interface LentTerminal {
  /** Leaves the console with an exit code, once the terminal has answered: a shell would take that for something typed. */
  exit(code: number): void;
  /** Gives the terminal away while something else runs on it, one after the other; resolves with its result. */
  suspend<T>(run: () => Promise<T>): Promise<T>;
}

/**
 * Keeps the terminal in the console's modes for as long as the console stands, and does what works on every screen:
 * Ctrl-C, Ctrl-Z, and the end of the process or of the terminal. An end waits until an editor has given that back.
 */
export function useTerminal(world: World, terminal: Terminal, keys: Keymap): LentTerminal {
  const { exit: exitAtOnce, suspendTerminal } = useApp();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const exit = useCallback(
    (code: number) => {
      const answered = terminal.input.settled();
      if (answered === undefined) exitAtOnce(code);
      else void answered.then(() => exitAtOnce(code));
    },
    [terminal, exitAtOnce],
  );
  const outside = useMemo(
    (): LentTerminal => ({
      exit,
      suspend(run) {
        const ended = last.current.then(() => runOutside(run, world, terminal, suspendTerminal));
        last.current = ended.catch(() => undefined);
        return ended;
      },
    }),
    [world, terminal, suspendTerminal, exit],
  );
  useLayoutEffect(() => {
    terminal.enter();
    const unwatch = onContinue(() => terminal.reclaim());
    return () => {
      unwatch();
      terminal.leave();
    };
  }, [terminal]);
  useEffect(() => {
    const leave = () => void last.current.then(() => exit(interrupted));
    if (world.interrupted.aborted) leave();
    world.interrupted.addEventListener('abort', leave);
    return () => world.interrupted.removeEventListener('abort', leave);
  }, [world, exit]);
  useEffect(() => terminal.input.onGone(() => exitAtOnce(hungUp)), [terminal, exitAtOnce]);
  useUrgentPresses(terminal, keys, {
    interrupt: () => exit(interrupted),
    suspend: () => void outside.suspend(stopJob),
    redraw: terminal.redraw.now,
  });
  return outside;
}

/** Does what works everywhere as soon as its press is read, before all that waits. */
function useUrgentPresses(
  { input }: Terminal,
  keys: Keymap,
  does: Readonly<Record<string, () => void>>,
): void {
  const { setRawMode } = useStdin();
  const latest = useRef(does);
  useLayoutEffect(() => {
    latest.current = does;
  });
  useEffect(() => {
    setRawMode(true);
    const unwatch = input.watch((press) => {
      const action = findShortcut('always', controlPressOf(press) ?? '', keys)?.does;
      if (action === undefined) return undefined;
      latest.current[action]?.();
      return action === 'redraw' ? 'taken' : 'overtakes';
    });
    return () => {
      unwatch();
      setRawMode(false);
    };
  }, [input, keys, setRawMode]);
}

async function runOutside<T>(
  run: () => Promise<T>,
  world: World,
  terminal: Terminal,
  suspendTerminal: (callback: () => Promise<void>) => Promise<void>,
): Promise<T> {
  const outcomes: PromiseSettledResult<T>[] = [];
  await terminal.input.settled();
  terminal.redraw.pause();
  await suspendTerminal(async () => {
    terminal.leave();
    outcomes.push(...(await Promise.allSettled([run()])));
    if (!world.interrupted.aborted) terminal.enter();
  });
  terminal.redraw.resume();
  const [outcome] = outcomes;
  if (outcome?.status === 'fulfilled') return outcome.value;
  throw outcome?.reason ?? new Error('the terminal could not be given away');
}
