import type { Problem } from '../../../src/model/problem.ts';
import type { Busy } from '../../kit/keys/busy.ts';
import { type Dialog, type FormDialog, savingForm } from './dialog.ts';
import { reduceForm } from './form-state.ts';

/** A write that runs while the pane can be used. */
export interface PendingWrite<C> {
  readonly id: number;
  readonly busy: Busy;
  /** The id of the row that the write changes; undefined if it changes no row. */
  readonly row: string | undefined;
  /** The form that started the write, with all typed values. */
  readonly form: FormDialog<C> | undefined;
  /**
   * Whether the write is in the background, because it takes a long time, or the user is not waiting for it. The result of a write in the
   * background opens no dialog.
   */
  readonly isBehind: boolean;
}

/** A write that failed or needs an answer, and whose dialog the user has not yet seen. */
export interface UnsettledWrite<C> {
  readonly id: number;
  readonly busy: Busy;
  readonly row: string | undefined;
  readonly dialog: Dialog<C>;
  readonly hasFailed: boolean;
}

/** The writes of a pane. */
export interface WriteState<C> {
  /** The running writes, oldest first; undefined if no write is running. */
  readonly writes?: readonly PendingWrite<C>[] | undefined;
  /** The unsettled writes, oldest first; undefined if there are none. */
  readonly unsettled?: readonly UnsettledWrite<C>[] | undefined;
  readonly dialog?: Dialog<C> | undefined;
}

export type WriteEvent<C> =
  | {
      readonly type: 'write-begun';
      readonly id: number;
      readonly busy: Busy;
      readonly row: string | undefined;
    }
  /** The write moves to the background, because it takes long or the user does not wait for it. Its form closes. */
  | { readonly type: 'write-behind'; readonly id: number }
  /** The write has ended: it succeeded, or it needs another dialog or corrected input. `errors` are the errors of fields, by name. */
  | {
      readonly type: 'write-ended';
      readonly id: number;
      readonly dialog?: Dialog<C> | undefined;
      readonly errors?: Readonly<Record<string, string>> | undefined;
    }
  | { readonly type: 'write-failed'; readonly id: number; readonly problem: Problem; readonly command: C }
  /** The user opens the dialog of the oldest unsettled write. */
  | { readonly type: 'recalled' };

const writeEvents: ReadonlySet<string> = new Set<WriteEvent<never>['type']>([
  'write-begun',
  'write-behind',
  'write-ended',
  'write-failed',
  'recalled',
]);

export function isWriteEvent<C>(event: { readonly type: string }): event is WriteEvent<C> {
  return writeEvents.has(event.type);
}

/** Returns the state after an event of a write. */
export function reduceWrites<C, T extends WriteState<C>>(state: T, event: WriteEvent<C>): T {
  switch (event.type) {
    case 'write-begun': {
      const form = savingForm(state.dialog, event.id);
      const { id, busy, row } = event;
      const write = { id, busy, row, form, isBehind: false };
      return { ...state, dialog: form, writes: [...(state.writes ?? []), write] };
    }
    case 'write-behind': {
      const writes = state.writes?.map((one) => (one.id === event.id ? { ...one, isBehind: true } : one));
      return { ...state, writes, dialog: isSavedBy(state.dialog, event.id) ? undefined : state.dialog };
    }
    case 'write-ended':
      return endWrite(state, event);
    case 'write-failed': {
      const { id, problem, command } = event;
      const { form } = findWrite(state, id) ?? {};
      const dialog: Dialog<C> =
        form === undefined
          ? { kind: 'problem', problem, command }
          : { ...form, form: reduceForm(form.form, { type: 'failed', problem }) };
      return settle(state, id, dialog, true);
    }
    case 'recalled': {
      const [first, ...rest] = state.unsettled ?? [];
      if (first === undefined || state.dialog !== undefined) return state;
      return { ...state, dialog: first.dialog, unsettled: rest.length === 0 ? undefined : rest };
    }
  }
}

/** Returns the write for which the open form waits; undefined if there is none. */
export function shownWrite<C>({ writes, dialog }: WriteState<C>): PendingWrite<C> | undefined {
  return writes?.find(({ id }) => isSavedBy(dialog, id));
}

/**
 * Formats the writes in the background for the header, such as `deleting…`, and the number of unsettled writes. Returns an empty string if
 * there are no such writes.
 */
export function formatWrites({ writes = [], unsettled = [], dialog }: WriteState<unknown>): string {
  const behind = writes.filter(({ id }) => !isSavedBy(dialog, id));
  const [first] = behind;
  const running = behind.length > 1 ? `sending ${behind.length} changes…` : first && `${first.busy.words}…`;
  const waiting = unsettled.length === 0 ? undefined : unsettledWords(unsettled);
  return [running, waiting].filter((words) => words !== undefined).join(' · ');
}

function unsettledWords(unsettled: readonly UnsettledWrite<unknown>[]): string {
  const failed = unsettled.filter(({ hasFailed }) => hasFailed).length;
  const asked = unsettled.length - failed;
  const words = asked === 1 ? '1 needs an answer' : `${asked} need an answer`;
  if (asked === 0) return `${failed} failed`;
  return failed === 0 ? words : `${failed} failed, ${words}`;
}

/** A running or unsettled write of a row, as shown in the row. */
export interface RowWrite {
  readonly words: string;
  readonly hasFailed: boolean;
}

/** Returns the writes that change rows, by the ids of the rows. */
export function rowWrites({
  writes = [],
  unsettled = [],
}: WriteState<unknown>): ReadonlyMap<string, RowWrite> {
  return new Map<string, RowWrite>([
    ...unsettled.flatMap(({ row, busy, hasFailed }) => {
      const words = `${busy.words} ${hasFailed ? 'failed' : 'needs an answer'}`;
      return row === undefined ? [] : [[row, { words, hasFailed: true }] as const];
    }),
    ...writes.flatMap(({ row, busy }) =>
      row === undefined ? [] : [[row, { words: `${busy.words}…`, hasFailed: false }] as const],
    ),
  ]);
}

function findWrite<C>({ writes }: WriteState<C>, id: number): PendingWrite<C> | undefined {
  return writes?.find((one) => one.id === id);
}

function isSavedBy(dialog: Dialog<unknown> | undefined, id: number): boolean {
  return dialog?.kind === 'form' && dialog.savedBy === id;
}

function endWrite<C, T extends WriteState<C>>(
  state: T,
  { id, dialog, errors }: Extract<WriteEvent<C>, { type: 'write-ended' }>,
): T {
  const { form } = findWrite(state, id) ?? {};
  const again = form && { ...form, form: { ...form.form, saving: false } };
  if (dialog !== undefined) return settle(state, id, attachForm(dialog, again), false);
  if (errors !== undefined && form !== undefined)
    return settle(state, id, { ...form, form: reduceForm(form.form, { type: 'refused', errors }) }, false);
  return { ...withoutWrite(state, id), dialog: isSavedBy(state.dialog, id) ? undefined : state.dialog };
}

/** Attaches a form to a question that the form's write has raised, so that the answer No returns to the form. */
function attachForm<C>(dialog: Dialog<C>, form: FormDialog<C> | undefined): Dialog<C> {
  return dialog.kind === 'confirm' && dialog.formBehind === undefined
    ? { ...dialog, formBehind: form }
    : dialog;
}

/** Ends a write with a dialog. The dialog opens if the user is waiting for the write; otherwise the write becomes unsettled. */
function settle<C, T extends WriteState<C>>(state: T, id: number, dialog: Dialog<C>, hasFailed: boolean): T {
  const write = findWrite(state, id);
  if (write === undefined) return state;
  const next = withoutWrite(state, id);
  const isFree = state.dialog === undefined || isSavedBy(state.dialog, id);
  if (!write.isBehind && isFree) return { ...next, dialog };
  const { busy, row } = write;
  return { ...next, unsettled: [...(state.unsettled ?? []), { id, busy, row, dialog, hasFailed }] };
}

function withoutWrite<C, T extends WriteState<C>>(state: T, id: number): T {
  const writes = state.writes?.filter((one) => one.id !== id);
  return { ...state, writes: writes?.length === 0 ? undefined : writes };
}
