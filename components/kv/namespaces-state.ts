import type { Namespace } from '../../src/model/kv/kv.ts';
import type { Problem } from '../../src/model/problem.ts';
import { escapeText } from '../../src/text/escape.ts';
import { groupDigits } from '../../src/text/size.ts';
import { type Dialog, whileCarriedOut } from '../forms/dialog.ts';
import { type FormEvent, formValues, openForm, reduceForm } from '../forms/form-state.ts';
import { atStart, type Cursor, type Move, moveCursor, putCursor } from '../lists/cursor.ts';
import { filterWords } from '../lists/filter.ts';

/** What the pane asks the services for. */
export type NamespacesCommand =
  | { readonly does: 'list' }
  | { readonly does: 'create'; readonly title: string }
  | { readonly does: 'rename'; readonly namespace: Namespace; readonly title: string }
  | { readonly does: 'remove'; readonly namespace: Namespace };

export type NamespacesDialog = Dialog<NamespacesCommand, 'create' | 'rename' | 'remove', Namespace>;

export interface NamespacesState {
  readonly namespaces: readonly Namespace[];
  /** Whether the list is still coming. */
  readonly loading: boolean;
  /** Whether the list could not be read to its end. */
  readonly stopped: boolean;
  readonly cursor: Cursor;
  /** Shows only titles and ids that contain this text, in any case. */
  readonly contains: string;
  readonly dialog?: NamespacesDialog | undefined;
}

export type NamespacesEvent =
  | { readonly type: 'moved'; readonly move: Move; readonly height: number }
  | { readonly type: 'asked'; readonly dialog: NamespacesDialog }
  | { readonly type: 'closed' }
  | { readonly type: 'kept' }
  | { readonly type: 'filtered'; readonly text: string }
  | { readonly type: 'unfiltered' }
  | { readonly type: 'form'; readonly event: FormEvent }
  | { readonly type: 'bound'; readonly namespace: Namespace; readonly bindings: readonly string[] }
  | { readonly type: 'listing' }
  | { readonly type: 'begun' }
  | { readonly type: 'listed'; readonly namespaces: readonly Namespace[]; readonly complete: boolean }
  | { readonly type: 'created'; readonly namespace: Namespace }
  | { readonly type: 'renamed'; readonly namespace: Namespace }
  /** `left` are the entries of the configuration that still name it, in words. */
  | { readonly type: 'removed'; readonly namespace: Namespace; readonly left: readonly string[] }
  | { readonly type: 'failed'; readonly problem: Problem; readonly command: NamespacesCommand };

export const noNamespaces: NamespacesState = {
  namespaces: [],
  loading: true,
  stopped: false,
  cursor: atStart,
  contains: '',
};

/** The state after an event. */
export function reduceNamespaces(state: NamespacesState, event: NamespacesEvent): NamespacesState {
  switch (event.type) {
    case 'moved': {
      const length = shownNamespaces(state).length;
      return { ...state, cursor: moveCursor(state.cursor, event.move, length, event.height) };
    }
    case 'asked':
      return { ...state, dialog: event.dialog };
    case 'bound':
      return nameBindings(state, event.namespace, event.bindings);
    case 'closed':
      return filter({ ...state, dialog: undefined }, state.dialog?.kind === 'filter' ? '' : state.contains);
    case 'kept':
      return { ...state, dialog: undefined };
    case 'begun':
      return { ...state, dialog: whileCarriedOut(state.dialog) };
    case 'filtered':
      return filter({ ...state, dialog: { kind: 'filter', text: event.text } }, event.text);
    case 'unfiltered':
      return filter(state, '');
    case 'form':
      return changeForm(state, event.event);
    case 'failed':
      return fail(state, event.problem, event.command);
    default:
      return reduceAnswer(state, event);
  }
}

type Answer = Extract<NamespacesEvent, { type: 'listing' | 'listed' | 'created' | 'renamed' | 'removed' }>;

function reduceAnswer(state: NamespacesState, event: Answer): NamespacesState {
  const selection = selectedNamespace(state);
  switch (event.type) {
    case 'listing':
      return { ...state, loading: true, stopped: false, dialog: undefined };
    case 'listed': {
      const kept = event.complete || event.namespaces.length >= state.namespaces.length;
      const namespaces = kept ? event.namespaces : state.namespaces;
      return select({ ...state, namespaces, loading: !event.complete }, selection);
    }
    case 'created': {
      const namespaces = inOrder([...state.namespaces, event.namespace]);
      return select({ ...state, namespaces, contains: '', dialog: undefined }, event.namespace);
    }
    case 'renamed': {
      const others = without(state.namespaces, event.namespace);
      const namespaces = inOrder([...others, event.namespace]);
      return select({ ...state, namespaces, dialog: undefined }, event.namespace);
    }
    case 'removed': {
      const namespaces = without(state.namespaces, event.namespace);
      const next = { ...state, namespaces, dialog: undefined };
      return { ...next, cursor: putCursor(state.cursor, state.cursor.index, shownNamespaces(next).length) };
    }
  }
}

/** The namespaces that the filter lets through. */
export function shownNamespaces({ namespaces, contains }: NamespacesState): readonly Namespace[] {
  if (contains === '') return namespaces;
  const wanted = contains.toLowerCase();
  return namespaces.filter(({ id, title }) => `${title}\n${id}`.toLowerCase().includes(wanted));
}

/** The namespace under the cursor, or undefined in an empty list. */
export function selectedNamespace(state: NamespacesState): Namespace | undefined {
  return shownNamespaces(state)[state.cursor.index];
}

/** Whether the list is coming, how many there are, and the filter, for the header. */
export function namespaceCounts(state: NamespacesState): string {
  const all = groupDigits(state.namespaces.length);
  const end = state.stopped ? ', stopped: r reads the list again' : state.loading ? ' so far' : '';
  const counted =
    state.contains === ''
      ? `${all} ${all === '1' ? 'namespace' : 'namespaces'}${end}`
      : `${groupDigits(shownNamespaces(state).length)} of ${all}${end}`;
  const words = [state.loading ? 'loading…' : '', filterWords(state.contains, state.dialog), counted];
  return words.filter((word) => word !== '').join(' · ');
}

/** The dialog for an action on the selected namespace; creating needs none. */
export function namespaceDialog(
  purpose: 'create' | 'rename' | 'remove',
  selected: Namespace | undefined,
): NamespacesDialog {
  const subject = purpose === 'create' ? undefined : selected;
  const title = escapeText(subject?.title ?? '');
  if (purpose === 'remove') {
    const lines = [
      `All keys and values of ${title} (${escapeText(subject?.id ?? '')}) will be lost. There is no undo.`,
      'Type its title to delete it.',
    ];
    const form = openForm('Delete namespace', [{ name: 'title', label: 'Title', value: '' }], lines);
    return { kind: 'form', purpose, subject, form: { ...form, submit: 'delete' } };
  }
  const field = {
    name: 'title',
    label: 'Title',
    value: purpose === 'rename' ? editable(subject?.title) : '',
  };
  const heading = purpose === 'rename' ? `Rename ${title}` : 'New namespace';
  return { kind: 'form', purpose, subject, form: openForm(heading, [field]) };
}

/** What a filled form asks for, or what is wrong with it. */
export function readNamespaceForm(
  dialog: NamespacesDialog | undefined,
): { command: NamespacesCommand } | { errors: Record<string, string> } | undefined {
  if (dialog?.kind !== 'form') return undefined;
  const title = formValues(dialog.form)['title'] ?? '';
  const namespace = dialog.subject;
  if (dialog.purpose === 'remove' && namespace !== undefined) {
    if (title === escapeText(namespace.title)) return { command: { does: 'remove', namespace } };
    return { errors: { title: 'This is not its title.' } };
  }
  if (title.trim() === '') return { errors: { title: 'A title cannot be empty.' } };
  if (namespace === undefined) return { command: { does: 'create', title } };
  return { command: { does: 'rename', namespace, title } };
}

/** A title as it can stand in a field; one that a field cannot show is typed anew. */
function editable(title = ''): string {
  return escapeText(title) === title.replaceAll('\\', '\\\\') ? title : '';
}

function filter(state: NamespacesState, contains: string): NamespacesState {
  return select({ ...state, contains }, selectedNamespace(state));
}

/** Says in the question for a namespace's deletion, if it is still open, what would still name it. */
function nameBindings(
  state: NamespacesState,
  { id }: Namespace,
  bindings: readonly string[],
): NamespacesState {
  const { dialog } = state;
  if (dialog?.kind !== 'form' || dialog.purpose !== 'remove' || dialog.subject?.id !== id) return state;
  const named = bindings.map((binding) => `The binding ${escapeText(binding)} will be left behind.`);
  const lines = [...dialog.form.lines.slice(0, -1), ...named, ...dialog.form.lines.slice(-1)];
  return { ...state, dialog: { ...dialog, form: { ...dialog.form, lines } } };
}

/** What is said of a namespace that was deleted while the configuration names it; undefined where it does not. */
export function leftWords({ title }: Namespace, left: readonly string[]): string | undefined {
  if (left.length === 0) return undefined;
  const bindings = left.map((binding) => escapeText(binding)).join(' and ');
  return `Deleted ${escapeText(title)}. Still bound, to be removed by you: ${bindings}`;
}

function changeForm(state: NamespacesState, event: FormEvent): NamespacesState {
  if (state.dialog?.kind !== 'form') return state;
  return { ...state, dialog: { ...state.dialog, form: reduceForm(state.dialog.form, event) } };
}

/** A failure of what a form asked for stays in the form, with everything typed. */
function fail(state: NamespacesState, problem: Problem, command: NamespacesCommand): NamespacesState {
  if (state.dialog?.kind === 'form' && command.does === state.dialog.purpose) {
    return changeForm(state, { type: 'failed', problem });
  }
  const stopped = state.stopped || command.does === 'list';
  return { ...state, loading: false, stopped, dialog: { kind: 'problem', problem, command } };
}

function select(state: NamespacesState, selection: Namespace | undefined): NamespacesState {
  const shown = shownNamespaces(state);
  const found = shown.findIndex(({ id }) => id === selection?.id);
  return {
    ...state,
    cursor: putCursor(state.cursor, found === -1 ? state.cursor.index : found, shown.length),
  };
}

function without(namespaces: readonly Namespace[], { id }: Namespace): readonly Namespace[] {
  return namespaces.filter((namespace) => namespace.id !== id);
}

function inOrder(namespaces: readonly Namespace[]): readonly Namespace[] {
  return namespaces.toSorted((one, other) =>
    one.title < other.title ? -1 : one.title > other.title ? 1 : 0,
  );
}
