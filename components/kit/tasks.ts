import type { Task, TaskWork } from '../../src/model/tasks/task.ts';
import type { Session } from '../../src/services/session/session.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { TaskList } from '../../src/services/tasks/tasks.ts';

/** The tasks of the console, as its panes act on them. */
export interface ConsoleTasks {
  readonly list: TaskList;
  /** Starts a task on the data that the console shows. Marked are names of keys, or `MarkedObject`s. */
  start(work: TaskWork, marked: Iterable<unknown>): Promise<Task>;
  /** Resumes a task: with the present credentials if it was started in this place, otherwise with its own. */
  resume(id: string): Promise<void>;
  /** Calls `read` with a session like that of a task that acts there, and closes the session afterwards. */
  visit<T>(choice: SessionChoice, read: (session: Session) => Promise<T>): Promise<T>;
}

/** Opens a session as a task does. */
export type OpenTaskSession = (choice: SessionChoice) => Promise<Session>;
