import { isMarkAction, type MarkAction } from '../keymap/marks.ts';
import { isMove, type Move } from './cursor.ts';

const ownActions = ['filter', 'more', 'refresh', 'back'] as const;

/** What every list can do, whatever is in it. A pane has shortcuts for those that make sense in it. */
export type ListAction = Move | MarkAction | (typeof ownActions)[number];

/** Whether an action is one of every list. */
export function isListAction(action: string): action is ListAction {
  return isMove(action) || isMarkAction(action) || ownActions.some((own) => own === action);
}

/** What a pane with these actions does besides what every list can do. It may do one of those its own way. */
export type OwnActions<Action extends string> = Readonly<
  Record<Exclude<Action, ListAction>, () => void> & Partial<Record<ListAction, () => void>>
>;
