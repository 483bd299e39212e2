import type { Problem } from '../../../src/model/problem.ts';
import type { DialogLine } from './dialog-lines.ts';

/** One line of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  /** Whether it is a secret: drawn as stars. */
  readonly hidden?: boolean;
  /** Whether it may have several lines: they are on one line of the screen, with marks at their ends. */
  readonly multiline?: boolean;
  /** The fault of the value, shown below the field. */
  readonly error?: string;
  /** A hint for the reader, shown below the field when its value has no fault. */
  readonly note?: string;
  /** The values that it can have: one of them is picked. */
  readonly choices?: readonly FieldChoice[];
  /** The kind of name that Tab completes. */
  readonly completes?: FieldNames;
  /** The names that Tab found, instead of the note until more is typed. */
  readonly hint?: string;
  /** Whether Enter moves to it before it saves, as long as it is empty and was not visited. */
  readonly isExpected?: boolean;
}

/** One of the offered values of a field. */
export interface FieldChoice {
  readonly value: string;
  readonly label: string;
}

/** A place is a target or a profile; a path is one of this machine; a row is one of the list behind the form. */
export type FieldNames = 'namespace' | 'bucket' | 'place' | 'path' | 'row';

/** The field that is typed in. */
export function focusedField({ fields, focus }: Form): Field | undefined {
  return fields[focus];
}

/** A form: lines that say what it is about, and fields. Nothing in it is lost when saving fails. */
export interface Form {
  readonly title: string;
  /** Lines below the title, for example what will be lost. Outside data in them is escaped. */
  readonly lines: readonly DialogLine[];
  readonly fields: readonly Field[];
  /** A word for Enter, where it does not save. */
  readonly submit?: string;
  /** Whether it asks before something is lost: input typed before it was on the screen is not an answer. */
  readonly asks?: boolean;
  readonly focus: number;
  /** Whether it is being saved. It takes no presses until that has ended. */
  readonly saving: boolean;
  /** Why saving failed. */
  readonly problem?: Problem;
}

export type FormEvent =
  | { readonly type: 'typed'; readonly value: string }
  /** Several names begin as what is typed. */
  | { readonly type: 'hinted'; readonly hint: string }
  | { readonly type: 'focused'; readonly index: number }
  | { readonly type: 'next' }
  | { readonly type: 'previous' }
  | { readonly type: 'refused'; readonly errors: Readonly<Record<string, string>> }
  | { readonly type: 'saving' }
  /** Nobody waits any more until it is saved. */
  | { readonly type: 'given-up' }
  | { readonly type: 'failed'; readonly problem: Problem };

/** A form with its first field focused. */
export function openForm(title: string, fields: readonly Field[], lines: readonly DialogLine[] = []): Form {
  return { title, lines, fields, focus: 0, saving: false };
}

/** The form after an event. */
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

/** The index of the field to which Enter moves instead of saving; undefined if it saves. */
export function skippedField({ fields, focus }: Form): number | undefined {
  const index = fields.findIndex(
    (field, at) => at !== focus && field.isExpected === true && field.value === '',
  );
  return index === -1 ? undefined : index;
}

/** The values of a form by the names of its fields. */
export function formValues(form: Form): Record<string, string> {
  return Object.fromEntries(form.fields.map((field) => [field.name, field.value]));
}

/** What was seen empty may stay so. */
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
