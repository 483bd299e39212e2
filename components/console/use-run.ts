import { useEffect, useRef } from 'react';
import { asProblem, type Problem } from '../../src/model/problem.ts';
import type { Notes } from './notes.ts';
import { useConsole } from './use-console.ts';

/** One run of a service function: what it does, and what becomes of its end. */
export interface Run<T> {
  /** A run with the name of one that goes on takes its place: the other is aborted and its answer dropped. */
  readonly name: string;
  work(signal: AbortSignal): Promise<T>;
  done(value: T): void;
  failed(problem: Problem): void;
}

/**
 * Runs service functions for a component. All are aborted when it unmounts, and an answer that comes after the
 * abort is dropped.
 */
export function useRun(): <T>(piece: Run<T>) => void {
  const { notes } = useConsole();
  const running = useRef(new Map<string, AbortController>());
  useEffect(() => {
    const all = running.current;
    return () => {
      for (const controller of all.values()) controller.abort();
    };
  }, []);
  return useRef(<T>(piece: Run<T>) => void start(running.current, notes, piece)).current;
}

async function start<T>(
  running: Map<string, AbortController>,
  notes: Pick<Notes, 'begin'>,
  piece: Run<T>,
): Promise<void> {
  const controller = new AbortController();
  running.get(piece.name)?.abort();
  running.set(piece.name, controller);
  const end = notes.begin();
  const outcome = await piece.work(controller.signal).then(
    (value) => ({ failed: false, settle: () => piece.done(value) }),
    (error: unknown) => ({ failed: true, settle: () => piece.failed(asProblem(error)) }),
  );
  end(outcome.failed && !controller.signal.aborted);
  if (controller.signal.aborted) return;
  running.delete(piece.name);
  outcome.settle();
}
