import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import type { Problem } from '../../src/model/problem.ts';
import { escapeText } from '../../src/text/escape.ts';
import { behind, whileCarriedOut } from '../forms/dialog.ts';
import { type FormEvent, reduceForm } from '../forms/form-state.ts';
import type { MarkAction } from '../keymap/marks.ts';
import type { Move } from '../lists/cursor.ts';
import { filterWords } from '../lists/filter.ts';
import { noMarks } from '../lists/mark-names.ts';
import { markIn, markWords, stepBack } from '../lists/marks.ts';
import {
  addPage,
  dropRow,
  emptyList,
  listAgain,
  listCounts,
  listFrom,
  loadingPage,
  moveIn,
  narrow,
  type PagedList,
  putRow,
  stopList,
  wantMore,
} from '../lists/paged-list.ts';
import { byName } from '../lists/row-kind.ts';
import type { KeyCommand } from './key-commands.ts';
import type { MarkedCommand } from './key-marked.ts';
import type { KeysCommand, KeysDialog } from './keys-dialog.ts';

export interface KeysState {
  readonly namespace: Namespace;
  readonly list: PagedList<KeyEntry>;
  /** What is being done with a key at the moment, in words. */
  readonly busy?: string | undefined;
  readonly dialog?: KeysDialog | undefined;
}

export type KeysEvent =
  | { readonly type: 'moved'; readonly move: Move; readonly height: number }
  | { readonly type: 'marked'; readonly how: MarkAction; readonly height: number }
  | { readonly type: 'asked'; readonly dialog: KeysDialog }
  | { readonly type: 'closed' | 'kept' | 'stepped-back' | 'applied' | 'more' }
  | { readonly type: 'listing' }
  | { readonly type: 'loading'; readonly generation: number }
  /** A task has ended that may have changed keys: what stands before the pane stays. */
  | { readonly type: 'outdated' }
  | { readonly type: 'started'; readonly command: MarkedCommand }
  | { readonly type: 'filtered'; readonly text: string }
  | { readonly type: 'form'; readonly event: FormEvent }
  /** Something in the form turned out to be wrong, by the names of its fields. */
  | { readonly type: 'refused'; readonly errors: Readonly<Record<string, string>> }
  | { readonly type: 'begun'; readonly command: KeyCommand | MarkedCommand }
  | {
      readonly type: 'page';
      readonly generation: number;
      readonly items: readonly KeyEntry[];
      readonly complete: boolean;
    }
  | { readonly type: 'changed'; readonly name: string; readonly entry: KeyEntry | undefined }
  | { readonly type: 'failed'; readonly problem: Problem; readonly command: KeysCommand };

/** The state of a pane that has just been opened. */
export function noKeys(namespace: Namespace): KeysState {
  return { namespace, list: emptyList(byName) };
}

/** The state after an event. */
export function reduceKeys(state: KeysState, event: KeysEvent): KeysState {
  switch (event.type) {
    case 'moved':
      return { ...state, list: moveIn(state.list, event.move, event.height) };
    case 'marked':
      return { ...state, list: markIn(state.list, event.how, event.height) };
    case 'asked':
      return { ...state, busy: undefined, dialog: event.dialog };
    case 'begun':
      return { ...state, busy: busyWords[event.command.does], dialog: whileCarriedOut(state.dialog) };
    case 'closed':
      return close(state);
    case 'kept':
      return quiet(state, state.list);
    case 'filtered':
      return {
        ...state,
        dialog: { kind: 'prefix', text: event.text },
        list: narrow(state.list, event.text),
      };
    case 'stepped-back':
      return { ...state, list: stepBack(state.list) ?? state.list };
    case 'applied':
      return quiet(state, listFrom(state.list, state.list.contains));
    case 'more':
      return { ...state, list: wantMore(state.list) };
    case 'form':
      return changeForm(state, event.event);
    case 'refused':
      return changeForm({ ...state, busy: undefined }, event);
    default:
      return reduceAnswer(state, event);
  }
}

type Answer = Extract<
  KeysEvent,
  { type: 'page' | 'changed' | 'failed' | 'outdated' | 'started' | 'listing' | 'loading' }
>;

function reduceAnswer(state: KeysState, event: Answer): KeysState {
  switch (event.type) {
    case 'listing':
      return quiet(state, listAgain(state.list));
    case 'outdated':
      return { ...state, list: listAgain(state.list) };
    case 'started': {
      const { list } = state;
      return quiet(state, event.command.does === 'remove-marked' ? { ...list, marks: noMarks } : list);
    }
    case 'loading':
      return { ...state, list: loadingPage(state.list, event.generation) };
    case 'page': {
      const list = addPage(state.list, event);
      return list === state.list ? state : { ...state, list };
    }
    case 'changed': {
      const { name, entry } = event;
      return quiet(state, entry === undefined ? dropRow(state.list, name) : putRow(state.list, entry));
    }
    case 'failed':
      return fail(state, event.problem, event.command);
  }
}

/**
 * Whether keys are coming, how many are marked, what filters them, how many there are, and whether more are on the server, for the header
 * of a pane with `height` rows.
 */
export function keyCounts({ list, dialog }: KeysState, height: number): string {
  const prefix = list.prefix === '' ? '' : `prefix ${escapeText(list.prefix)}`;
  const words = [markWords(list), prefix, filterWords(list.contains, dialog)];
  return listCounts(list, ['key', 'keys'], height, words);
}

/** The state with this list, and with nothing before it. */
function quiet(state: KeysState, list: PagedList<KeyEntry>): KeysState {
  return { ...state, list, busy: undefined, dialog: undefined };
}

/** Esc in the filter clears it; before a form, a question goes back to it. */
function close(state: KeysState): KeysState {
  if (state.dialog?.kind === 'prefix') return { ...state, dialog: undefined, list: narrow(state.list, '') };
  return { ...state, dialog: behind(state.dialog) };
}

function changeForm(state: KeysState, event: FormEvent): KeysState {
  if (state.dialog?.kind !== 'form') return state;
  return { ...state, dialog: { ...state.dialog, form: reduceForm(state.dialog.form, event) } };
}

/** A failure of what a form asked for stays in the form, with everything typed; no other failure takes it away. */
function fail(state: KeysState, problem: Problem, command: KeysCommand): KeysState {
  if (state.dialog?.kind === 'form' && state.dialog.form.saving && command.does !== 'list') {
    return changeForm({ ...state, busy: undefined }, { type: 'failed', problem });
  }
  if (state.dialog?.kind === 'form' && command.does === 'list') {
    return { ...state, list: stopList(state.list) };
  }
  const next = { ...state, busy: undefined, dialog: { kind: 'problem', problem, command } } as const;
  return command.does === 'list' ? { ...next, list: stopList(state.list) } : next;
}

const busyWords: Readonly<Record<(KeyCommand | MarkedCommand)['does'], string>> = {
  write: 'saving',
  remove: 'deleting',
  edit: 'reading',
  'edit-outside': 'editing',
  'remove-marked': 'starting',
  'expire-marked': 'starting',
  export: 'starting',
  'copy-keys': 'looking up',
  import: 'opening',
};
