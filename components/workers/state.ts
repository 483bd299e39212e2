import { bindingFault } from '../../src/model/config.ts';
import type { Problem } from '../../src/model/problem.ts';
import type { WorkerFacts } from '../../src/services/workers/facts.ts';
import { escapeText } from '../../src/text/escape.ts';
import { behind, type Dialog, type FormDialog, whileCarriedOut } from '../forms/dialog.ts';
import { type Field, type FormEvent, formValues, openForm, reduceForm } from '../forms/form-state.ts';
import { type Busy, deleting, reading, saving } from '../keymap/busy.ts';
import { atStart, type Cursor, type Move, moveCursor, putCursor } from '../lists/cursor.ts';
import { type WorkerRow, workerRows } from './rows.ts';

/** What the pane asks the services for. */
export type WorkerCommand =
  | { readonly does: 'read' }
  | { readonly does: 'put'; readonly name: string; readonly text: string }
  | { readonly does: 'remove'; readonly name: string };

/** A secret that gets another text, by its name; a new one has none yet. */
type SecretForm = FormDialog<'create' | 'edit', string>;

export type WorkerDialog = Dialog<WorkerCommand, 'create' | 'edit', string>;

export interface WorkerState {
  readonly worker: string;
  readonly rows: readonly WorkerRow[];
  /** Date of compatibility, for the header. */
  readonly compatibilityDate: string | undefined;
  readonly cursor: Cursor;
  readonly busy?: Busy | undefined;
  readonly dialog?: WorkerDialog | undefined;
}

export type WorkerEvent =
  | { readonly type: 'moved'; readonly move: Move; readonly height: number }
  | { readonly type: 'asked'; readonly dialog: WorkerDialog }
  | { readonly type: 'closed' }
  | { readonly type: 'form'; readonly event: FormEvent }
  | { readonly type: 'begun'; readonly command: WorkerCommand }
  | { readonly type: 'read'; readonly facts: WorkerFacts }
  | { readonly type: 'failed'; readonly problem: Problem; readonly command: WorkerCommand };

/** The state of a pane that has just been opened. */
export function noWorker({ name }: { readonly name: string }): WorkerState {
  return { worker: name, rows: [], compatibilityDate: undefined, cursor: atStart, busy: reading };
}

/** The state after an event. */
export function reduceWorker(state: WorkerState, event: WorkerEvent): WorkerState {
  switch (event.type) {
    case 'moved':
      return { ...state, cursor: moveCursor(state.cursor, event.move, state.rows.length, event.height) };
    case 'asked':
      return { ...state, dialog: event.dialog };
    case 'closed':
      return { ...state, dialog: behind(state.dialog) };
    case 'form':
      return changeForm(state, event.event);
    case 'begun': {
      const busy = { read: reading, put: saving, remove: deleting }[event.command.does];
      return { ...state, busy, dialog: whileCarriedOut(state.dialog) };
    }
    case 'read':
      return show(state, event.facts);
    case 'failed':
      return fail({ ...state, busy: undefined }, event.problem, event.command);
  }
}

/** The row under the cursor. */
export function selectedRow({ rows, cursor }: WorkerState): WorkerRow | undefined {
  return rows[cursor.index];
}

/** How much there is, for the header. */
export function factCounts({ rows, compatibilityDate }: WorkerState): string {
  const count = (kinds: readonly WorkerRow['kind'][], one: string) => {
    const length = rows.filter(({ kind }) => kinds.includes(kind)).length;
    return `${length} ${one}${length === 1 ? '' : 's'}`;
  };
  const date = compatibilityDate === undefined ? [] : [escapeText(compatibilityDate)];
  return [count(['secret'], 'secret'), count(['binding'], 'binding'), ...date].join(', ');
}

const textField: Field = {
  name: 'text',
  label: 'Text',
  value: '',
  hidden: true,
  note: 'Not shown, and not to be had back. One of several lines: edgectl secret put.',
};

/** The form of a new secret, or of another text for the secret of a name. */
export function secretForm(worker: string, name: string | undefined): SecretForm {
  const where = `for the worker ${escapeText(worker)}`;
  if (name === undefined) {
    const note = 'Found under this name on env.';
    const form = openForm(`New secret ${where}`, [
      { name: 'name', label: 'Name', value: '', note },
      textField,
    ]);
    return { kind: 'form', purpose: 'create', subject: undefined, form };
  }
  const form = openForm(`Another text of the secret ${escapeText(name)} ${where}`, [textField]);
  return { kind: 'form', purpose: 'edit', subject: name, form };
}

/** What a filled form asks for: a command, or a question before it; or what is wrong with it. */
export function readSecretForm({
  dialog,
  rows,
}: WorkerState):
  | { readonly command: WorkerCommand }
  | { readonly asks: WorkerDialog }
  | { readonly errors: Readonly<Record<string, string>> }
  | undefined {
  if (dialog?.kind !== 'form') return undefined;
  const values = formValues(dialog.form);
  const name = dialog.subject ?? values['name'] ?? '';
  const text = values['text'] ?? '';
  const fault = dialog.subject === undefined ? bindingFault(name) : undefined;
  const errors = {
    ...(fault === undefined ? {} : { name: `Not a name: ${fault}.` }),
    ...(text === '' ? { text: 'A secret is not empty.' } : {}),
  };
  if (Object.keys(errors).length > 0) return { errors };
  const command = { does: 'put', name, text } as const;
  const taken = rows.some((row) => row.kind === 'secret' && row.name === name);
  if (dialog.subject !== undefined || !taken) return { command };
  const question = {
    question: `The secret ${escapeText(name)} exists already. Replace its text?`,
    lost: ['The text that it has cannot be had back.'],
    yes: 'replace it',
  };
  return { asks: { kind: 'confirm', question, command, behind: dialog } };
}

/** Asks before a secret is deleted. */
export function removeSecretDialog(worker: string, name: string): WorkerDialog {
  const question = {
    question: `Delete the secret ${escapeText(name)} of the worker ${escapeText(worker)}?`,
    lost: ['Its text cannot be had back. The worker that runs goes without it at once.'],
    yes: 'delete it',
  };
  return { kind: 'confirm', question, command: { does: 'remove', name } };
}

/** The rows anew, with the selected one selected where it still is. */
function show(state: WorkerState, facts: WorkerFacts): WorkerState {
  const before = selectedRow(state);
  const rows = workerRows(facts);
  const found = rows.findIndex(({ kind, name }) => kind === before?.kind && name === before.name);
  const index = found === -1 ? state.cursor.index : found;
  return {
    worker: state.worker,
    rows,
    compatibilityDate: facts.compatibilityDate,
    cursor: putCursor(state.cursor, index, rows.length),
  };
}

function changeForm(state: WorkerState, event: FormEvent): WorkerState {
  if (state.dialog?.kind !== 'form') return state;
  return { ...state, dialog: { ...state.dialog, form: reduceForm(state.dialog.form, event) } };
}

/** A failure of what a form asked for stays in the form, with everything typed. */
function fail(state: WorkerState, problem: Problem, command: WorkerCommand): WorkerState {
  if (state.dialog?.kind === 'form' && command.does === 'put') {
    return changeForm(state, { type: 'failed', problem });
  }
  return { ...state, dialog: { kind: 'problem', problem, command } };
}
