import { isSamePlace } from '../../src/model/where.ts';
import type { TaskList } from '../../src/services/tasks/tasks.ts';
import type { ConsoleTasks, OpenTaskSession } from '../kit/tasks.ts';
import type { ConsoleConnection } from './connection.ts';

/**
 * Returns the functions with which the panes of a connection start and use tasks. A task keeps the profile, account and target of the
 * connection that starts it, even if the user switches to another connection.
 */
export function createConsoleTasks(
  list: TaskList,
  { label, choice }: Pick<ConsoleConnection, 'label' | 'choice'>,
  open: OpenTaskSession,
): ConsoleTasks {
  const { target, where, accountLabel } = label;
  const actor = { profile: choice.profile, accountId: choice.accountId };
  return {
    list,
    start: (work, marked) => list.start({ work, marked, target, where, actor, accountLabel }),
    async resume(id) {
      const task = list.tasks.find((one) => one.id === id);
      const isHere = task?.where !== undefined && isSamePlace(task.where, where);
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
