import type { TaskList } from '../../../src/services/tasks/tasks.ts';

/** Milliseconds between two reads of the tasks while another console runs a task. */
const elsewhereIntervalMs = 2000;

/**
 * Calls `changed` when a task has changed, until the returned function is called. Rereads the tasks immediately, and repeatedly as long as
 * another console runs a task.
 */
export function followTasks(list: TaskList, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const reload = () => void list.reload().catch(() => undefined);
  const updateTimer = () => {
    const hasOthers = list.tasks.some((task) => list.isElsewhere(task));
    if (hasOthers) timer ??= setInterval(reload, elsewhereIntervalMs);
    else {
      clearInterval(timer);
      timer = undefined;
    }
  };
  const end = list.subscribe(() => {
    updateTimer();
    changed();
  });
  updateTimer();
  reload();
  return () => {
    end();
    clearInterval(timer);
  };
}
