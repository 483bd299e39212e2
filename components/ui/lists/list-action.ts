import { isMove, type Move } from '../../kit/keys/cursor.ts';
import { isMarkAction, type MarkAction } from '../../kit/keys/marks.ts';

const ownActions = [
  'filter',
  'ask',
  'more',
  'all',
  'sort',
  'reverse',
  'tree',
  'separator',
  'out',
  'refresh',
  'back',
] as const;

/** The actions that every list supports. Each pane has shortcuts only for the actions that are useful in the pane. */
export type ListAction = Move | MarkAction | (typeof ownActions)[number];

/** The actions that have a separate list event: all except moves, marks and `back`. */
export type PlainAction = Exclude<(typeof ownActions)[number], 'back'>;

/** Returns whether every list supports an action. */
export function isListAction(action: string): action is ListAction {
  return isMove(action) || isMarkAction(action) || ownActions.some((own) => own === action);
}
