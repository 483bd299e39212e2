import type { ObjectAddress } from '../../src/model/object.ts';
import type { Problem } from '../../src/model/problem.ts';
import { escapeText } from '../../src/text/escape.ts';
import { behind, type Dialog, whileCarriedOut } from '../dialog.ts';
import { type FormEvent, reduceForm } from '../form-state.ts';
import type { ObjectCommand, ObjectOutcome } from './object-commands.ts';
import type { ObjectForm, ObjectSubject } from './object-forms.ts';

/** What a pane of objects asks for: to read what it shows, or a command about objects. */
export type WorkCommand = { readonly does: 'read' } | ObjectCommand;

export type WorkDialog = Dialog<WorkCommand, ObjectForm['purpose'], ObjectSubject>;

/** What is under way in a pane of objects, and what stands before it. */
export interface Work {
  /** What is under way, in words, and how far it is. */
  readonly busy?: string | undefined;
  /** The form that asked for what is under way: it comes back when that fails. */
  readonly pending?: ObjectForm | undefined;
  readonly dialog?: WorkDialog | undefined;
}

export type WorkEvent =
  | { readonly type: 'asked'; readonly dialog: WorkDialog }
  /** Something has the name already: asks whether to replace it. */
  | { readonly type: 'exists'; readonly command: Extract<ObjectOutcome, { type: 'exists' }>['command'] }
  | { readonly type: 'form'; readonly event: FormEvent }
  | { readonly type: 'begun'; readonly command: ObjectCommand }
  | { readonly type: 'went-on'; readonly busy: string }
  | { readonly type: 'ended' | 'dismissed' }
  | { readonly type: 'failed'; readonly problem: Problem; readonly command: WorkCommand };

/** What is under way after an event. */
export function reduceWork(work: Work, event: WorkEvent): Work {
  switch (event.type) {
    case 'asked':
      return { dialog: event.dialog };
    case 'exists':
      return { dialog: replaceDialog(event.command, work.pending) };
    case 'form':
      if (work.dialog?.kind !== 'form') return work;
      return { ...work, dialog: { ...work.dialog, form: reduceForm(work.dialog.form, event.event) } };
    case 'begun':
      return { busy: busyWords[event.command.does], pending: whileCarriedOut(work.dialog) };
    case 'went-on':
      return { ...work, busy: event.busy };
    case 'ended':
      return {};
    case 'dismissed':
      return { busy: work.busy, pending: work.pending, dialog: behind(work.dialog) };
    case 'failed':
      return fail(work, event.problem, event.command);
  }
}

const busyWords: Readonly<Record<ObjectCommand['does'], string>> = {
  upload: 'uploading',
  download: 'downloading',
  copy: 'copying',
  remove: 'deleting',
  count: 'counting',
  'remove-below': 'deleting',
};

/** The form that is open or waits behind a question, or undefined. */
export function formBefore({ dialog }: Work): ObjectForm | undefined {
  const open = dialog?.kind === 'confirm' ? dialog.behind : dialog;
  return open?.kind === 'form' ? open : undefined;
}

/** Asks before an object is deleted. */
export function removeDialog(address: ObjectAddress): WorkDialog {
  const question = {
    question: `Delete the object ${escapeText(address.key)}?`,
    lost: [`Bucket: ${escapeText(address.bucket)}.`, 'Its bytes and metadata are lost. There is no undo.'],
    yes: 'delete it',
  };
  return { kind: 'confirm', question, command: { does: 'remove', address } };
}

function replaceDialog(
  command: Extract<ObjectOutcome, { type: 'exists' }>['command'],
  pending: ObjectForm | undefined,
): WorkDialog {
  const what = command.does === 'download' ? `file ${command.path}` : `object ${command.to.key}`;
  const question = {
    question: `The ${escapeText(what)} exists already. Replace it?`,
    lost: [command.does === 'download' ? 'What is in it is lost.' : 'Its bytes and metadata are lost.'],
    yes: 'replace it',
  };
  return { kind: 'confirm', question, command: { ...command, replace: true }, behind: pending };
}

/** What a form asked for fails in the form, with everything typed. Reading goes on beside what is under way. */
function fail(work: Work, problem: Problem, command: WorkCommand): Work {
  if (command.does === 'read') return { ...work, dialog: { kind: 'problem', problem, command } };
  const { pending } = work;
  if (pending === undefined) return { dialog: { kind: 'problem', problem, command } };
  return { dialog: { ...pending, form: reduceForm(pending.form, { type: 'failed', problem }) } };
}
