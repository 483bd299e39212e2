import { type Dispatch, useEffect, useReducer } from 'react';
import type { Task } from '../../src/model/tasks/task.ts';
import type { TaskList } from '../../src/services/tasks/tasks.ts';
import { useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import { useTasks } from '../console/use-tasks.ts';
import { noTasks, reduceTasks, type TasksCommand, type TasksEvent, type TasksState } from './tasks-state.ts';

interface TaskListState {
  readonly tasks: readonly Task[];
  readonly state: TasksState;
  dispatch: Dispatch<TasksEvent>;
  perform(command: TasksCommand): void;
}

/** Milliseconds between two looks at tasks that another console runs. */
const othersInterval = 2000;

/** The tasks, which of them is selected, and what is asked of them. */
export function useTaskList(id?: string): TaskListState {
  const { list } = useConsole().tasks;
  const tasks = useTasks();
  const [state, dispatch] = useReducer(reduceTasks, id, noTasks);
  const run = useRun();
  // Another console may have changed them.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the pane opens
  useEffect(() => {
    run({ name: 'reload', work: () => list.reload(), done: () => undefined, failed: () => undefined });
  }, []);
  const hasOthers = tasks.some((task) => list.isElsewhere(task));
  useEffect(() => {
    if (!hasOthers) return;
    const timer = setInterval(() => {
      list.reload().catch(() => undefined);
    }, othersInterval);
    return () => clearInterval(timer);
  }, [list, hasOthers]);
  const perform = (command: TasksCommand) => {
    dispatch({ type: 'closed' });
    run({
      name: 'change',
      work: () => change(list, command),
      done: () => undefined,
      failed: (problem) => dispatch({ type: 'failed', problem, command }),
    });
  };
  return { tasks, state, dispatch, perform };
}

async function change(list: TaskList, command: TasksCommand): Promise<void> {
  switch (command.does) {
    case 'stop':
      return list.stop(command.id);
    case 'resume':
      return list.resume(command.id);
    case 'remove':
      return list.remove(command.id);
    case 'remove-done':
      for (const { id, state } of list.tasks) if (state === 'done') await list.remove(id);
  }
}
