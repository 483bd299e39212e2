import type { Problem } from '../../src/model/problem.ts';
import type { Question } from './Confirm.tsx';
import { type Form, reduceForm } from './form-state.ts';

/** A form before a pane. It knows by its purpose and its subject what it becomes, whatever is selected meanwhile. */
export interface FormDialog<Purpose extends string, Subject> {
  readonly kind: 'form';
  readonly purpose: Purpose;
  readonly subject: Subject | undefined;
  readonly form: Form;
}

/** A line to type in below a pane. */
export type LineMode = 'filter' | 'prefix' | 'contains' | 'search';

/**
 * What stands before a pane and takes the presses. `C` is the pane's commands: what a confirmed question or an item of
 * a menu does, and what a problem's retry does again.
 */
export type Dialog<C, Purpose extends string, Subject> =
  | { readonly kind: LineMode; readonly text: string }
  | FormDialog<Purpose, Subject>
  | {
      readonly kind: 'confirm';
      readonly question: Question;
      readonly command: C;
      /** What comes back when the answer is no. */
      readonly behind?: FormDialog<Purpose, Subject> | undefined;
    }
  | MenuDialog<C>
  | { readonly kind: 'problem'; readonly problem: Problem; readonly command: C };

/** A short menu in place of a pane. Its texts are escaped. */
export interface MenuDialog<C> {
  readonly kind: 'menu';
  readonly title: string;
  readonly items: ReadonlyArray<{ readonly label: string; readonly command: C }>;
  /** The item that is selected at first. */
  readonly initial: number;
}

/**
 * What stays before the pane while a command is carried out: the form that asked for it, also when a question came
 * between, so that a failure finds it with everything typed. Nothing otherwise.
 */
export function whileCarriedOut<C, P extends string, S>(
  dialog: Dialog<C, P, S> | undefined,
): FormDialog<P, S> | undefined {
  const open = dialog?.kind === 'confirm' ? dialog.behind : dialog;
  if (open?.kind !== 'form') return undefined;
  return { ...open, form: reduceForm(open.form, { type: 'saving' }) };
}

/** What comes back when a question is answered with no: the form that raised it, to go on with. */
export function behind<C, P extends string, S>(
  dialog: Dialog<C, P, S> | undefined,
): FormDialog<P, S> | undefined {
  if (dialog?.kind !== 'confirm' || dialog.behind === undefined) return undefined;
  return { ...dialog.behind, form: { ...dialog.behind.form, saving: false } };
}
