import type { Problem } from '../../../src/model/problem.ts';
import type { Change } from '../../kit/changes.ts';
import type { Busy } from '../../kit/keys/busy.ts';
import type { OpenPane } from '../../kit/open-pane.ts';
import type { Question } from './Confirm.tsx';
import type { DialogLine } from './dialog-lines.ts';
import { type Form, reduceForm } from './form-state.ts';
import type { PickerItem } from './Picker.tsx';

/** An operation that a pane runs, with its description for the header. If the work fails, `run` throws a Problem. */
export interface Work<O = PaneOutcome> {
  readonly busy: Busy;
  /** The id of the row that a write changes; the row shows the running write. */
  readonly row?: string | undefined;
  run(signal: AbortSignal): Promise<O>;
}

/** The result of an action or of work. Omitted parts have no effect. */
export interface PaneOutcome {
  /** The next question or form. */
  readonly dialog?: Dialog | undefined;
  /** Errors in the form that started the work, by field name. */
  readonly errors?: FormValues;
  readonly notice?: string | undefined;
  /** The reason why the action was not carried out. */
  readonly refusal?: string;
  /** The change to announce to the other panes. */
  readonly change?: Change | undefined;
  readonly opens?: OpenPane;
  /** Whether the marks of the list must be cleared because all marked rows have been handled. */
  readonly unmark?: boolean;
  /** Whether the filter of the list must be cleared because the filter would hide the result. */
  readonly unfilter?: boolean;
  /** Whether the list must be reread to show the change. */
  readonly outdated?: boolean;
  /** The next work, started after this work. */
  readonly next?: Work | undefined;
  /** Whether the pane closes because it has nothing left to show. */
  readonly closesPane?: boolean;
}

/** The result of an action: work that takes time, or an immediate outcome. */
export type ActionResult<O = PaneOutcome> = Work<O> | O | undefined;

/** The values of a form, by field name. */
export type FormValues = Readonly<Record<string, string>>;

/** The work of a completed form, or the form's errors by field name. */
export type Submitted<W = Work> = { readonly work: W } | { readonly errors: FormValues };

/** Returns a form dialog with the function that turns the form's values into work. */
export function formDialog<W = Work>(
  form: Form,
  submit: (values: FormValues) => Submitted<W>,
): FormDialog<W> {
  return { kind: 'form', form, submit };
}

/** Returns whether a command is work. */
export function isWork<O>(command: object): command is Work<O> {
  return 'busy' in command;
}

/** A form over a pane. `submit` keeps the subject with which the form was opened, even if another row is selected meanwhile. */
export interface FormDialog<W = Work> {
  readonly kind: 'form';
  readonly form: Form;
  /** Turns the values into work, or returns errors. */
  submit(values: FormValues): Submitted<W>;
  /** The write that is saving the form. */
  readonly savedBy?: number | undefined;
}

/** The kind of an input line below a pane. */
export type LineMode = 'filter' | 'prefix' | 'contains' | 'search';

/**
 * A dialog over a pane, which receives all presses. `C` is the type of the command that runs when a question is confirmed, a menu item is
 * chosen or a problem is retried (default: `Work`).
 */
export type Dialog<C = Work> =
  | { readonly kind: LineMode; readonly text: string }
  | FormDialog<C>
  | {
      readonly kind: 'confirm';
      readonly question: Question;
      readonly command: C;
      /** The form to return to if the answer is No. */
      readonly formBehind?: FormDialog<C> | undefined;
    }
  | MenuDialog<C>
  | { readonly kind: 'problem'; readonly problem: Problem; readonly command: C };

/** A menu over a pane. */
export interface MenuDialog<C = Work> {
  readonly kind: 'menu';
  readonly title: string;
  /** Lines below the title that explain the choice. */
  readonly lines?: readonly DialogLine[];
  readonly items: ReadonlyArray<PickerItem & { readonly command: C }>;
  /** Index of the initially selected item. */
  readonly initial: number;
  /** Whether a choice changes something. */
  readonly asks?: boolean;
  /** The label of Esc (default: cancel). */
  readonly cancel?: string;
  /** A notice after Esc, for example how to return to the menu. */
  readonly afterCancel?: string;
}

/**
 * Returns the form that started a command, directly or through a question. The returned form is marked as saving. The form stays open while
 * the command runs, so that a failure loses no typed values. Returns undefined if no form started the command.
 */
export function savingForm<C>(dialog: Dialog<C> | undefined, savedBy?: number): FormDialog<C> | undefined {
  const open = dialog?.kind === 'confirm' ? dialog.formBehind : dialog;
  if (open?.kind !== 'form') return undefined;
  return { ...open, savedBy, form: reduceForm(open.form, { type: 'saving' }) };
}

/** Returns the form behind a question, to which the answer No returns; undefined if none exists. */
export function formBehind<C>(dialog: Dialog<C> | undefined): FormDialog<C> | undefined {
  if (dialog?.kind !== 'confirm' || dialog.formBehind === undefined) return undefined;
  return { ...dialog.formBehind, form: { ...dialog.formBehind.form, saving: false } };
}
