import type { Task, TaskWork } from '../../src/model/tasks/task.ts';
import type { Session } from '../../src/services/session/session.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { TaskList } from '../../src/services/tasks/tasks.ts';

/** The console's tasks and what panes can do with them. */
export interface ConsoleTasks {
  readonly list: TaskList;
  /** Starts a task on the present target. `marked` contains key names or `MarkedObject`s. */
  start(work: TaskWork, marked: Iterable<unknown>): Promise<Task>;
  /**
   * Resumes a task: with the present credentials if the task was started in this place, otherwise with the credentials
   * that it was started with.
   */
  resume(id: string): Promise<void>;
  /** Calls `read` with a session opened as for a task with this choice, and closes the session afterwards. */
  visit<T>(choice: SessionChoice, read: (session: Session) => Promise<T>): Promise<T>;
}

/** Opens a session in the way tasks do. */
export type OpenTaskSession = (choice: SessionChoice) => Promise<Session>;
