import { isResumable, type Task } from '../../src/model/tasks/task.ts';
import { escapeText } from '../../src/text/escape.ts';
import { type Busy, deleting, starting } from '../kit/keys/busy.ts';
import type { ConsoleTasks } from '../kit/tasks.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { Dialog } from '../ui/forms/dialog.ts';
import { taskTitle } from '../ui/tasks/words.ts';

/** Commands to the list of tasks, with the ids of tasks. */
export type TaskCommand =
  | { readonly does: 'stop' | 'resume' | 'remove'; readonly id: string }
  | { readonly does: 'remove-done' };

type TaskDialog = Dialog<TaskCommand, never, never>;

/** Words for the header while a command runs. */
export const busyWith: Readonly<Record<TaskCommand['does'], Busy>> = {
  stop: { kind: 'reading', words: 'stopping' },
  resume: starting,
  remove: deleting,
  'remove-done': deleting,
};

/** Carries out a command. */
export async function carryOutTask(command: TaskCommand, { list, resume }: ConsoleTasks): Promise<void> {
  switch (command.does) {
    case 'stop':
      return list.stop(command.id);
    case 'resume':
      return resume(command.id);
    case 'remove':
      return list.remove(command.id);
    case 'remove-done':
      for (const { id, state } of list.tasks) if (state === 'done') await list.remove(id);
  }
}

/** Asks before a task is forgotten that has something left to do; undefined for any other. */
export function removeTaskDialog(task: Task): TaskDialog | undefined {
  if (!isResumable(task)) return undefined;
  const question = {
    question: `Remove the task "${escapeText(taskTitle(task))}"?`,
    lost: ['What it has done stays done. What is left is not done, and cannot be resumed.'],
    yes: 'remove it',
  };
  return { kind: 'confirm', question, command: { does: 'remove', id: task.id } };
}

/** Actions of the keys on one task. A task that another process runs is left alone. */
export function onTask(
  task: Task | undefined,
  pane: { ask(dialog: TaskDialog): void; perform(command: TaskCommand): void },
  { tasks, notify }: Pick<PaneParts, 'tasks' | 'notify'>,
): Readonly<Record<'stop' | 'resume' | 'remove', () => void>> {
  const act = (does: 'stop' | 'resume' | 'remove') => () => {
    if (task === undefined) return;
    const asked = does === 'remove' ? removeTaskDialog(task) : undefined;
    if (tasks.list.isElsewhere(task)) notify(elsewhereWords(task), 'refused');
    else if (asked === undefined) pane.perform({ does, id: task.id });
    else pane.ask(asked);
  };
  return { stop: act('stop'), resume: act('resume'), remove: act('remove') };
}

function elsewhereWords({ owner }: Task): string {
  return `Another console runs it (process ${owner?.pid ?? '?'}): stop it there.`;
}
