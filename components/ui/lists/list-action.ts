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

/** Actions of every list, for rows of any kind. Each pane has shortcuts for its useful actions. */
export type ListAction = Move | MarkAction | (typeof ownActions)[number];

/** Actions that are events of the list, except moves and marks. */
export type PlainAction = Exclude<(typeof ownActions)[number], 'back'>;

/** Whether an action is shared by every list. */
export function isListAction(action: string): action is ListAction {
  return isMove(action) || isMarkAction(action) || ownActions.some((own) => own === action);
}
