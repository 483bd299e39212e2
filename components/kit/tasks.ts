import type { Task, TaskWork } from '../../src/model/tasks/task.ts';
import type { Session } from '../../src/services/session/session.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { TaskList } from '../../src/services/tasks/tasks.ts';

/** The console's tasks and what panes can do with them. */
export interface ConsoleTasks {
  readonly list: TaskList;
  /** Starts a task on the current target. `marked` contains key names or `MarkedObject`s. */
  start(work: TaskWork, marked: Iterable<unknown>): Promise<Task>;
  /**
   * Resumes a task. Uses the current credentials if the task was started with this profile and account, otherwise the credentials of the
   * task's start.
   */
  resume(id: string): Promise<void>;
  /** Opens a session as a task with this choice does, passes the session to `read`, and closes the session afterwards. */
  visit<T>(choice: SessionChoice, read: (session: Session) => Promise<T>): Promise<T>;
}

/** Opens a session as tasks do. */
export type OpenTaskSession = (choice: SessionChoice) => Promise<Session>;
