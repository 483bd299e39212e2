import type { Problem } from '../../../src/model/problem.ts';
import type { Question } from './Confirm.tsx';
import type { DialogLine } from './dialog-lines.ts';
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
 * A dialog before a pane, which takes the presses. `C` are the pane's commands: a confirmed question or an item of a
 * menu carries one out, and the retry of a problem does so again.
 */
export type Dialog<C, Purpose extends string, Subject> =
  | { readonly kind: LineMode; readonly text: string }
  | FormDialog<Purpose, Subject>
  | {
      readonly kind: 'confirm';
      readonly question: Question;
      readonly command: C;
      /** The form that comes back when the answer is no. */
      readonly behind?: FormDialog<Purpose, Subject> | undefined;
    }
  | MenuDialog<C>
  | { readonly kind: 'problem'; readonly problem: Problem; readonly command: C };

/** A short menu in place of a pane. Its texts are escaped. */
export interface MenuDialog<C> {
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
export function whileCarriedOut<C, P extends string, S>(
  dialog: Dialog<C, P, S> | undefined,
): FormDialog<P, S> | undefined {
  const open = dialog?.kind === 'confirm' ? dialog.behind : dialog;
  if (open?.kind !== 'form') return undefined;
  return { ...open, form: reduceForm(open.form, { type: 'saving' }) };
}

/** Returns the form that a question came from, to go on with after a no. */
export function behind<C, P extends string, S>(
  dialog: Dialog<C, P, S> | undefined,
): FormDialog<P, S> | undefined {
  if (dialog?.kind !== 'confirm' || dialog.behind === undefined) return undefined;
  return { ...dialog.behind, form: { ...dialog.behind.form, saving: false } };
}

/** The names of a list beside which a form stands. */
export interface NamesBeside {
  /** Whether all of them have come. */
  isWhole(): boolean;
  /** Names that have come and begin with a text: so many that what they have in common is told. */
  loaded(beginning: string): readonly string[];
  /** Asks the platform for names that begin with a text: its first page. */
  read(beginning: string, signal: AbortSignal): Promise<readonly string[]>;
}
