import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import { Problem } from '../../src/model/problem.ts';
import { type KeyConflict, sha256Of, type Written } from '../../src/services/kv/key-change.ts';
import { escapeText } from '../../src/text/escape.ts';
import { guessKind } from '../../src/text/kind.ts';
import { type ConsoleParts, useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import type { Dialog, FormDialog } from '../forms/dialog.ts';
import type { KeyCommand, KeyFormPurpose, KeySubject, KeyWrite } from './key-commands.ts';
import { editKeyForm, expireKeyForm, readKeyForm } from './key-forms.ts';

export type KeyDialog = Dialog<KeyCommand, KeyFormPurpose, KeySubject>;
export type KeyForm = FormDialog<KeyFormPurpose, KeySubject>;

/** What a pane that shows keys makes of what becomes of its commands. */
export interface KeyListener {
  asked(dialog: KeyDialog): void;
  /** The key as it now is; without an entry it is gone. */
  changed(name: string, entry: KeyEntry | undefined, value: Uint8Array | undefined): void;
  /** An editor was closed without a change. */
  unchanged(): void;
  failed(problem: Problem, command: KeyCommand): void;
}

/** Carries out commands about one key of a namespace; `form` is the one that is open. */
export function useKeyCommands(
  namespace: Namespace,
  form: KeyForm | undefined,
  listener: KeyListener,
): (command: KeyCommand) => void {
  const parts = useConsole();
  const run = useRun();
  return (command) =>
    run({
      name: command.does,
      work: (signal) => carryOut(command, namespace, parts, signal),
      done: (result) => settle(result, namespace, parts, form, listener),
      failed: (problem) => listener.failed(problem, command),
    });
}

type Result =
  | { readonly type: 'removed'; readonly key: string }
  | { readonly type: 'form'; readonly purpose: 'edit' | 'expire'; readonly subject: KeySubject }
  | { readonly type: 'written'; readonly write: KeyWrite; readonly written: Written }
  | { readonly type: 'unchanged' };

async function carryOut(
  command: KeyCommand,
  { id }: Namespace,
  parts: ConsoleParts,
  signal: AbortSignal,
): Promise<Result> {
  const { kv } = parts.services;
  if (command.does === 'remove') {
    await kv.removeKey(id, command.key);
    return { type: 'removed', key: command.key };
  }
  if (command.does === 'write') return write(command, id, parts, signal);
  const subject = await kv.readKey(id, command.key, signal);
  if (subject === undefined) throw new Problem('not-found', `The key ${command.key} is gone.`);
  if (command.does === 'edit') return { type: 'form', purpose: command.purpose, subject };
  return editOutside(subject, id, parts, signal);
}

async function write(
  command: KeyWrite,
  id: string,
  parts: ConsoleParts,
  signal: AbortSignal,
): Promise<Result> {
  const written = await parts.services.kv.writeKey(id, command, signal);
  if (written.outcome === 'stored') parts.drafts.delete(draftName(id, command.key));
  return { type: 'written', write: command, written };
}

/** A text from the editor stays in the drafts until it is stored, so that no failure and no "no" loses it. */
async function editOutside(
  subject: KeySubject,
  id: string,
  parts: ConsoleParts,
  signal: AbortSignal,
): Promise<Result> {
  const { name } = subject.entry;
  const draft = parts.drafts.get(draftName(id, name));
  const kind = guessKind(subject.value.subarray(0, 512), subject.value.length <= 512).kind;
  const edited = await parts.editOutside(draft?.text ?? subject.value, kind === 'json' ? 'json' : 'txt');
  const basis = draft?.basis ?? subject.value;
  if ([basis, subject.value].some((known) => Buffer.compare(edited, known) === 0)) {
    parts.drafts.delete(draftName(id, name));
    return { type: 'unchanged' };
  }
  parts.drafts.set(draftName(id, name), { text: edited, basis });
  const command = { does: 'write', key: name, value: edited, expiry: 'kept', metadata: 'kept' } as const;
  return write({ ...command, basis: { sha256: sha256Of(basis) } }, id, parts, signal);
}

function draftName(namespaceId: string, key: string): string {
  return `${namespaceId}\n${key}`;
}

function settle(
  result: Result,
  namespace: Namespace,
  parts: ConsoleParts,
  open: KeyForm | undefined,
  listener: KeyListener,
): void {
  if (result.type === 'removed') {
    parts.notify(`Deleted ${escapeText(result.key)}.`);
    listener.changed(result.key, undefined, undefined);
  } else if (result.type === 'form') {
    const { purpose, subject } = result;
    const form = (purpose === 'edit' ? editKeyForm : expireKeyForm)(subject, parts.world.now());
    listener.asked({ kind: 'form', purpose, subject, form });
  } else if (result.type === 'unchanged') {
    parts.notify('Nothing changed.');
    listener.unchanged();
  } else if (result.written.outcome === 'conflict') {
    listener.asked(conflictDialog(result.write, result.written.theirs, namespace, open));
  } else {
    parts.notify(`Stored ${escapeText(result.write.key)}.`);
    listener.changed(result.write.key, result.written.entry, result.written.value);
  }
}

/** The form that is open or waits behind a question, or undefined. */
export function formOf<P extends string, S>(
  dialog: Dialog<unknown, P, S> | undefined,
): FormDialog<P, S> | undefined {
  const open = dialog?.kind === 'confirm' ? dialog.behind : dialog;
  return open?.kind === 'form' ? open : undefined;
}

/** The command of a filled form, or what is wrong with it; undefined when no form is open. */
export function readKeyDialog(open: KeyForm | undefined, now: number) {
  return open === undefined ? undefined : readKeyForm(open.purpose, open.subject, open.form, now);
}

/** Asks before a key is deleted. */
export function removeDialog(key: string, namespace: Namespace): KeyDialog {
  const question = {
    question: `Delete the key ${escapeText(key)}?`,
    lost: [
      `Namespace: ${escapeText(namespace.title)} (${escapeText(namespace.id)}).`,
      'Its value, expiry and metadata are lost. There is no undo.',
    ],
    yes: 'delete it',
  };
  return { kind: 'confirm', question, command: { does: 'remove', key } };
}

function conflictDialog(
  write: KeyWrite,
  theirs: KeyConflict['theirs'],
  namespace: Namespace,
  behind: KeyForm | undefined,
): KeyDialog {
  const key = escapeText(write.key);
  const questions = {
    exists: `The key ${key} exists already. Replace it?`,
    changed: `The value of ${key} has changed since you opened it. Replace it with yours?`,
    gone: `The key ${key} has been deleted since you opened it. Write it again?`,
  };
  const lost = {
    exists: `Its value in ${escapeText(namespace.title)} is lost.`,
    changed: 'What others have written is lost. No keeps your text: edit again to see it.',
    gone: 'No keeps your text: nothing of it is lost.',
  };
  return {
    kind: 'confirm',
    question: {
      question: questions[theirs],
      lost: [lost[theirs]],
      yes: theirs === 'gone' ? 'write it' : 'replace it',
    },
    command: { ...write, basis: undefined },
    behind,
  };
}
