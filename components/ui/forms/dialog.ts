import type { Problem } from '../../../src/model/problem.ts';
import type { Change } from '../../kit/changes.ts';
import type { Busy } from '../../kit/keys/busy.ts';
import type { OpenPane } from '../../kit/open-pane.ts';
import type { Question } from './Confirm.tsx';
import type { DialogLine } from './dialog-lines.ts';
import { type Form, reduceForm } from './form-state.ts';

/** Work that a pane waits for: the header's label meanwhile, and the result. `run` refuses with a Problem. */
export interface Work<O = PaneOutcome> {
  readonly busy: Busy;
  run(signal: AbortSignal): Promise<O>;
}

/** The result of an action or of work. Omitted parts do not happen. Strings are escaped. */
export interface PaneOutcome {
  /** The question or form that follows. */
  readonly dialog?: Dialog | undefined;
  /** Faults in the form that asked for the work, by the names of its fields. */
  readonly errors?: FormValues;
  readonly notice?: string | undefined;
  /** Why nothing was done. */
  readonly refusal?: string;
  /** The change to announce to the other panes. */
  readonly change?: Change | undefined;
  readonly opens?: OpenPane;
  /** The marked rows of the list have been dealt with. */
  readonly unmark?: boolean;
  /** A filter of the list would hide what there is now. */
  readonly unfilter?: boolean;
  /** The list must be read again to show the change. */
  readonly outdated?: boolean;
  /** The pane has nothing more to show. */
  readonly leaves?: boolean;
}

/** The result of an action: work that takes time, or an immediate outcome. */
export type ActionResult<O = PaneOutcome> = Work<O> | O | undefined;

/** The values of a form by the names of its fields. */
export type FormValues = Readonly<Record<string, string>>;

/** What a filled form asks for, or what is wrong with it by the names of its fields. */
export type Submitted<W = Work> = { readonly work: W } | { readonly errors: FormValues };

/** A form over a pane, with the function that turns its values into work. */
export function formDialog<W = Work>(
  form: Form,
  submit: (values: FormValues) => Submitted<W>,
): FormDialog<W> {
  return { kind: 'form', form, submit };
}

/** Whether a command is work that says itself what it does. */
export function isWork<O>(command: object): command is Work<O> {
  return 'busy' in command;
}

/** A form before a pane. What it becomes is settled when it opens, whatever is selected meanwhile. */
export interface FormDialog<W = Work> {
  readonly kind: 'form';
  readonly form: Form;
  /** Reads the values. */
  submit(values: FormValues): Submitted<W>;
}

/** A line to type in below a pane. */
export type LineMode = 'filter' | 'prefix' | 'contains' | 'search';

/**
 * A dialog before a pane, which takes the presses. `C` is what a confirmed question or an item of a menu starts, and the
 * retry of a problem starts again: work.
 */
export type Dialog<C = Work> =
  | { readonly kind: LineMode; readonly text: string }
  | FormDialog<C>
  | {
      readonly kind: 'confirm';
      readonly question: Question;
      readonly command: C;
      /** The form that comes back when the answer is no. */
      readonly behind?: FormDialog<C> | undefined;
    }
  | MenuDialog<C>
  | { readonly kind: 'problem'; readonly problem: Problem; readonly command: C };

/** A short menu instead of a pane. Its strings are escaped. */
export interface MenuDialog<C = Work> {
  readonly kind: 'menu';
  readonly title: string;
  /** Below the title: what the choice is about. */
  readonly lines?: readonly DialogLine[];
  readonly items: ReadonlyArray<{ readonly label: string; readonly command: C }>;
  /** The item that is selected at first. */
  readonly initial: number;
  /** Whether what is chosen changes something. */
  readonly asks?: boolean;
}

/**
 * Returns the form that stays before the pane while its command is carried out, so that a failure loses nothing typed.
 * A question in between changes nothing; undefined where no form asked for the command.
 */
export function whileCarriedOut<C>(dialog: Dialog<C> | undefined): FormDialog<C> | undefined {
  const open = dialog?.kind === 'confirm' ? dialog.behind : dialog;
  if (open?.kind !== 'form') return undefined;
  return { ...open, form: reduceForm(open.form, { type: 'saving' }) };
}

/** Returns the form of a question, to continue after a no. */
export function behind<C>(dialog: Dialog<C> | undefined): FormDialog<C> | undefined {
  if (dialog?.kind !== 'confirm' || dialog.behind === undefined) return undefined;
  return { ...dialog.behind, form: { ...dialog.behind.form, saving: false } };
}
