import type { Problem } from '../../../src/model/problem.ts';
import type { Danger } from '../../kit/keys/shortcut.ts';
import type { DialogLine } from './dialog-lines.ts';
import type { PickerItem } from './Picker.tsx';

/** A field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** Whether the value is a secret, drawn as stars. */
  readonly hidden?: boolean;
  /** Whether several lines are allowed; they are drawn on one row, with a mark at each line end. */
  readonly multiline?: boolean;
  /** The error in the value, shown below the field. */
  readonly error?: string;
  /** A remark, shown below the field if its value has no error. */
  readonly note?: string;
  /** The allowed values, for a field with a picker. */
  readonly choices?: readonly FieldChoice[];
  /** The kind of name that Tab completes. */
  readonly completes?: FieldNames;
  /** The names that Tab has found, shown instead of the note until the user types again. */
  readonly hint?: string;
  /** Whether the field requires a value; the label then ends in an asterisk. */
  readonly isRequired?: boolean;
  /** Whether Enter moves to this field instead of saving the form. Applies only while the field is empty and has not been visited. */
  readonly isExpected?: boolean;
}

/** An allowed value of a field. */
export interface FieldChoice extends PickerItem {
  readonly value: string;
  /** What the value means: shown after the label if there is room, otherwise below the focused field. */
  readonly about?: string;
}

/** Returns the label of a choice, followed by its explanation. */
export function explainedLabel({ label, about }: Pick<FieldChoice, 'label' | 'about'>): string {
  return about === undefined ? label : `${label}: ${about}`;
}

/** The kind of name that Tab completes: `place` is a target or profile, `path` a local path, `row` a name in the list behind the form. */
export type FieldNames = 'namespace' | 'bucket' | 'place' | 'path' | 'row';

/** Returns the label of a field as drawn, with an asterisk for a required field. */
export function fieldLabel({ label, isRequired = false }: Field): string {
  return isRequired ? `${label} *` : label;
}

/** Returns the focused field. */
export function focusedField({ fields, focus }: Form): Field | undefined {
  return fields[focus];
}

/** A form: explanatory lines, and fields. The form keeps its content if saving fails. */
export interface Form {
  readonly title: string;
  /** Lines below the title, for example what will be lost. */
  readonly lines: readonly DialogLine[];
  readonly fields: readonly Field[];
  /** The label of Enter (default: save). */
  readonly submit?: string;
  /** The danger of submitting the form. A form with a danger drops input typed before the form was on the screen. */
  readonly danger?: Danger;
  readonly focus: number;
  /** Whether the form is being saved, and therefore ignores presses other than Esc. */
  readonly saving: boolean;
  /** The reason why saving failed. */
  readonly problem?: Problem;
}

/** Returns the title of a form, followed by `…` while the form is being saved. */
export function formTitle({ title, saving }: Form): string {
  return saving ? `${title} …` : title;
}

export type FormEvent =
  | { readonly type: 'typed'; readonly value: string }
  /** Tab has found several names that begin with the typed text. */
  | { readonly type: 'hinted'; readonly hint: string }
  | { readonly type: 'focused'; readonly index: number }
  | { readonly type: 'next' }
  | { readonly type: 'previous' }
  | { readonly type: 'refused'; readonly errors: Readonly<Record<string, string>> }
  | { readonly type: 'saving' }
  /** The user stopped waiting for the save. */
  | { readonly type: 'given-up' }
  | { readonly type: 'failed'; readonly problem: Problem };

/** Creates a form with its first field focused. */
export function openForm(title: string, fields: readonly Field[], lines: readonly DialogLine[] = []): Form {
  return { title, lines, fields, focus: 0, saving: false };
}

/** Returns the form after an event. */
export function reduceForm(form: Form, event: FormEvent): Form {
  switch (event.type) {
    case 'typed':
      return changeFocused(form, ({ error: _, hint: _hint, ...field }) => ({ ...field, value: event.value }));
    case 'hinted':
      return changeFocused(form, (field) => ({ ...field, hint: event.hint }));
    case 'focused':
      return focusOn(form, event.index);
    case 'next':
      return focusOn(form, (form.focus + 1) % form.fields.length);
    case 'previous':
      return focusOn(form, (form.focus + form.fields.length - 1) % form.fields.length);
    case 'refused':
      return refuse(form, event.errors);
    case 'saving': {
      const { problem: _, ...rest } = form;
      return { ...rest, saving: true };
    }
    case 'given-up':
      return { ...form, saving: false };
    case 'failed':
      return { ...form, saving: false, problem: event.problem };
  }
}

/** Returns the index of the field that Enter moves to instead of saving; undefined if Enter saves. */
export function skippedField({ fields, focus }: Form): number | undefined {
  const index = fields.findIndex(
    (field, at) => at !== focus && field.isExpected === true && field.value === '',
  );
  return index === -1 ? undefined : index;
}

/** Returns the values of a form by the names of its fields. */
export function formValues(form: Form): Record<string, string> {
  return Object.fromEntries(form.fields.map((field) => [field.name, field.value]));
}

/** Focuses a field, and records that it has been visited. */
function focusOn(form: Form, focus: number): Form {
  const fields = form.fields.map(({ isExpected, ...field }, index) =>
    index === focus || isExpected === undefined ? field : { ...field, isExpected },
  );
  return { ...form, fields, focus };
}

function changeFocused(form: Form, change: (field: Field) => Field): Form {
  const fields = form.fields.map((field, index) => (index === form.focus ? change(field) : field));
  return { ...form, fields };
}

function refuse(form: Form, errors: Readonly<Record<string, string>>): Form {
  const fields = form.fields.map(({ error: _, ...field }) => {
    const error = errors[field.name];
    return error === undefined ? field : { ...field, error };
  });
  const first = fields.findIndex((field) => errors[field.name] !== undefined);
  return { ...form, fields, saving: false, focus: first === -1 ? form.focus : first };
}
