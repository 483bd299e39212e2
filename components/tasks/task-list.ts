import type { Task } from '../../src/model/tasks/task.ts';
import { onePage } from '../kit/pages.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import type { OwnActions } from '../ui/lists/list-action.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import { followTasks } from '../ui/tasks/follow-tasks.ts';
import { taskLine } from '../ui/tasks/words.ts';
import { busyWith, carryOutTask, onTask, type TaskCommand } from './commands.ts';
import type { TasksAction } from './keymap.ts';

/** The list of tasks. */
interface TaskParts {
  readonly row: Task;
  readonly command: TaskCommand;
  readonly purpose: never;
  readonly subject: never;
}

export const declaredTaskColumns = declareColumns<Task>()(
  {
    AS: 'unsorted',
    STATE: ({ state }) => state,
    PROGRESS: 'unsorted',
    SINCE: ({ started, ended }) => -(ended ?? started),
  },
  { heading: 'TASK', by: taskLine },
);

const taskKind: RowKind<Task> = {
  idOf: ({ id }) => id,
  textOf: taskLine,
  order: 'as-listed',
  sorts: declaredTaskColumns.sorts,
};

/** The tasks of the console, the newest first. */
export function taskList(parts: PaneParts): ListController<TaskParts> {
  const { list } = parts.tasks;
  return new ListController<TaskParts>(parts, {
    place: { kind: 'tasks' },
    kind: taskKind,
    whole: true,
    live: { rows: () => list.tasks, subscribe: (changed) => followTasks(list, changed) },
    pages: () => onePage(Promise.resolve(list.tasks)),
    busyWith,
    async carryOut(command) {
      await carryOutTask(command, parts.tasks);
      return {};
    },
    readForm: () => ({ errors: {} }),
    rowOf: () => undefined,
  });
}

/** Actions of the pane's keys. */
export function taskListActions(list: ListController<TaskParts>, parts: PaneParts): OwnActions<TasksAction> {
  const task = list.selected;
  return {
    open: () => task && parts.open({ pane: 'task', id: task.id }),
    copy: () => task && parts.notify(parts.copy(Buffer.from(taskLine(task)), 'the line')),
    'remove-done': () => list.perform({ does: 'remove-done' }),
    ...onTask(task, list, parts),
  };
}
