import { useEffect, useRef, useSyncExternalStore } from 'react';
import { isActive, type Task } from '../../src/model/tasks/task.ts';
import { useConsole } from './use-console.ts';

/** The tasks as they are, the newest first; the component is drawn again when one changes. */
export function useTasks(): readonly Task[] {
  const { list } = useConsole().tasks;
  return useSyncExternalStore(
    (listener) => list.subscribe(listener),
    () => list.tasks,
  );
}

/** How many tasks are under way in this console. */
export function useRunningTasks(): number {
  const { list } = useConsole().tasks;
  return useSyncExternalStore(
    (listener) => list.subscribe(listener),
    () => list.tasks.filter((task) => isActive(task) && !list.isElsewhere(task)).length,
  );
}

/** Calls `ended` when a task has come to an end, whichever: so that what it has changed is read again. */
export function useTaskEnd(ended: (task: Task) => void): void {
  const { list } = useConsole().tasks;
  const latest = useRef(ended);
  latest.current = ended;
  useEffect(() => {
    let before = activeIds(list.tasks);
    return list.subscribe(() => {
      const now = activeIds(list.tasks);
      for (const task of list.tasks) if (before.has(task.id) && !now.has(task.id)) latest.current(task);
      before = now;
    });
  }, [list]);
}

function activeIds(tasks: readonly Task[]): ReadonlySet<string> {
  return new Set(tasks.filter(isActive).map(({ id }) => id));
}
