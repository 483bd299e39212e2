import { changesPlatform, type Task } from '../../src/model/tasks/task.ts';
import type { Pace } from '../../src/text/progress.ts';
import { compactDuration } from '../../src/text/time.ts';
import { fitText } from '../../src/text/width.ts';
import { useConsole } from '../console/use-console.ts';
import { useController } from '../console/use-controller.ts';
import { ListPane } from '../lists/ListPane.tsx';
import type { Column } from '../lists/Table.tsx';
import { taskList, taskListActions } from './task-list.ts';
import { shortProgress, stateRoles, taskCounts, taskLine } from './words.ts';

/** Below these widths ages are left out, and the time that is left. */
const roomFor = { ages: 64, timeLeft: 100 };

const noTasks =
  'No tasks. What takes long in the other lists (import, export, copy, upload, download, delete what is marked) goes on here, also while you look at something else.';

/** The long pieces of work that were started in the console: how far they are, and what they came to. */
export function TasksPane({ visible }: { visible: boolean }) {
  const parts = useConsole();
  const list = useController(() => taskList(parts));
  const { list: known } = parts.tasks;
  const task = list.selected;
  return (
    <ListPane
      list={list}
      mode="tasks"
      visible={visible}
      rowNames={{ one: 'task', many: 'tasks' }}
      counts={taskCounts(known.tasks)}
      columns={(now, width) => taskColumns(now, width, known.tasks, (id) => known.paceOf(id))}
      last={{ heading: 'TASK', cell: taskLine }}
      emptyWords={() => noTasks}
      actions={() => taskListActions(list, parts)}
      situation={{
        // A read-only session can resume tasks that change nothing on the platform.
        readOnly: parts.session.readOnly && task !== undefined && changesPlatform(task.work),
        task: task?.state,
      }}
    />
  );
}

/** The columns before the task, at a point in time (milliseconds). */
function taskColumns(
  now: number,
  width: number,
  tasks: readonly Task[],
  paceOf: (id: string) => Pace | undefined,
): readonly Column<Task>[] {
  const state: Column<Task> = {
    heading: 'STATE',
    width: 11,
    cell: (task) => task.state,
    role: (task) => stateRoles[task.state],
  };
  const room = width < roomFor.timeLeft ? 13 : 24;
  const progress: Column<Task> = {
    heading: 'PROGRESS',
    width: room,
    cell: (task) => fitText(shortProgress(task, paceOf(task.id)), room),
  };
  const age: Column<Task> = {
    heading: 'SINCE',
    width: 5,
    align: 'right',
    cell: ({ started, ended }) => compactDuration((now - (ended ?? started)) / 1000),
    role: () => 'dim',
  };
  if (width >= roomFor.ages) return [state, progress, age];
  return tasks.some((task) => shortProgress(task, undefined) !== '') ? [state, progress] : [state];
}
