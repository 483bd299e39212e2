import type { Problem } from '../../src/model/problem.ts';
import type { ObjectCount } from '../../src/services/objects/remove.ts';
import { escapeText } from '../../src/text/escape.ts';
import { behind, type Dialog, whileCarriedOut } from '../forms/dialog.ts';
import { type FormEvent, reduceForm } from '../forms/form-state.ts';
import { type Busy, starting } from '../keymap/busy.ts';
import { type Chosen, chosenWords, singleObject } from './chosen.ts';
import type { ObjectCommand, ObjectOutcome } from './commands.ts';
import { type ObjectForm, removeForm, sampleLines } from './forms.ts';

/** What a pane of objects asks for: to read what it shows, or a command about objects. */
export type WorkCommand = { readonly does: 'read' } | ObjectCommand;

export type WorkDialog = Dialog<WorkCommand, ObjectForm['purpose'], Chosen>;

/** What is under way in a pane of objects, and what stands before it. */
export interface Work {
  /** What is under way, in words. */
  readonly busy?: Busy | undefined;
  /** The form that asked for what is under way: it comes back when that fails. */
  readonly pending?: ObjectForm | undefined;
  readonly dialog?: WorkDialog | undefined;
}

type Exists = Extract<ObjectOutcome, { type: 'exists' }>;

export type WorkEvent =
  | { readonly type: 'asked'; readonly dialog: WorkDialog }
  | Exclude<ObjectOutcome, { type: 'started' }>
  | { readonly type: 'form'; readonly event: FormEvent }
  | { readonly type: 'begun'; readonly command: ObjectCommand }
  | { readonly type: 'ended' | 'dismissed' }
  | { readonly type: 'failed'; readonly problem: Problem; readonly command: WorkCommand };

/** What is under way after an event. */
export function reduceWork(work: Work, event: WorkEvent): Work {
  switch (event.type) {
    case 'asked':
      return { dialog: event.dialog };
    case 'counted':
      return { dialog: removeDialog(event.from, event.count) };
    case 'exists':
      return { dialog: replaceDialog(event, work.pending) };
    case 'refused':
      return {
        dialog: work.pending && inForm(work.pending, { type: 'refused', errors: event.errors }),
      };
    case 'form':
      return work.dialog?.kind === 'form' ? { ...work, dialog: inForm(work.dialog, event.event) } : work;
    case 'begun':
      return { busy: busyWith[event.command.does], pending: whileCarriedOut(work.dialog) };
    case 'ended':
      return {};
    case 'dismissed':
      return { busy: work.busy, pending: work.pending, dialog: behind(work.dialog) };
    case 'failed':
      return fail(work, event.problem, event.command);
  }
}

const busyWith: Readonly<Record<ObjectCommand['does'], Busy>> = {
  upload: { kind: 'reading', words: 'looking at the file' },
  download: { kind: 'reading', words: 'looking at the file' },
  copy: { kind: 'reading', words: 'looking for the object' },
  remove: starting,
  count: { kind: 'reading', words: 'counting' },
};

/** The form that is open or waits behind a question, or undefined. */
export function formBefore({ dialog }: Work): ObjectForm | undefined {
  const open = dialog?.kind === 'confirm' ? dialog.behind : dialog;
  return open?.kind === 'form' ? open : undefined;
}

/** From how many objects on a name has to be typed before they are deleted. */
const many = 100;

/** Asks before what was chosen is deleted: a yes for few objects, a name for many and for folders. */
export function removeDialog(chosen: Chosen, count: ObjectCount): WorkDialog {
  if (count.objects >= many || hasFolders(chosen)) return removeForm(chosen, count);
  const command = { does: 'remove', from: chosen } as const;
  const lost = 'Bytes and metadata are lost. There is no undo.';
  const object = singleObject(chosen);
  const bucket = escapeText(chosen.bucket);
  const question =
    object === undefined
      ? {
          question: `Delete ${chosenWords(chosen)} of ${bucket}?`,
          lost: [...sampleLines(chosen), lost],
          yes: 'delete them',
        }
      : {
          question: `Delete the object ${escapeText(object.key)}?`,
          lost: [`Bucket: ${bucket}.`, lost],
          yes: 'delete it',
        };
  return { kind: 'confirm', question, command };
}

/** Whether there are folders among what was chosen. */
export function hasFolders({ marked }: Chosen): boolean {
  return marked.some((item) => 'prefix' in item);
}

function replaceDialog({ command, name }: Exists, pending: ObjectForm | undefined): WorkDialog {
  const question = {
    question: `The ${escapeText(name)} exists already. Replace it?`,
    lost: [command.does === 'download' ? 'What is in it is lost.' : 'Its bytes and metadata are lost.'],
    yes: 'replace it',
  };
  return { kind: 'confirm', question, command: { ...command, existing: 'replace' }, behind: pending };
}

function inForm(dialog: ObjectForm, event: FormEvent): ObjectForm {
  return { ...dialog, form: reduceForm(dialog.form, event) };
}

/** What a form asked for fails in the form, with everything typed. So does reading beside one: the list says it. */
function fail(work: Work, problem: Problem, command: WorkCommand): Work {
  if (command.does === 'read') {
    return work.dialog?.kind === 'form' ? work : { ...work, dialog: { kind: 'problem', problem, command } };
  }
  const { pending } = work;
  if (pending === undefined) return { dialog: { kind: 'problem', problem, command } };
  return { dialog: inForm(pending, { type: 'failed', problem }) };
}
