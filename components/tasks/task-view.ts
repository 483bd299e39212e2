import type { Task } from '../../src/model/tasks/task.ts';
import type { Pace } from '../../src/text/progress.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { followTasks } from '../ui/tasks/follow-tasks.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { type OwnViewActions, ViewController } from '../ui/viewer/view-controller.ts';
import { busyWith, carryOutTask, onTask, type TaskCommand } from './commands.ts';
import { taskEntries } from './entries.ts';
import type { TaskAction } from './keymap.ts';

/** A task, unless it was removed, as far as it is. */
interface TaskContent {
  readonly task: Task | undefined;
  readonly pace: Pace | undefined;
}

/** The viewer of one task. */
interface TaskParts {
  readonly content: TaskContent;
  readonly command: TaskCommand;
  readonly purpose: never;
  readonly subject: never;
}

type TaskController = ViewController<TaskParts>;

/** One task, line by line, as it goes on. */
export function taskView(id: string, parts: PaneParts): TaskController {
  const { list } = parts.tasks;
  const contentNow = () => ({ task: list.tasks.find((one) => one.id === id), pace: list.paceOf(id) });
  return new ViewController<TaskParts>(parts, {
    content: contentNow(),
    selects: true,
    ages: true,
    linesOf({ task, pace }, surface) {
      if (task === undefined) return undefined;
      const about = {
        pace,
        now: parts.world.now(),
        elsewhere: list.isElsewhere(task),
        session: parts.session,
      };
      return entryLines(taskEntries(task, about), surface);
    },
    watch: (became) => followTasks(list, () => became(contentNow())),
    busyWith,
    async carryOut(command) {
      await carryOutTask(command, parts.tasks);
      return { leaves: command.does === 'remove' };
    },
  });
}

/** Actions of the pane's keys. */
export function taskActions(view: TaskController, parts: PaneParts): OwnViewActions<TaskAction> {
  const { task } = view.content;
  return {
    ...onTask(task, view, parts),
    open() {
      const results = task && resultsOf(task);
      if (results !== undefined) parts.open(results);
    },
  };
}

/** The pane with what a task has found; undefined where it makes no list of results. */
export function resultsOf({ id, work }: Task): OpenPane | undefined {
  const { zone } = 'zone' in work ? work : {};
  if (zone === undefined) return undefined;
  if (work.does === 'diagnose-hostnames') return { pane: 'diagnoses', zone, id };
  if (work.does !== 'plan-hostnames') return undefined;
  const { path, prune, limit } = work;
  return { pane: 'plan', zone, id, path, prune, limit };
}
