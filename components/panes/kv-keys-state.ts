import type { KeyEntry, Namespace } from '../../src/model/kv.ts';
import type { Problem } from '../../src/model/problem.ts';
import { escapeText } from '../../src/text/escape.ts';
import { groupDigits } from '../../src/text/size.ts';
import { atStart, type Cursor, type Move, moveCursor, putCursor } from '../cursor.ts';
import { behind, type Dialog, whileCarriedOut } from '../dialog.ts';
import { filterWords } from '../filter-words.ts';
import { type FormEvent, reduceForm } from '../form-state.ts';
import { appendRows, noRows, type Rows, rowAt } from '../rows.ts';
import { dropKey, findKey, matchesIn, putKey } from './key-rows.ts';
import type { KeyCommand, KeyFormPurpose, KeySubject } from './kv-key-commands.ts';

/** What the pane asks the services for. */
export type KeysCommand = { readonly does: 'list' } | KeyCommand;

export type KeysDialog = Dialog<KeysCommand, KeyFormPurpose, KeySubject>;

/** A list that is being read again, until it reaches the row that was selected. */
interface Refill {
  readonly rows: Rows<KeyEntry>;
  readonly name: string | undefined;
  readonly index: number;
}

export interface KeysState {
  readonly namespace: Namespace;
  /** Counts how often the list has been begun: pages of an earlier one are dropped. */
  readonly generation: number;
  /** Counts the pages that have come. */
  readonly pages: number;
  readonly rows: Rows<KeyEntry>;
  readonly complete: boolean;
  readonly loading: boolean;
  /** Whether the last page was shorter than a page can be: then the end is probably near. */
  readonly shortPage: boolean;
  /** Whether a page failed: nothing is loaded until the list is read again. */
  readonly stopped: boolean;
  /** Rows to load even while a filter hides most of them. */
  readonly wanted: number;
  /** What the platform was asked for. */
  readonly prefix: string;
  /** Shows only loaded keys that contain this text. */
  readonly contains: string;
  /** Indexes of the rows that `contains` lets through; undefined without it. */
  readonly matches: readonly number[] | undefined;
  readonly cursor: Cursor;
  readonly refill?: Refill | undefined;
  /** What is being done with a key at the moment, in words. */
  readonly busy?: string | undefined;
  readonly dialog?: KeysDialog | undefined;
}

export type KeysEvent =
  | { readonly type: 'moved'; readonly move: Move; readonly height: number }
  | { readonly type: 'asked'; readonly dialog: KeysDialog }
  | { readonly type: 'closed' | 'kept' | 'unfiltered' | 'applied' | 'more' }
  | { readonly type: 'listing' | 'loading' }
  | { readonly type: 'filtered'; readonly text: string }
  | { readonly type: 'form'; readonly event: FormEvent }
  | { readonly type: 'begun'; readonly command: KeyCommand }
  | {
      readonly type: 'page';
      readonly generation: number;
      readonly entries: readonly KeyEntry[];
      readonly complete: boolean;
    }
  | { readonly type: 'changed'; readonly name: string; readonly entry: KeyEntry | undefined }
  | { readonly type: 'failed'; readonly problem: Problem; readonly command: KeysCommand };

/** Keys in one page of a listing. */
export const pageLimit = 1000;

/** The state of a pane that has just been opened. */
export function noKeys(namespace: Namespace): KeysState {
  return {
    namespace,
    generation: 0,
    pages: 0,
    rows: noRows,
    complete: false,
    loading: false,
    shortPage: false,
    stopped: false,
    wanted: 1,
    prefix: '',
    contains: '',
    matches: undefined,
    cursor: atStart,
  };
}

/** The state after an event. */
export function reduceKeys(state: KeysState, event: KeysEvent): KeysState {
  switch (event.type) {
    case 'moved':
      return move(state, event.move, event.height);
    case 'asked':
      return { ...state, busy: undefined, dialog: event.dialog };
    case 'begun':
      return { ...state, busy: busyWords[event.command.does], dialog: whileCarriedOut(state.dialog) };
    case 'closed':
      return close(state);
    case 'kept':
      return { ...state, busy: undefined, dialog: undefined };
    case 'filtered':
      return filter({ ...state, dialog: { kind: 'prefix', text: event.text } }, event.text);
    case 'unfiltered':
      return state.contains !== '' ? filter(state, '') : startAgain(state, '');
    case 'applied':
      return startAgain({ ...state, dialog: undefined }, state.contains);
    case 'more':
      return { ...state, wanted: state.rows.length + 1 };
    case 'form':
      return changeForm(state, event.event);
    default:
      return reduceAnswer(state, event);
  }
}

type Answer = Extract<KeysEvent, { type: 'page' | 'changed' | 'failed' } | { type: 'listing' | 'loading' }>;

function reduceAnswer(state: KeysState, event: Answer): KeysState {
  switch (event.type) {
    case 'listing':
      return beginAgain(state, { rows: noRows, name: selectedKey(state)?.name, index: state.cursor.index });
    case 'loading':
      return { ...state, loading: true };
    case 'page':
      if (event.generation !== state.generation) return state;
      return addPage({ ...state, loading: false, pages: state.pages + 1 }, event.entries, event.complete);
    case 'changed':
      return change(state, event.name, event.entry);
    case 'failed':
      return fail(state, event.problem, event.command);
  }
}

/** Whether the next page should be asked for: one screen ahead of the cursor, and on while a page came short. */
export function needsPage(state: KeysState, height: number): boolean {
  if (state.complete || state.loading || state.stopped) return false;
  if (state.refill !== undefined) return true;
  const ahead = state.matches === undefined ? state.cursor.index + 2 * height : 0;
  const wanted = Math.max(ahead, state.wanted) + (state.shortPage ? pageLimit : 0);
  return state.rows.length < wanted;
}

/** How many rows the pane shows. */
export function shownLength(state: KeysState): number {
  return state.matches?.length ?? state.rows.length;
}

/** The entry in a row of the pane. */
export function shownKey(state: KeysState, index: number): KeyEntry | undefined {
  return rowAt(state.rows, state.matches === undefined ? index : (state.matches[index] ?? -1));
}

/** The entry under the cursor. */
export function selectedKey(state: KeysState): KeyEntry | undefined {
  return shownKey(state, state.cursor.index);
}

/**
 * Whether keys are coming, what filters them, how many there are, and whether more are on the server, for the header
 * of a pane with `height` rows.
 */
export function keyCounts(state: KeysState, height: number): string {
  const coming = state.loading || state.refill !== undefined || needsPage(state, height);
  const prefix = state.prefix === '' ? '' : `prefix ${escapeText(state.prefix)}`;
  const filtered = filterWords(state.contains, state.dialog);
  return [coming ? 'loading…' : '', prefix, filtered, loadedWords(state, coming)]
    .filter((words) => words !== '')
    .join(' · ');
}

function loadedWords(state: KeysState, coming: boolean): string {
  const loaded = groupDigits(state.rows.length);
  const open = !state.complete && !coming;
  const more = state.stopped ? ', stopped: r reads the list again' : open ? ', more on the server' : '';
  if (state.matches !== undefined) return `${groupDigits(state.matches.length)} of ${loaded} loaded${more}`;
  if (coming) return state.rows.length === 0 ? '' : `${loaded} loaded`;
  if (more !== '') return `${loaded} loaded${more}`;
  return `${loaded} ${loaded === '1' ? 'key' : 'keys'}`;
}

function move(state: KeysState, way: Move, height: number): KeysState {
  const length = shownLength(state);
  const cursor = moveCursor(state.cursor, way, length, height);
  const pastEnd =
    state.matches !== undefined && cursor.index === length - 1 && cursor.index === state.cursor.index;
  return { ...state, cursor, wanted: pastEnd ? state.rows.length + 1 : state.wanted };
}

/** Esc in the filter clears it; before a form, a question goes back to it. */
function close(state: KeysState): KeysState {
  if (state.dialog?.kind === 'prefix') return filter({ ...state, dialog: undefined }, '');
  return { ...state, dialog: behind(state.dialog) };
}

function filter(state: KeysState, contains: string): KeysState {
  const selected = selectedKey(state)?.name;
  const matches = contains === '' ? undefined : narrowed(state, contains);
  return selectName({ ...state, contains, matches }, selected);
}

/** A longer filter only looks at what the shorter one let through. */
function narrowed({ rows, matches, contains: before }: KeysState, contains: string): number[] {
  if (matches === undefined || before === '' || !contains.includes(before)) return matchesIn(rows, contains);
  return matches.filter((index) => rowAt(rows, index)?.name.includes(contains));
}

function startAgain(state: KeysState, prefix: string): KeysState {
  const { namespace, generation, dialog } = state;
  return beginAgain({ ...noKeys(namespace), generation, dialog, prefix }, undefined);
}

function beginAgain(state: KeysState, refill: Refill | undefined): KeysState {
  const fresh = { complete: false, loading: false, shortPage: false, stopped: false, busy: undefined };
  return { ...state, ...fresh, generation: state.generation + 1, dialog: undefined, refill };
}

function addPage(state: KeysState, entries: readonly KeyEntry[], complete: boolean): KeysState {
  const shortPage = entries.length < pageLimit;
  const { refill } = state;
  if (refill === undefined) return withRows(state, appendRows(state.rows, entries), { complete, shortPage });
  const rows = appendRows(refill.rows, entries);
  if (!complete && rows.length <= refill.index) return { ...state, shortPage, refill: { ...refill, rows } };
  const filled = withRows({ ...state, rows: noRows, matches: state.matches && [] }, rows, {
    complete,
    shortPage,
  });
  return selectName({ ...filled, refill: undefined }, refill.name);
}

/** The state with rows that begin with the ones it had. */
function withRows(state: KeysState, rows: Rows<KeyEntry>, rest: Partial<KeysState>): KeysState {
  const matches = state.matches && [...state.matches, ...matchesIn(rows, state.contains, state.rows.length)];
  return { ...state, ...rest, rows, matches };
}

function change(state: KeysState, name: string, entry: KeyEntry | undefined): KeysState {
  const { index, found } = findKey(state.rows, name);
  const reached = found || index < state.rows.length || state.complete;
  const belongs = entry !== undefined && reached && name.startsWith(state.prefix);
  const rows = belongs
    ? putKey(state.rows, entry)
    : entry === undefined
      ? dropKey(state.rows, name)
      : state.rows;
  const matches = state.matches && matchesIn(rows, state.contains);
  const next = { ...state, rows, matches, busy: undefined, dialog: undefined };
  if (belongs) return selectName(next, name);
  return { ...next, cursor: putCursor(state.cursor, state.cursor.index, shownLength(next)) };
}

function selectName(state: KeysState, name: string | undefined): KeysState {
  const length = shownLength(state);
  if (name === undefined) return { ...state, cursor: putCursor(state.cursor, state.cursor.index, length) };
  const { index, found } = findKey(state.rows, name);
  const shown = state.matches === undefined ? index : state.matches.indexOf(index);
  return {
    ...state,
    cursor: putCursor(state.cursor, found && shown !== -1 ? shown : state.cursor.index, length),
  };
}

function changeForm(state: KeysState, event: FormEvent): KeysState {
  if (state.dialog?.kind !== 'form') return state;
  return { ...state, dialog: { ...state.dialog, form: reduceForm(state.dialog.form, event) } };
}

/** A failure of what a form asked for stays in the form, with everything typed. */
function fail(state: KeysState, problem: Problem, command: KeysCommand): KeysState {
  if (state.dialog?.kind === 'form' && command.does === 'write') {
    return changeForm({ ...state, busy: undefined }, { type: 'failed', problem });
  }
  const next = { ...state, busy: undefined, dialog: { kind: 'problem', problem, command } } as const;
  return command.does === 'list' ? { ...next, loading: false, stopped: true, refill: undefined } : next;
}

const busyWords: Readonly<Record<KeyCommand['does'], string>> = {
  write: 'saving',
  remove: 'deleting',
  edit: 'reading',
  'edit-outside': 'editing',
};
