import type { Task } from '../../src/model/tasks/task.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { Previewed } from '../ui/preview/previewed.ts';
import { taskStateWord } from '../ui/tasks/words.ts';
import { entryLines } from '../ui/viewer/entries.ts';
import { taskEntries } from './entries.ts';

/** Returns the preview of a task's current state. */
export function taskPreview(
  task: Task,
  { tasks: { list }, world, session }: Pick<PaneParts, 'tasks' | 'world' | 'session'>,
): Previewed {
  const about = {
    pace: list.findPace(task.id),
    now: world.now(),
    elsewhere: list.isElsewhere(task),
    session,
    hasRow: true,
  };
  return {
    id: `task ${task.id}`,
    title: 'Details',
    content: {
      counts: taskStateWord(task),
      lines: (surface) => entryLines(taskEntries(task, { ...about, columns: surface.columns }), surface),
    },
  };
}
