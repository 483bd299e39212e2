import { useSyncExternalStore } from 'react';
import { isActive } from '../../../src/model/tasks/task.ts';
import { useConsole } from '../../kit/use-console.ts';

/** Returns the number of active tasks of this console. */
export function useRunningTasks(): number {
  const { list } = useConsole().tasks;
  return useSyncExternalStore(
    (listener) => list.subscribe(listener),
    () => list.tasks.filter((task) => isActive(task) && !list.isElsewhere(task)).length,
  );
}
