import { useEffect, useRef } from 'react';
import { asProblem, type Problem } from '../src/model/problem.ts';

/** One run of a service function: what it does, and what becomes of its end. */
export interface Task<T> {
  /** A task with the name of one that runs takes its place: the other is aborted and its answer dropped. */
  readonly name: string;
  work(signal: AbortSignal): Promise<T>;
  done(value: T): void;
  failed(problem: Problem): void;
}

/**
 * Runs service functions for a component. All are aborted when it unmounts, and an answer that comes after the
 * abort is dropped.
 */
export function useTask(): <T>(task: Task<T>) => void {
  const running = useRef(new Map<string, AbortController>());
  useEffect(() => {
    const all = running.current;
    return () => {
      for (const controller of all.values()) controller.abort();
    };
  }, []);
  return useRef(<T>(task: Task<T>) => void start(running.current, task)).current;
}

async function start<T>(running: Map<string, AbortController>, task: Task<T>): Promise<void> {
  const controller = new AbortController();
  running.get(task.name)?.abort();
  running.set(task.name, controller);
  const settle = await task.work(controller.signal).then(
    (value) => () => task.done(value),
    (error: unknown) => () => task.failed(asProblem(error)),
  );
  if (controller.signal.aborted) return;
  running.delete(task.name);
  settle();
}
