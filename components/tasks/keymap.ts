import { movement, selected } from '../kit/keys/conditions.ts';
import type { Move } from '../kit/keys/cursor.ts';
import { type FindAction, finding } from '../kit/keys/finding.ts';
import type { Shortcut, Situation } from '../kit/keys/shortcut.ts';

/** Actions on the selected task. */
type OnTask = 'stop' | 'resume' | 'remove' | 'copy';

export type TasksAction = Move | OnTask | FindAction | 'open' | 'remove-done' | 'back';

export type TaskAction = Move | OnTask | 'open' | 'back';

function stops(situation: Situation): string | false {
  const { task } = situation;
  return selected(situation) || (!isUnderWay(task) && 'It is not under way');
}

function resumes(situation: Situation): string | false {
  const { task, readOnly } = situation;
  if (readOnly) return 'This session is read-only';
  if (task === 'done') return 'There is nothing left to do';
  return selected(situation) || (isUnderWay(task) && 'It is under way');
}

function removes(situation: Situation): string | false {
  return selected(situation) || (isUnderWay(situation.task) && 'It is under way: x stops it');
}

function isUnderWay(task: Situation['task']): boolean {
  return task === 'running' || task === 'waiting' || task === 'stopping';
}

const onTask = [
  {
    press: ['x'],
    label: 'stop',
    labelIn: ({ task }) => (task === 'stopping' ? 'stop now' : undefined),
    about: 'Stop it after what is in flight, a second time at once; it can be resumed',
    does: 'stop',
    unless: stops,
  },
  {
    press: ['r'],
    label: 'resume',
    labelIn: ({ task }) => (task === 'partly' ? 'retry' : undefined),
    about: 'Go on where it stopped, or try again only what has failed',
    does: 'resume',
    unless: resumes,
  },
  {
    press: ['d'],
    label: 'remove',
    about: 'Take it from the list; what it has done stays done',
    does: 'remove',
    unless: removes,
  },
] as const satisfies readonly Shortcut<OnTask>[];

const copy = {
  press: ['y'],
  label: 'copy',
  about: 'Copy what it came to, or what has gone wrong',
  does: 'copy',
  unless: selected,
} as const satisfies Shortcut<'copy'>;

export const tasksKeymap: ReadonlyArray<Shortcut<TasksAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'details',
    about: 'Show how far it is, what has failed and why',
    does: 'open',
    unless: selected,
  },
  ...onTask,
  {
    press: ['D'],
    label: 'remove done',
    about: 'Take all that are done from the list',
    does: 'remove-done',
    quietIn: ({ selected: some }) => !some,
  },
  copy,
  ...finding,
  { press: ['esc'], label: 'back', about: 'Clear the filter', does: 'back', quiet: true },
  ...movement,
];

export const taskKeymap: ReadonlyArray<Shortcut<TaskAction>> = [
  {
    press: ['enter', 'right', 'l'],
    label: 'results',
    about: 'Show what it has found, hostname by hostname',
    does: 'open',
    unless: (situation) => situation.hasResults !== true && 'It makes no list of results',
    quiet: true,
  },
  { press: ['esc', 'left', 'h'], label: 'back', about: 'Back to the tasks', does: 'back' },
  ...onTask,
  copy,
  ...movement,
];
