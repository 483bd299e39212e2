import type { Problem } from '../../../src/model/problem.ts';
import type { Move } from '../../kit/keys/cursor.ts';
import type { MarkAction } from '../../kit/keys/marks.ts';
import type { ActionResult, Dialog, PaneOutcome, Work } from '../forms/dialog.ts';
import type { DialogEvent, DialogState } from '../forms/dialog-state.ts';
import { reduceDialog } from '../forms/dialog-state.ts';
import {
  abandonRefresh,
  addPage,
  countRows,
  dropRow,
  loadingPage,
  moveCursorIn,
  putRow,
  refreshList,
  rereadList,
  restartWithPrefix,
  stopList,
  updateRows,
  wantAll,
  wantMore,
} from './list-pages.ts';
import { noMarks } from './mark-names.ts';
import { applyMark, stepBack } from './marks.ts';
import { changeSort, continuePick, narrow, narrowTo } from './narrowing.ts';
import { emptyList, type PagedList, type RowChange, selectedId, selectId } from './paged-list.ts';
import type { RowKind } from './row-kind.ts';
import { nextSeparator, regrowTree, stepOut, toggleFolder, toggleTree } from './tree.ts';
import { restoreCursor } from './tree-places.ts';

/** A command of a list: `list` rereads the list, for example to retry after a failure; `show-only` filters the rows by tags. */
export type ListCommand =
  | { readonly does: 'list' }
  | { readonly does: 'show-only'; readonly only: readonly string[] };

/** The result of a list action. Its menu can also contain commands that every list has. */
export interface ListOutcome extends Omit<PaneOutcome, 'dialog' | 'next'> {
  readonly dialog?: Dialog<ListWork | ListCommand> | undefined;
  readonly next?: ListWork | undefined;
}

export type ListWork = Work<ListOutcome>;

/** The result of a list action: work, or an outcome. */
export type ListResult = ActionResult<ListOutcome>;

/** The way in which the platform can filter rows: by the beginning of the name, or by a substring. */
export type ServerFilter = 'prefix' | 'contains';

/** A list and its dialog. */
export interface ListState<T> extends DialogState<ListWork | ListCommand> {
  readonly list: PagedList<T>;
  /** The ids of new or changed rows, which are briefly highlighted. */
  readonly fresh: ReadonlySet<string>;
  readonly serverFilter: ServerFilter | undefined;
}

/** Events that change the rows, the cursor or the marks. */
type RowEvent<T> =
  | { readonly type: 'moved'; readonly move: Move; readonly height: number }
  | { readonly type: 'marked'; readonly how: MarkAction; readonly height: number }
  /** `outdated`: the list is reread, even behind an open dialog. */
  | {
      readonly type: 'stepped-back' | 'stepped-out' | 'more' | 'all' | 'outdated' | 'unmarked' | 'unfiltered';
    }
  /** `refreshed`: a background refresh starts. `abandoned`: it ends without a result. */
  | { readonly type: 'refreshed'; readonly height: number }
  | { readonly type: 'abandoned' }
  | { readonly type: 'loading'; readonly generation: number }
  /** The platform has reported the total number of rows. */
  | { readonly type: 'counted'; readonly generation: number; readonly total: number }
  | {
      readonly type: 'page';
      readonly generation: number;
      readonly items: readonly T[];
      readonly complete: boolean;
      /** When the page was read, in milliseconds. */
      readonly at?: number;
    }
  /** Toggles a folder of the tree, or the tree itself, or changes its separator. */
  | { readonly type: 'turned'; readonly what: 'folder' | 'tree' | 'separator' }
  | { readonly type: 'sorted'; readonly how: 'next' | 'reverse' }
  /** More of the loaded rows have been searched. */
  | { readonly type: 'picked' }
  | ({ readonly type: 'changed' } & RowChange<T>)
  /** Replaces all rows. */
  | { readonly type: 'replaced'; readonly rows: readonly T[]; readonly next?: string | undefined }
  /** Rows have changed on the platform. */
  | { readonly type: 'renewed'; readonly rows: readonly RowChange<T>[] };

export type ListEvent<T> =
  | RowEvent<T>
  /** The text of a filter (`filtered`) or a server filter (`asking`) has changed while it is typed. */
  | { readonly type: 'filtered' | 'asking'; readonly text: string }
  /** The user has pressed Enter in the line of a filter or server filter. */
  | { readonly type: 'entered' }
  | { readonly type: 'closed' | 'listing' }
  | { readonly type: 'freshened'; readonly ids: ReadonlySet<string> }
  | { readonly type: 'narrowed'; readonly only: readonly string[] }
  | DialogEvent<ListWork | ListCommand>;

/** Returns the state of a pane that has just been opened. */
export function emptyListState<T>(
  kind: RowKind<T>,
  options: {
    readonly serverFilter?: ServerFilter | undefined;
    readonly whole: boolean;
    readonly pageSize?: number | undefined;
  },
): ListState<T> {
  return { list: emptyList(kind, options), fresh: new Set(), serverFilter: options.serverFilter };
}

/** Events with which rows arrive. */
const arrivalEvents: ReadonlySet<string> = new Set(['page', 'picked', 'replaced']);

/** Events after which a saved cursor position is no longer restored. */
const leavingEvents: ReadonlySet<string> = new Set([
  ...['moved', 'marked', 'filtered', 'narrowed', 'listing', 'outdated', 'refreshed', 'unfiltered'],
  ...['stepped-back', 'stepped-out', 'turned', 'sorted'],
]);

/** Returns the state after an event. */
export function reduceList<T>(state: ListState<T>, event: ListEvent<T>): ListState<T> {
  const next = reduceGrowing(state, event);
  if (next.list.returns === undefined) return next;
  if (arrivalEvents.has(event.type)) return { ...next, list: restoreCursor(next.list) };
  return leavingEvents.has(event.type) ? { ...next, list: { ...next.list, returns: undefined } } : next;
}

/** Returns the state after an event, with the tree updated if rows have changed. */
function reduceGrowing<T>(state: ListState<T>, event: ListEvent<T>): ListState<T> {
  const next = reduce(state, event);
  const [before, list] = [state.list, next.list];
  if (list.tree === undefined || (before.rows === list.rows && before.pick === list.pick)) {
    return event.type === 'picked' ? { ...next, list: regrowTree(list, list, true) } : next;
  }
  const isSame = before.refill === list.refill && (before.pick === undefined) === (list.pick === undefined);
  const isAdded = (event.type === 'page' || event.type === 'picked') && isSame;
  return { ...next, list: regrowTree(before, list, isAdded) };
}

function reduce<T>(state: ListState<T>, event: ListEvent<T>): ListState<T> {
  const { list } = state;
  switch (event.type) {
    case 'filtered': {
      const dialog = { kind: 'filter', text: event.text } as const;
      return { ...state, dialog, list: narrow(list, event.text) };
    }
    case 'asking':
      return state.serverFilter === undefined
        ? state
        : { ...state, dialog: { kind: state.serverFilter, text: event.text } };
    case 'entered':
      return enter(state);
    case 'closed':
      return close(state);
    case 'freshened':
      return event.ids.size === 0 && state.fresh.size === 0 ? state : { ...state, fresh: event.ids };
    case 'listing':
      return reduceDialog({ ...state, list: rereadList(list) }, { type: 'cleared' });
    case 'narrowed':
      return reduceDialog({ ...state, list: narrowTo(list, event.only) }, { type: 'cleared' });
    case 'asked':
    case 'followed-up':
    case 'form':
    case 'begun':
    case 'refused':
    case 'settled':
    case 'cleared':
    case 'dismissed':
    case 'given-up':
    case 'write-begun':
    case 'write-behind':
    case 'write-ended':
    case 'write-failed':
    case 'recalled':
      return reduceDialog(state, event);
    case 'failed':
      return fail(state, event.problem, event.command);
    default: {
      const next = reduceRows(list, event);
      return next === list ? state : { ...state, list: next };
    }
  }
}

const treeToggles = { folder: toggleFolder, tree: toggleTree, separator: nextSeparator };

function reduceRows<T>(list: PagedList<T>, event: RowEvent<T>): PagedList<T> {
  switch (event.type) {
    case 'moved':
      return moveCursorIn(list, event.move, event.height);
    case 'marked':
      return applyMark(list, event.how, event.height);
    case 'stepped-back':
      return stepBack(list) ?? list;
    case 'more':
      return wantMore(list);
    case 'all':
      return wantAll(list);
    case 'outdated':
      return rereadList(list);
    case 'refreshed':
      return refreshList(list, event.height);
    case 'abandoned':
      return abandonRefresh(list);
    case 'unmarked':
      return { ...list, marks: noMarks };
    case 'unfiltered':
      return narrow(narrowTo(list, []), '');
    case 'loading':
      return loadingPage(list, event.generation);
    case 'counted':
      return countRows(list, event);
    case 'page':
      return addPage(list, event);
    case 'stepped-out':
      return stepOut(list) ?? list;
    case 'turned':
      return treeToggles[event.what](list);
    case 'sorted':
      return list.tree === undefined ? changeSort(list, event.how) : list;
    case 'picked':
      return continuePick(list);
    case 'changed':
      return changeRow(abandonRefresh(list), event);
    case 'replaced': {
      const again = rereadList(list);
      const now = addPage(again, { generation: again.generation, items: event.rows, complete: true });
      const selected = selectedId(list);
      const isGone = selected !== undefined && selectedId(now) !== selected;
      return isGone && event.next !== undefined ? selectId(now, event.next) : now;
    }
    case 'renewed':
      return updateRows(abandonRefresh(list), event.rows);
  }
}

/** Abandons a refresh that began before the change, because the refreshed rows may not contain the change. */
function changeRow<T>(list: PagedList<T>, { id, row }: RowChange<T>): PagedList<T> {
  return row === undefined ? dropRow(list, id) : putRow(list, row);
}

/** Handles Enter in an input line: keeps the filter, or restarts the list with a new server filter. */
function enter<T>(state: ListState<T>): ListState<T> {
  const { dialog, list } = state;
  const isQuestion = dialog?.kind === 'prefix' || dialog?.kind === 'contains';
  const asked = isQuestion && dialog.text !== list.prefix ? restartWithPrefix(list, dialog.text) : list;
  return reduceDialog({ ...state, list: asked }, { type: 'cleared' });
}

/** Handles Esc: in the filter line, clears the filter; in a dialog, closes it, or returns from a question to its form. */
function close<T>(state: ListState<T>): ListState<T> {
  if (state.dialog?.kind !== 'filter') return reduceDialog(state, { type: 'dismissed' });
  return { ...state, dialog: undefined, list: narrow(state.list, '') };
}

/** Handles a failure. If the list cannot be read while a dialog is open or work is running, only the list shows that it has stopped. */
function fail<T>(state: ListState<T>, problem: Problem, command: ListWork | ListCommand): ListState<T> {
  const failed: DialogEvent<ListWork | ListCommand> = { type: 'failed', problem, command };
  if (!('does' in command) || command.does !== 'list') return reduceDialog(state, failed);
  const list = stopList(state.list);
  const isFree = state.dialog === undefined || state.dialog.kind === 'problem';
  if (!isFree || (state.busy ?? state.writes) !== undefined) return { ...state, list };
  return reduceDialog({ ...state, list }, failed);
}
