import type { Task, TaskWork } from '../src/model/task.ts';
import type { TaskList } from '../src/services/tasks.ts';
import type { SessionLabel } from './session-label.ts';

/** The tasks of the console, as its panes act on them. */
export interface ConsoleTasks {
  readonly list: TaskList;
  /** Starts a task on the data that the console shows. Marked are names of keys, or `MarkedObject`s. */
  start(work: TaskWork, marked: Iterable<unknown>): Promise<Task>;
}

/** The tasks that a session starts. */
export function tasksOf(list: TaskList, { target, profileName, accountLabel }: SessionLabel): ConsoleTasks {
  return {
    list,
    start: (work, marked) => list.start({ work, marked, target, profileName, accountLabel }),
  };
}
