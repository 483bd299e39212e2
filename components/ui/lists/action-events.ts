import type { PlainAction } from './list-action.ts';
import type { ListEvent } from './list-state.ts';
import type { PagedList } from './paged-list.ts';

/** Returns the event for an action on a list. */
export function toListEvent<T>(action: PlainAction, { contains, prefix }: PagedList<T>): ListEvent<T> {
  switch (action) {
    case 'filter':
      return { type: 'filtered', text: contains };
    case 'ask':
      return { type: 'asking', text: prefix };
    case 'sort':
      return { type: 'sorted', how: 'next' };
    case 'reverse':
      return { type: 'sorted', how: 'reverse' };
    case 'tree':
    case 'separator':
      return { type: 'turned', what: action };
    case 'out':
      return { type: 'stepped-out' };
    case 'refresh':
      return { type: 'listing' };
    default:
      return { type: action };
  }
}
