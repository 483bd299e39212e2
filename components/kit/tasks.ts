import type { Task, TaskWork } from '../../src/model/tasks/task.ts';
import { isSameWhere } from '../../src/model/where.ts';
import type { Session } from '../../src/services/session/session.ts';
import type { SessionChoice } from '../../src/services/tasks/context.ts';
import type { TaskList } from '../../src/services/tasks/tasks.ts';
import type { KeptConnection } from '../app/kept-connection.ts';

/** The tasks of the console, as its panes act on them. */
export interface ConsoleTasks {
  readonly list: TaskList;
  /** Starts a task on the data that the console shows. Marked are names of keys, or `MarkedObject`s. */
  start(work: TaskWork, marked: Iterable<unknown>): Promise<Task>;
  /** Resumes a task: as whoever is acted as here, where it was started here, and else as it was. */
  resume(id: string): Promise<void>;
  /** Calls `read` with a session like that of a task that acts there, and closes the session afterwards. */
  visit<T>(choice: SessionChoice, read: (session: Session) => Promise<T>): Promise<T>;
}

/** Opens a session as a task does. */
export type OpenTaskSession = (choice: SessionChoice) => Promise<Session>;

/** The tasks that a session starts: as whoever it acts as, whatever is chosen while they run. */
export function tasksOf(
  list: TaskList,
  { label, choice }: Pick<KeptConnection, 'label' | 'choice'>,
  open: OpenTaskSession,
): ConsoleTasks {
  const { target, where, accountLabel } = label;
  const actor = { profile: choice.profile, accountId: choice.accountId };
  return {
    list,
    start: (work, marked) => list.start({ work, marked, target, where, actor, accountLabel }),
    async resume(id) {
      const task = list.tasks.find((one) => one.id === id);
      const isHere = task?.where !== undefined && isSameWhere(task.where, where);
      await list.resume(id, isHere && task.accountLabel === accountLabel ? actor : undefined);
    },
    async visit(other, read) {
      const session = await open(other.profile === undefined ? { ...actor, ...other } : other);
      try {
        return await read(session);
      } finally {
        await session.close();
      }
    },
  };
}
