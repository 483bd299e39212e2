import type { Task } from '../../src/model/tasks/task.ts';
import type { Pace } from '../../src/text/progress.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { followTasks } from '../ui/tasks/follow-tasks.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { ViewController } from '../ui/viewer/view-controller.ts';
import { taskEntries } from './entries.ts';

/** The current state of a task; undefined if the task was removed. */
export interface TaskContent {
  readonly task: Task | undefined;
  readonly pace: Pace | undefined;
}

/** Returns the view of one task, which is updated while the task runs. */
export function taskView(id: string, parts: PaneParts): ViewController<TaskContent> {
  const { list } = parts.tasks;
  const contentNow = () => ({ task: list.tasks.find((one) => one.id === id), pace: list.findPace(id) });
  return new ViewController<TaskContent>(parts, {
    content: contentNow(),
    selects: true,
    hasRelativeTimes: true,
    createLines({ task, pace }, surface) {
      if (task === undefined) return undefined;
      const about = {
        pace,
        now: parts.world.now(),
        elsewhere: list.isElsewhere(task),
        session: parts.session,
        columns: surface.columns,
      };
      return entryLines(taskEntries(task, about), surface);
    },
    watch: (became) => followTasks(list, () => became(contentNow())),
  });
}
