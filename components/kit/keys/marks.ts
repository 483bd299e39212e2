import { groupDigits } from '../../../src/text/size.ts';
import { cannotWrite, noLine, noSelection, whileRowIsWritten } from './conditions.ts';
import type { Danger, Shortcut, Situation } from './shortcut.ts';

const markActions = ['mark', 'mark-range', 'mark-shown', 'invert-marks', 'clear-marks'] as const;

/** Actions that change the marks of a list. */
export type MarkAction = (typeof markActions)[number];

/** Returns whether an action changes marks. */
export function isMarkAction(action: string): action is MarkAction {
  return markActions.some((one) => one === action);
}

/** Returns why an action on the marked rows, or else on the selected row, is unavailable; false if it is available. */
export function noChosenRows(situation: Situation): string | false {
  return (situation.marked ?? 0) === 0 && noSelection(situation);
}

/** Returns why the marked rows, or else the selected row, cannot be changed; false if they can be changed. */
export const cannotWriteChosen = (situation: Situation) =>
  cannotWrite(situation) || noChosenRows(situation) || whileRowIsWritten(situation);

/** Returns a function that adds the number of marked rows to a label: `delete 12`; undefined if no row is marked. */
export const withCount =
  (label: string) =>
  ({ marked = 0 }: Situation): string | undefined =>
    marked === 0 ? undefined : `${label} ${groupDigits(marked)}`;

/** Returns the danger of deleting the marked rows, or the selected row if no row is marked. Undo does not save marked rows. */
export function dangerOfMarked({ marked = 0 }: Situation): Danger {
  return marked > 0 ? 'permanent' : 'undoable';
}

/** Returns the danger of deleting the chosen rows of a list in which undo also saves a single marked row. */
export function dangerOfSeveral({ marked = 0, beyondUndo = false }: Situation): Danger {
  return marked > 1 || beyondUndo ? 'permanent' : 'undoable';
}

const nothingMarked = (situation: Situation) => (situation.marked ?? 0) === 0 && 'Nothing is marked';

/** Shortcuts that mark rows of a list. */
export const markShortcuts: ReadonlyArray<Shortcut<MarkAction>> = [
  {
    press: ['space'],
    label: 'mark',
    helpLabel: 'mark the row',
    about: 'Mark or unmark the row; in a tree, all loaded keys of a folder',
    does: 'mark',
    unless: noLine,
  },
  {
    press: ['v'],
    label: 'mark to here',
    about: 'Mark all rows from the last marked row to this one',
    does: 'mark-range',
    unless: noLine,
    quiet: true,
  },
  {
    press: ['a'],
    label: 'mark all',
    helpLabel: 'mark all rows',
    about: 'Mark all visible loaded rows',
    does: 'mark-shown',
    quiet: true,
  },
  {
    press: ['*'],
    label: 'invert',
    helpLabel: 'invert the marks',
    about: 'Invert the marks on all visible loaded rows',
    does: 'invert-marks',
    unless: noLine,
    quiet: true,
  },
  {
    press: ['A'],
    label: 'unmark all',
    labelIn: ({ marked = 0 }) => (marked > 0 ? 'unmark all' : undefined),
    about: 'Clear all marks',
    does: 'clear-marks',
    unless: nothingMarked,
  },
];
