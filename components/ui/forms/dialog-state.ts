import type { Problem } from '../../../src/model/problem.ts';
import type { Busy } from '../../kit/keys/busy.ts';
import { behind, type Dialog, type FormDialog, whileCarriedOut } from './dialog.ts';
import { type FormEvent, reduceForm } from './form-state.ts';

/** The dialog before a pane, and the work under way. */
export interface DialogState<C> {
  /** The work under way, for the header. */
  readonly busy?: Busy | undefined;
  readonly dialog?: Dialog<C> | undefined;
}

export type DialogEvent<C> =
  /** The user opened a dialog. A write under way is still waited for. */
  | { readonly type: 'asked'; readonly dialog: Dialog<C> }
  /** Work has ended with a dialog. */
  | { readonly type: 'followed-up'; readonly dialog: Dialog<C> }
  | { readonly type: 'form'; readonly event: FormEvent }
  /** A command is being carried out. */
  | { readonly type: 'begun'; readonly busy: Busy }
  /** Something in the form turned out to be wrong, by the names of its fields. */
  | { readonly type: 'refused'; readonly errors: Readonly<Record<string, string>> }
  /** No one waits for the work any more. A form that started it can be edited again. */
  | { readonly type: 'given-up' }
  /** Work has ended: the form that asked for it closes, and whatever the user has opened meanwhile stays. */
  | { readonly type: 'settled' }
  /** The dialog closes. A running write continues and is still waited for. */
  | { readonly type: 'cleared' }
  /** Esc. A question goes back to the form that raised it. */
  | { readonly type: 'dismissed' }
  | { readonly type: 'failed'; readonly problem: Problem; readonly command: C };

/** The state after an event. */
export function reduceDialog<C, T extends DialogState<C>>(state: T, event: DialogEvent<C>): T {
  switch (event.type) {
    case 'asked':
      return { ...state, busy: writeOf(state), dialog: withForm(event.dialog, formOf(state.dialog)) };
    case 'followed-up':
      return { ...state, busy: undefined, dialog: withForm(event.dialog, formOf(state.dialog)) };
    case 'form':
      return inForm(state, event.event);
    case 'begun':
      return { ...state, busy: event.busy, dialog: whileCarriedOut(state.dialog) };
    case 'refused':
      return inForm({ ...state, busy: undefined }, event);
    case 'given-up':
      return inForm({ ...state, busy: undefined }, { type: 'given-up' });
    case 'settled':
      return { ...state, busy: undefined, dialog: isSaving(state) ? undefined : state.dialog };
    case 'cleared':
      return { ...state, busy: writeOf(state), dialog: undefined };
    case 'dismissed':
      return { ...state, dialog: behind(state.dialog) };
    case 'failed':
      return fail({ ...state, busy: undefined }, event.problem, event.command);
  }
}

/** The form that is open or waits behind a question, or undefined. */
export function formOf<C>(dialog: Dialog<C> | undefined): FormDialog<C> | undefined {
  const open = dialog?.kind === 'confirm' ? dialog.behind : dialog;
  return open?.kind === 'form' ? open : undefined;
}

/** The work that a pane waits for: a write, or what an open form is saved by. A reading is left, and not waited for. */
export function waitedFor<C>({ busy, dialog }: DialogState<C>): Busy | undefined {
  return busy?.kind === 'writing' || formOf(dialog)?.form.saving === true ? busy : undefined;
}

/** The write under way. */
function writeOf<C>({ busy }: DialogState<C>): Busy | undefined {
  return busy?.kind === 'writing' ? busy : undefined;
}

/** Whether the open form waits for the work that it asked for. */
function isSaving<C>({ dialog }: DialogState<C>): boolean {
  return dialog?.kind === 'form' && dialog.form.saving;
}

/** A question that a form has raised brings it back when the answer is no. */
function withForm<C>(dialog: Dialog<C>, form: FormDialog<C> | undefined): Dialog<C> {
  return dialog.kind === 'confirm' && dialog.behind === undefined ? { ...dialog, behind: form } : dialog;
}

function inForm<C, T extends DialogState<C>>(state: T, event: FormEvent): T {
  const { dialog } = state;
  return dialog?.kind === 'form'
    ? { ...state, dialog: { ...dialog, form: reduceForm(dialog.form, event) } }
    : state;
}

/** A failure of what a form asked for stays in the form, with everything typed. */
function fail<C, T extends DialogState<C>>(state: T, problem: Problem, command: C): T {
  if (isSaving(state)) {
    return inForm(state, { type: 'failed', problem });
  }
  return { ...state, dialog: { kind: 'problem', problem, command } };
}
