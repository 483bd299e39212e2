import { abbreviateHome } from '../../src/files/typed-path.ts';
import { isActive, isPlatformChange, type Task } from '../../src/model/tasks/task.ts';
import { isSamePlace, type Where } from '../../src/model/where.ts';
import type { Pace } from '../../src/text/progress.ts';
import { compactDuration } from '../../src/text/time.ts';
import { actionHandlers } from '../kit/keys/action.ts';
import type { Role } from '../kit/theme.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { type DrawnColumn, drawColumns } from '../ui/lists/declared-columns.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import {
  formatTaskDuration,
  shortProgress,
  taskCounts,
  taskLine,
  taskRole,
  taskStateWord,
} from '../ui/tasks/words.ts';
import { taskListActions } from './task-actions.ts';
import { declaredTaskColumns, taskList } from './task-list.ts';
import { taskPreview } from './task-preview.ts';

/** Minimum width, in columns, for a progress column next to the state. */
const minWidthForProgress = 60;

const noTasks =
  'No tasks. Long operations (import, export, copy, upload, download, delete) run as tasks, even while you are in another pane.';

/** Draws the long operations started in the console, with their progress and results. */
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
      columns={(now, width) =>
        drawColumns(declaredTaskColumns, {
          AS: actorColumn(known.tasks, parts.session.where),
          TARGET: targetColumn(known.tasks),
          ...taskColumns(known.tasks, { now, width, findPace: (id) => known.findPace(id) }),
        })
      }
      name={{
        heading: 'TASK',
        cell: (task) => abbreviateHome(parts.world, taskLine(task)),
        role: lineRole,
        stretches: true,
      }}
      preview={(task) => taskPreview(task, parts)}
      emptyWords={() => noTasks}
      actions={() => actionHandlers(taskListActions, { task: list.selected, parts }, list.take)}
      situation={{
        // A read-only session can resume tasks that change nothing on the platform.
        readOnly: parts.session.readOnly && task !== undefined && isPlatformChange(task.work),
        task: task?.state,
      }}
    />
  );
}

/** Returns the column with the profile of each task; undefined if all tasks belong to the current account or sandbox. */
function actorColumn(tasks: readonly Task[], here: Where): DrawnColumn<Task> | undefined {
  if (tasks.every(({ where }) => where === undefined || isSamePlace(where, here))) return undefined;
  const width = Math.min(12, Math.max(2, ...tasks.map(({ profileName }) => profileName.length)));
  return { width, importance: 2, cell: ({ profileName }) => profileName };
}

/** Returns the column with the target of each task; undefined if all tasks have the same target, which is in the header. */
export function targetColumn(tasks: readonly Task[]): DrawnColumn<Task> | undefined {
  if (new Set(tasks.map(({ target }) => target)).size < 2) return undefined;
  return { width: 10, importance: 5, cell: ({ target }) => target };
}

/** Returns the style of a task's line: plain for success, a color for a state that needs attention. */
function lineRole(task: Task): Role {
  return task.state === 'done' && taskRole(task) === 'good' ? 'plain' : taskRole(task);
}

interface Drawing {
  /** Milliseconds since the UNIX epoch. */
  readonly now: number;
  readonly width: number;
  findPace(id: string): Pace | undefined;
}

/** Returns the columns after the task. A narrow screen omits PROGRESS and TOOK, and STATE if all tasks succeeded. */
export function taskColumns(
  tasks: readonly Task[],
  { now, width, findPace }: Drawing,
): Readonly<Record<'STATE' | 'PROGRESS' | 'TOOK' | 'ENDED', DrawnColumn<Task> | undefined>> {
  const isNarrow = width < minWidthForProgress;
  const areDone = tasks.every(({ state }) => state === 'done');
  const areGood = tasks.every((task) => taskRole(task) === 'good');
  const formatProgress = (task: Task) => shortProgress(task, findPace(task.id));
  const state: DrawnColumn<Task> = {
    width: areDone ? Math.max(6, ...tasks.map((task) => taskStateWord(task).length)) : isNarrow ? 13 : 11,
    importance: 4,
    // If the state and the progress do not both fit, the progress of a running task is more useful.
    cell: (task) => (isNarrow && isActive(task) && formatProgress(task)) || taskStateWord(task),
    role: taskRole,
  };
  const progress: DrawnColumn<Task> = {
    width: 13,
    maxWidth: 24,
    importance: 3,
    cell: formatProgress,
  };
  const took: DrawnColumn<Task> = {
    width: 5,
    importance: 1,
    isExtra: true,
    align: 'right',
    cell: (task) => formatTaskDuration(task) ?? '',
    role: () => 'dim',
  };
  const age: DrawnColumn<Task> = {
    width: 8,
    importance: 2,
    align: 'right',
    cell: ({ ended }) => (ended === undefined ? '' : formatAge((now - ended) / 1000)),
    role: () => 'dim',
  };
  return {
    STATE: isNarrow && areGood ? undefined : state,
    PROGRESS: isNarrow || tasks.every((task) => formatProgress(task) === '') ? undefined : progress,
    TOOK: isNarrow ? undefined : took,
    ENDED: age,
  };
}

/** Formats the seconds since the end of a task as minutes or more: a redraw each second would be distracting. */
function formatAge(seconds: number): string {
  return `${seconds < 60 ? '<1m' : compactDuration(seconds)} ago`;
}
