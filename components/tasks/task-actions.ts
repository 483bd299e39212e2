import { isResumable, type Task } from '../../src/model/tasks/task.ts';
import type { Action } from '../kit/keys/action.ts';
import { type Busy, deleting, starting } from '../kit/keys/busy.ts';
import { moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import type { Shortcut, Situation } from '../kit/keys/shortcut.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import type { ConsoleTasks } from '../kit/tasks.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { ActionResult, Dialog, Work } from '../ui/forms/dialog.ts';
import { resultLine, taskTitle } from '../ui/tasks/words.ts';

/** The input of the actions: the selected or displayed task, and the parts of the pane. */
interface Here {
  readonly task: Task | undefined;
  /** The hostname on the selected line of a task's details. */
  readonly hostname?: string | undefined;
  readonly parts: PaneParts;
}

type TaskAction = Action<Here, ActionResult>;

/** Returns the actions on one task. `closesPane`: whether the pane shows only this task, and closes when the task is removed. */
function singleTaskActions({ closesPane }: { readonly closesPane: boolean }): readonly TaskAction[] {
  return [
    {
      does: 'stop',
      press: ['x'],
      label: 'stop',
      labelIn: ({ task }) => (task === 'stopping' ? 'stop now' : undefined),
      about:
        'Stop the task after the requests in flight (press again: immediately); a stopped task can be resumed',
      unless: cannotStop,
      run: unlessElsewhere(({ id }, { list }) =>
        work({ kind: 'reading', words: 'stopping' }, () => list.stop(id)),
      ),
    },
    {
      does: 'resume',
      press: ['R'],
      label: 'resume',
      labelIn: ({ task }) => (task === 'partly' ? 'retry' : undefined),
      about: 'Resume the task, or retry only the failures',
      unless: cannotResume,
      run: unlessElsewhere(({ id }, { resume }) => work(starting, () => resume(id))),
    },
    {
      does: 'remove',
      press: ['d'],
      label: 'dismiss',
      about: 'Dismiss the task: remove it from the list. Completed work is not undone',
      unless: cannotRemove,
      run: unlessElsewhere((task, { list }) => {
        const remove = work(deleting, () => list.remove(task.id), closesPane);
        const dialog = removeTaskDialog(task, remove);
        return dialog === undefined ? remove : { dialog };
      }),
    },
  ];
}

const copy: Shortcut<string> = {
  does: 'copy',
  press: ['y'],
  label: 'copy',
  about: 'Copy the result of the task, or its failures',
  unless: noSelection,
};

/** The actions of the list of tasks. */
export const taskListActions: ReadonlyArray<TaskAction | Shortcut<string>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'details',
    about: 'Show the progress of the task, its failures and their reasons',
    unless: noSelection,
    quietIn: ({ detailed = false, task }) => detailed && task === 'done',
    run: ({ task }) => task && { opens: { pane: 'task', id: task.id } },
  },
  ...singleTaskActions({ closesPane: false }),
  ...filterShortcuts,
  {
    does: 'remove-done',
    press: ['ctrl+x'],
    label: 'dismiss done',
    about: 'Dismiss all completed tasks: remove them from the list',
    quietIn: ({ selected: some }) => !some,
    run: ({ parts }) => work(deleting, () => removeDone(parts.tasks)),
  },
  {
    ...copy,
    run: ({ task, parts }) => task && { notice: parts.copy(Buffer.from(resultLine(task)), 'the line') },
  },
  { does: 'back', press: ['esc'], label: 'back', about: 'Clear the filter', quiet: true },
  ...moveShortcuts,
];

/** The actions of the pane of one task. */
export const taskActions: ReadonlyArray<TaskAction | Shortcut<string>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'results',
    about: 'Show the diagnosis of the selected hostname, or all results of the task, one line per hostname',
    unless: (situation) => situation.hasResults !== true && 'The task has no list of results',
    run({ task, hostname }) {
      const results = task && resultsPane(task);
      if (hostname !== undefined && results?.pane === 'diagnoses')
        return { opens: { pane: 'diagnosis', zone: results.zone, hostname, fix: false } };
      return results && { opens: results };
    },
  },
  ...singleTaskActions({ closesPane: true }),
  copy,
  { does: 'back', press: ['esc', 'left', 'h'], label: 'back', about: 'Go back to the tasks' },
  ...moveShortcuts,
];

function cannotStop(situation: Situation): string | false {
  return noSelection(situation) || (!isUnderWay(situation) && 'The task is not running');
}

function cannotResume(situation: Situation): string | false {
  if (situation.readOnly) return 'This session is read-only';
  if (situation.task === 'done') return 'The task is complete';
  return noSelection(situation) || (isUnderWay(situation) && 'The task is running');
}

function cannotRemove(situation: Situation): string | false {
  return noSelection(situation) || (isUnderWay(situation) && 'The task is running: press x to stop it');
}

function isUnderWay({ task }: Situation): boolean {
  return task === 'running' || task === 'waiting' || task === 'stopping';
}

/** Returns an action on a task. The action is refused while another process runs the task. */
function unlessElsewhere(run: (task: Task, tasks: ConsoleTasks) => ActionResult) {
  return ({ task, parts: { tasks } }: Here): ActionResult => {
    if (task === undefined) return undefined;
    if (!tasks.list.isElsewhere(task)) return run(task, tasks);
    return {
      refusal: `The task runs in another console (process ${task.owner?.pid ?? '?'}): stop it there.`,
    };
  };
}

function work(busy: Busy, run: () => Promise<void>, closesPane = false): Work {
  return {
    busy,
    async run() {
      await run();
      return { closesPane };
    },
  };
}

async function removeDone({ list }: ConsoleTasks): Promise<void> {
  for (const { id, state } of list.tasks) if (state === 'done') await list.remove(id);
}

/** Returns the question that is asked before a resumable task is removed; undefined for other tasks. */
export function removeTaskDialog(task: Task, command: Work): Dialog<Work> | undefined {
  if (!isResumable(task)) return undefined;
  const question = {
    question: `Remove the task "${taskTitle(task)}"?`,
    lost: ['Completed work is not undone. The remaining work cannot be resumed.'],
    danger: 'change' as const,
    yes: 'remove it',
  };
  return { kind: 'confirm', question, command };
}

/** Returns the pane with a task's results; undefined if the task has no list of results. */
export function resultsPane({ id, work: done }: Task): OpenPane | undefined {
  const { zone } = 'zone' in done ? done : {};
  if (zone === undefined) return undefined;
  if (done.does === 'diagnose-hostnames') return { pane: 'diagnoses', zone, id };
  if (done.does !== 'plan-hostnames') return undefined;
  const { path, prune, limit } = done;
  return { pane: 'plan', zone, id, path, prune, limit };
}
