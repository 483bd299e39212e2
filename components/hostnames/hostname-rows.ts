import type { Action } from '../kit/keys/action.ts';
import { noSelection } from '../kit/keys/conditions.ts';
import type { Shortcut } from '../kit/keys/shortcut.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { ListResult } from '../ui/lists/list-state.ts';
import type { PagedList } from '../ui/lists/paged-list.ts';
import { type TagOrder, tagMenu } from '../ui/lists/tag-menu.ts';

// The actions shared by all lists of hostnames.

/** Returns the action that opens a menu of tags to filter the list. `what` names the tags in the label. */
export function showOnly<T>(
  what: string,
  tags: TagOrder,
): Action<{ readonly list: PagedList<T> }, ListResult> {
  return {
    does: 'status',
    press: ['s'],
    label: `filter by ${what}`,
    about: 'Filter by kind, with counts',
    run: ({ list }) => ({ dialog: tagMenu(list, tags) }),
  };
}

interface OnHostname {
  /** The hostname of the selected row. */
  readonly hostname: string | undefined;
  readonly parts: Pick<PaneParts, 'copy'>;
}

export const copyName: Action<OnHostname, ListResult> = {
  does: 'copy',
  press: ['y'],
  label: 'copy name',
  about: 'Copy the hostname',
  unless: noSelection,
  run: ({ hostname, parts }) =>
    hostname === undefined ? undefined : { notice: parts.copy(Buffer.from(hostname), 'the hostname') },
};

export const backToHostnames: Shortcut<'back'> = {
  does: 'back',
  press: ['esc', 'left', 'h'],
  label: 'back',
  about: 'Clear the filters, then go back',
};
