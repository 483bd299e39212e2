import type { Problem } from '../../../src/model/problem.ts';
import type { Busy } from '../../kit/keys/busy.ts';
import { type Dialog, type FormDialog, formBehind, savingForm } from './dialog.ts';
import { type FormEvent, reduceForm } from './form-state.ts';
import { isWriteEvent, reduceWrites, shownWrite, type WriteEvent, type WriteState } from './writes.ts';

/** The open dialog of a pane, and the work in progress. */
export interface DialogState<C> extends WriteState<C> {
  /** The running work for the header, except writes. */
  readonly busy?: Busy | undefined;
}

export type DialogEvent<C> =
  | WriteEvent<C>
  /** The user has opened a dialog. */
  | { readonly type: 'asked'; readonly dialog: Dialog<C> }
  /** Work has ended with a dialog. */
  | { readonly type: 'followed-up'; readonly dialog: Dialog<C> }
  | { readonly type: 'form'; readonly event: FormEvent }
  /** Work other than a write was started. */
  | { readonly type: 'begun'; readonly busy: Busy }
  /** Fields of the form are invalid. `errors` contains the error of each field by name. */
  | { readonly type: 'refused'; readonly errors: Readonly<Record<string, string>> }
  /** The user stopped waiting for the work. The form that started the work can be edited again. */
  | { readonly type: 'given-up' }
  /** Work has ended. The form that started it closes; a dialog that the user has opened meanwhile stays open. */
  | { readonly type: 'settled' }
  /** The dialog closes. */
  | { readonly type: 'cleared' }
  /** The user pressed Esc. A question returns to the form that raised it. */
  | { readonly type: 'dismissed' }
  | { readonly type: 'failed'; readonly problem: Problem; readonly command: C };

/** Returns the state after an event. */
export function reduceDialog<C, T extends DialogState<C>>(state: T, event: DialogEvent<C>): T {
  if (isWriteEvent<C>(event)) return reduceWrites<C, T>(state, event);
  switch (event.type) {
    case 'asked':
      return { ...state, busy: undefined, dialog: withForm(event.dialog, findForm(state.dialog)) };
    case 'followed-up':
      return { ...state, busy: undefined, dialog: withForm(event.dialog, findForm(state.dialog)) };
    case 'form':
      return updateForm(state, event.event);
    case 'begun':
      return { ...state, busy: event.busy, dialog: savingForm(state.dialog) };
    case 'refused':
      return updateForm({ ...state, busy: undefined }, event);
    case 'given-up':
      return updateForm({ ...state, busy: undefined }, { type: 'given-up' });
    case 'settled':
      return { ...state, busy: undefined, dialog: isSaving(state) ? undefined : state.dialog };
    case 'cleared':
      return { ...state, busy: undefined, dialog: undefined };
    case 'dismissed':
      return { ...state, dialog: formBehind(state.dialog) };
    case 'failed':
      return fail({ ...state, busy: undefined }, event.problem, event.command);
  }
}

/** Returns the open form, or the form behind an open question; undefined if neither exists. */
export function findForm<C>(dialog: Dialog<C> | undefined): FormDialog<C> | undefined {
  const open = dialog?.kind === 'confirm' ? dialog.formBehind : dialog;
  return open?.kind === 'form' ? open : undefined;
}

/** Returns the work for which an open form waits; undefined if no form waits. */
export function awaitedWork<C>(state: DialogState<C>): Busy | undefined {
  return findForm(state.dialog)?.form.saving === true ? (shownWrite(state)?.busy ?? state.busy) : undefined;
}

/** Returns the work that the header shows. A write is shown only while its form is open. */
export function shownWork<C>(state: DialogState<C>): Busy | undefined {
  return shownWrite(state)?.busy ?? state.busy;
}

/** Returns whether the open form waits for its work. */
function isSaving<C>({ dialog }: DialogState<C>): boolean {
  return dialog?.kind === 'form' && dialog.form.saving;
}

/** Attaches a form to a question that the form's work has raised, so that the answer No returns to the form. */
function withForm<C>(dialog: Dialog<C>, form: FormDialog<C> | undefined): Dialog<C> {
  return dialog.kind === 'confirm' && dialog.formBehind === undefined
    ? { ...dialog, formBehind: form }
    : dialog;
}

function updateForm<C, T extends DialogState<C>>(state: T, event: FormEvent): T {
  const { dialog } = state;
  return dialog?.kind === 'form'
    ? { ...state, dialog: { ...dialog, form: reduceForm(dialog.form, event) } }
    : state;
}

/** Shows a failure in the open form if the form waits for its work, otherwise in a separate dialog. */
function fail<C, T extends DialogState<C>>(state: T, problem: Problem, command: C): T {
  if (isSaving(state)) {
    return updateForm(state, { type: 'failed', problem });
  }
  return { ...state, dialog: { kind: 'problem', problem, command } };
}
