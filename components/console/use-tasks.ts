import { useSyncExternalStore } from 'react';
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
