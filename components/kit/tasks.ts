import type { Task, TaskWork } from '../../src/model/tasks/task.ts';
import type { Session } from '../../src/services/session/session.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { TaskList } from '../../src/services/tasks/tasks.ts';

/** The console's tasks, and the actions that panes can perform on them. */
export interface ConsoleTasks {
  readonly list: TaskList;
  /** Starts a task on the current target. `marked` contains key names or `MarkedObject`s. */
  start(work: TaskWork, marked: Iterable<unknown>): Promise<Task>;
  /**
   * Resumes a task. Uses the current profile and account if the task belongs to the same account or sandbox, otherwise the profile and
   * account with which the task was started.
   */
  resume(id: string): Promise<void>;
  /** Opens a separate session, passes it to `read`, and closes it afterwards. */
  visit<T>(choice: SessionChoice, read: (session: Session) => Promise<T>): Promise<T>;
}

/** Opens a session for a task. */
export type OpenTaskSession = (choice: SessionChoice) => Promise<Session>;
