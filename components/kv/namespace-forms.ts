import type { Namespace } from '../../src/model/kv/kv.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { OtherSide } from '../kit/open-pane.ts';
import type { FormDialog, MenuDialog } from '../ui/forms/dialog.ts';
import { formValues, openForm } from '../ui/forms/form-state.ts';
import type { FormRead } from '../ui/lists/list-source.ts';

/** Commands of the pane to the services. */
export type NamespacesCommand =
  | { readonly does: 'create'; readonly title: string }
  | { readonly does: 'rename'; readonly namespace: Namespace; readonly title: string }
  /** Finds out what still names it, and then asks whether to delete it. */
  | { readonly does: 'look-up'; readonly namespace: Namespace }
  | { readonly does: 'remove'; readonly namespace: Namespace }
  /** Asks what its keys are compared with. */
  | { readonly does: 'choose-other'; readonly namespace: Namespace }
  | { readonly does: 'compare'; readonly namespace: Namespace; readonly other: OtherSide };

/** The list of namespaces. */
export interface NamespaceParts {
  readonly row: Namespace;
  readonly command: NamespacesCommand;
  readonly purpose: 'create' | 'rename' | 'remove';
  readonly subject: Namespace;
}

type NamespaceForm = FormDialog<NamespaceParts['purpose'], Namespace>;

/** The form of a new namespace. */
export function createForm(): NamespaceForm {
  const form = openForm('New namespace', [{ name: 'title', label: 'Title', value: '' }]);
  return { kind: 'form', purpose: 'create', subject: undefined, form };
}

/** The form of a namespace's other title. */
export function renameForm(subject: Namespace): NamespaceForm {
  const field = { name: 'title', label: 'Title', value: editable(subject.title) };
  const form = openForm(`Rename ${escapeText(subject.title)}`, [field]);
  return { kind: 'form', purpose: 'rename', subject, form };
}

/** Asks what the keys of a namespace are compared with. */
export function otherMenu(namespace: Namespace, sides: readonly OtherSide[]): MenuDialog<NamespacesCommand> {
  return {
    kind: 'menu',
    title: `Compare the keys of ${escapeText(namespace.title)} with those of`,
    items: sides.map((other) => ({ label: other.words, command: { does: 'compare', namespace, other } })),
    initial: 0,
  };
}

/** Asks for the title of a namespace before it is deleted, and names the bindings to it, given in words. */
export function removeForm(subject: Namespace, bindings: readonly string[]): NamespaceForm {
  const { id, title } = subject;
  const lines = [
    `All keys and values of ${escapeText(title)} (${escapeText(id)}) will be lost. There is no undo.`,
    ...bindings.map((binding) => `The binding ${escapeText(binding)} will be left behind.`),
    'Type its title to delete it.',
  ];
  const form = openForm('Delete namespace', [{ name: 'title', label: 'Title', value: '' }], lines);
  return { kind: 'form', purpose: 'remove', subject, form: { ...form, submit: 'delete', asks: true } };
}

/** Reads a filled form: a command, or the faults by the names of the fields. */
export function readNamespaceForm({ purpose, subject, form }: NamespaceForm): FormRead<NamespaceParts> {
  const title = formValues(form)['title'] ?? '';
  if (purpose === 'remove' && subject !== undefined) {
    return title === escapeText(subject.title)
      ? { command: { does: 'remove', namespace: subject } }
      : { errors: { title: 'This is not its title.' } };
  }
  if (title.trim() === '') return { errors: { title: 'A title cannot be empty.' } };
  if (subject === undefined) return { command: { does: 'create', title } };
  return { command: { does: 'rename', namespace: subject, title } };
}

/** A notice that the configuration still names a deleted namespace; undefined where it does not. */
export function leftWords({ title }: Namespace, left: readonly string[]): string | undefined {
  if (left.length === 0) return undefined;
  const bindings = left.map((binding) => escapeText(binding)).join(' and ');
  return `Deleted ${escapeText(title)}. Still bound, to be removed by you: ${bindings}`;
}

/** A title as it can stand in a field; one that a field cannot show is typed anew. */
function editable(title: string): string {
  return escapeText(title) === title.replaceAll('\\', '\\\\') ? title : '';
}
