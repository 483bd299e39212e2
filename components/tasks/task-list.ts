import type { Task } from '../../src/model/tasks/task.ts';
import { onePage } from '../kit/pages.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import { followTasks } from '../ui/tasks/follow-tasks.ts';
import { taskLine, taskStateWord } from '../ui/tasks/words.ts';

export const declaredTaskColumns = declareColumns<Task>()(
  {
    AS: 'unsorted',
    TARGET: ({ target }) => target,
    STATE: taskStateWord,
    PROGRESS: 'unsorted',
    TOOK: ({ started, begun = started, ended }) => ended && ended - begun,
    ENDED: ({ started, ended }) => -(ended ?? started),
  },
  { heading: 'TASK', by: taskLine },
);

const taskKind: RowKind<Task> = {
  getId: ({ id }) => id,
  getText: taskLine,
  order: 'as-listed',
  sorts: declaredTaskColumns.sorts,
};

/** Returns the list of the console's tasks, newest first. */
export function taskList(parts: PaneParts): ListController<Task> {
  const { list } = parts.tasks;
  return new ListController<Task>(parts, {
    place: { kind: 'tasks' },
    kind: taskKind,
    whole: true,
    live: { rows: () => list.tasks, subscribe: (changed) => followTasks(list, changed) },
    pages: () => onePage(Promise.resolve(list.tasks)),
    rowChange: () => undefined,
  });
}
