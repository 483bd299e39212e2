import { changesPlatform, type Task } from '../../src/model/tasks/task.ts';
import type { Pace } from '../../src/text/progress.ts';
import { compactDuration } from '../../src/text/time.ts';
import { fitText } from '../../src/text/width.ts';
import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf } from '../forms/DialogBox.tsx';
import type { TasksAction } from '../keymap/tasks.ts';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { isMove } from '../lists/cursor.ts';
import { type Column, Table, tableRows } from '../lists/Table.tsx';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import { cursorOf, removeTaskDialog, selectedTask } from './tasks-state.ts';
import { useTaskList } from './use-task-list.ts';
import { shortProgress, stateRoles, taskCounts, taskLine } from './words.ts';

/** Below these widths ages are left out, and the time that is left. */
const roomFor = { ages: 64, timeLeft: 100 };

/** The long pieces of work that were started in the console: how far they are, and what they came to. */
export function TasksPane({ visible }: { visible: boolean }) {
  const { session, columns, redact, rows, world, tasks: known, notify, copy, open } = useConsole();
  const body = bodyHeight(rows);
  const { tasks, state, dispatch, perform } = useTaskList();
  const { dialog } = state;
  const task = selectedTask(state, tasks);
  const situation = {
    // What changes nothing on the platform is resumed in a read-only session too.
    readOnly: session.readOnly && task !== undefined && changesPlatform(task.work),
    selected: task !== undefined,
    task: task?.state,
  };
  const act = (action: TasksAction) => {
    if (isMove(action)) dispatch({ type: 'moved', move: action, height: tableRows(body), tasks });
    else if (action === 'remove-done') perform({ does: action });
    else if (task === undefined) return;
    else if (action === 'open') open({ pane: 'task', id: task.id });
    else if (action === 'copy') notify(copy(Buffer.from(taskLine(task)), 'the line'));
    else if (known.list.isElsewhere(task)) notify(elsewhereWords(task));
    else {
      const asked = action === 'remove' ? removeTaskDialog(task) : undefined;
      if (asked === undefined) perform({ does: action, id: task.id });
      else dispatch({ type: 'asked', dialog: asked });
    }
  };
  useShortcuts('tasks', { active: visible && dialog === undefined, situation, act });
  if (!visible) return null;
  const taken = dialogHeight(dialog, { columns, redact }, body);
  return (
    <Frame mode={modeOf(dialog, 'tasks')} situation={situation} counts={taskCounts(tasks)}>
      {taken < body && (
        <Table
          columns={taskColumns(world.now(), columns, tasks, (id) => known.list.paceOf(id))}
          last={{ heading: 'TASK', cell: taskLine }}
          length={tasks.length}
          rowAt={(index) => tasks[index]}
          cursor={cursorOf(state, tasks)}
          height={body - taken}
          empty="No tasks. What takes long in the other lists (import, export, copy, upload, download, delete what is marked) goes on here, also while you look at something else."
        />
      )}
      <DialogBox
        dialog={dialog}
        height={taken}
        active={visible}
        perform={perform}
        close={() => dispatch({ type: 'closed' })}
      />
    </Frame>
  );
}

/** Why nothing is done to a task that another process runs. */
export function elsewhereWords({ owner }: Task): string {
  return `Another console runs it (process ${owner?.pid ?? '?'}): stop it there.`;
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
