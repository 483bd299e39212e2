import { useApp, useStdin } from 'ink';
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import type { World } from '../../src/world.ts';
import { findShortcut } from '../kit/keys/find-shortcut.ts';
import { toControlPress } from '../kit/keys/presses.ts';
import type { Keymap } from '../kit/keys/shortcut.ts';
import { onContinue, stopJob } from '../kit/terminal/signals.ts';
import type { Terminal } from '../kit/terminal/terminal.ts';

/** Exit codes after an interrupt (SIGINT) and after a hang-up (SIGHUP), as in shells: 128 plus the number of the signal. */
const interruptedExitCode = 130;
const hangupExitCode = 129;

export interface LentTerminal {
  /** Exits the console after the terminal has answered all queries: the shell would treat a later answer as typed input. */
  exit(code: number): void;
  /** Suspends the console while another program uses the terminal; only one program at a time. Resolves with the result of `run`. */
  suspend<T>(run: () => Promise<T>): Promise<T>;
}

/**
 * Keeps the terminal in the console's modes while the console is mounted, and handles events that work on every screen: Ctrl-C, Ctrl-Z,
 * Ctrl-L, an interrupt of the process, and the loss of the terminal. An interrupt waits until an editor has exited.
 */
export function useTerminal(world: World, terminal: Terminal, keys: Keymap): LentTerminal {
  const { exit: exitNow, suspendTerminal } = useApp();
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const exit = useCallback(
    (code: number) => {
      const answered = terminal.input.settled();
      if (answered === undefined) exitNow(code);
      else void answered.then(() => exitNow(code));
    },
    [terminal, exitNow],
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
    const leave = () => void last.current.then(() => exit(interruptedExitCode));
    if (world.interrupted.aborted) leave();
    world.interrupted.addEventListener('abort', leave);
    return () => world.interrupted.removeEventListener('abort', leave);
  }, [world, exit]);
  useEffect(() => terminal.input.onLost(() => exitNow(hangupExitCode)), [terminal, exitNow]);
  useUrgentPresses(terminal, keys, {
    interrupt: () => exit(interruptedExitCode),
    suspend: () => void outside.suspend(stopJob),
    redraw: terminal.redraw.now,
  });
  return outside;
}

/** Runs the actions in `does` as soon as their press is read, before presses that are still queued. */
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
      const action = findShortcut('always', toControlPress(press) ?? '', keys)?.does;
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
  throw outcome?.reason ?? new Error('the terminal could not be suspended');
}
