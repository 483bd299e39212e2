import { isActive, type Task } from '../../../src/model/tasks/task.ts';
import type { TaskList } from '../../../src/services/tasks/tasks.ts';

/** Calls `ended` when any task has ended, until the returned function is called. */
export function onTaskEnd(
  list: Pick<TaskList, 'tasks' | 'subscribe'>,
  ended: (task: Task) => void,
): () => void {
  let before = activeIds(list.tasks);
  return list.subscribe(() => {
    const now = activeIds(list.tasks);
    const were = before;
    before = now;
    for (const task of list.tasks) if (were.has(task.id) && !now.has(task.id)) ended(task);
  });
}

function activeIds(tasks: readonly Task[]): ReadonlySet<string> {
  return new Set(tasks.filter(isActive).map(({ id }) => id));
}
