import type { Problem } from '../../src/model/problem.ts';
import { isResumable, type Task } from '../../src/model/tasks/task.ts';
import { escapeText } from '../../src/text/escape.ts';
import { behind, type Dialog } from '../forms/dialog.ts';
import { atStart, type Cursor, type Move, moveCursor, putCursor } from '../lists/cursor.ts';
import { taskTitle } from './words.ts';

/** What is asked of the list of tasks, by their ids. */
export type TasksCommand =
  | { readonly does: 'stop' | 'resume' | 'remove'; readonly id: string }
  | { readonly does: 'remove-done' };

export type TasksDialog = Dialog<TasksCommand, never, never>;

/** The selected task, and what stands before the list. The tasks themselves are not the pane's. */
export interface TasksState {
  /** Undefined until one was selected: then it is the first. */
  readonly id?: string | undefined;
  readonly cursor: Cursor;
  readonly dialog?: TasksDialog | undefined;
}

export type TasksEvent =
  | { readonly type: 'moved'; readonly move: Move; readonly height: number; readonly tasks: readonly Task[] }
  | { readonly type: 'asked'; readonly dialog: TasksDialog }
  | { readonly type: 'closed' }
  | { readonly type: 'failed'; readonly problem: Problem; readonly command: TasksCommand };

/** The state of a pane that has just been opened; `id` is selected where it is given. */
export function noTasks(id?: string): TasksState {
  return { id, cursor: atStart };
}

/** The state after an event. */
export function reduceTasks(state: TasksState, event: TasksEvent): TasksState {
  switch (event.type) {
    case 'moved': {
      const { tasks, move, height } = event;
      const cursor = moveCursor(cursorOf(state, tasks), move, tasks.length, height);
      return { ...state, cursor, id: tasks[cursor.index]?.id };
    }
    case 'asked':
      return { ...state, dialog: event.dialog };
    case 'closed':
      return { ...state, dialog: behind(state.dialog) };
    case 'failed':
      return { ...state, dialog: { kind: 'problem', problem: event.problem, command: event.command } };
  }
}

/** Where the cursor is among the tasks as they are now: it stays with its task, and in its place when that is gone. */
export function cursorOf({ id, cursor }: TasksState, tasks: readonly Task[]): Cursor {
  const found = tasks.findIndex((task) => task.id === id);
  return putCursor(cursor, found === -1 ? cursor.index : found, tasks.length);
}

/** The task under the cursor. */
export function selectedTask(state: TasksState, tasks: readonly Task[]): Task | undefined {
  return tasks[cursorOf(state, tasks).index];
}

/** Asks before a task is forgotten that has something left to do; undefined for any other. */
export function removeTaskDialog(task: Task): TasksDialog | undefined {
  if (!isResumable(task)) return undefined;
  const question = {
    question: `Remove the task "${escapeText(taskTitle(task))}"?`,
    lost: ['What it has done stays done. What is left is not done, and cannot be resumed.'],
    yes: 'remove it',
  };
  return { kind: 'confirm', question, command: { does: 'remove', id: task.id } };
}
