import type { Namespace } from '../../src/model/kv/kv.ts';
import { Problem } from '../../src/model/problem.ts';
import { type KeyConflict, sha256Of } from '../../src/services/kv/key-change.ts';
import { escapeText } from '../../src/text/escape.ts';
import { guessKind } from '../../src/text/kind.ts';
import type { Change } from '../console/changes.ts';
import type { PaneParts } from '../console/use-console.ts';
import type { Dialog } from '../forms/dialog.ts';
import { keptWords, type UndoService, wayBackWords } from '../undo/service.ts';
import type { KeyCommand, KeyFormPurpose, KeySubject, KeyWrite } from './key-commands.ts';
import { editKeyForm, expireKeyForm } from './key-forms.ts';

export type KeyDialog = Dialog<KeyCommand, KeyFormPurpose, KeySubject>;

/** The result of a command about one key: a form or a question that follows, or a notice. */
export interface KeyOutcome {
  readonly dialog?: KeyDialog;
  /** Escaped. */
  readonly notice?: string;
  readonly change?: Extract<Change, { changed: 'key' }>;
  /** The value of the key now; undefined when it was deleted. */
  readonly value?: Uint8Array;
}

/** Carries out a command about one key of a namespace. */
export async function carryOutKey(
  command: KeyCommand,
  namespace: Namespace,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<KeyOutcome> {
  const { kv } = parts.services;
  const { key } = command;
  if (command.does === 'remove') {
    const kept = await kv.removeKey(namespace.id, key, signal);
    const change = { changed: 'key', namespaceId: namespace.id, name: key, entry: undefined } as const;
    return { notice: `Deleted ${escapeText(key)}.${keptWords(kept)}`, change };
  }
  if (command.does === 'write') return write(command, namespace, parts, signal);
  const subject = await kv.readKey(namespace.id, key, signal);
  if (subject === undefined) throw new Problem('not-found', `The key ${key} is gone.`);
  if (command.does === 'edit-outside') return editOutside(subject, namespace, parts, signal);
  const { purpose } = command;
  const form = (purpose === 'edit' ? editKeyForm : expireKeyForm)(subject, parts.world.now());
  return { dialog: { kind: 'form', purpose, subject, form } };
}

async function write(
  command: KeyWrite,
  namespace: Namespace,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<KeyOutcome> {
  const { id } = namespace;
  const { key } = command;
  const { written, kept } = await parts.services.kv.writeKey(id, command, signal);
  if (written.outcome === 'conflict') return { dialog: conflictDialog(command, written.theirs, namespace) };
  parts.drafts.delete(draftName(id, key));
  const change = { changed: 'key', namespaceId: id, name: key, entry: written.entry } as const;
  return { notice: `Stored ${escapeText(key)}.${keptWords(kept)}`, change, value: written.value };
}

/** A text from the editor stays in the drafts until it is stored, so that no failure and no "no" loses it. */
async function editOutside(
  subject: KeySubject,
  namespace: Namespace,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<KeyOutcome> {
  const { id } = namespace;
  const { name } = subject.entry;
  const draft = parts.drafts.get(draftName(id, name));
  const kind = guessKind(subject.value.subarray(0, 512), subject.value.length <= 512).kind;
  const edited = await parts.editOutside(draft?.text ?? subject.value, kind === 'json' ? 'json' : 'txt');
  const basis = draft?.basis ?? subject.value;
  if ([basis, subject.value].some((known) => Buffer.compare(edited, known) === 0)) {
    parts.drafts.delete(draftName(id, name));
    return { notice: 'Nothing changed.' };
  }
  parts.drafts.set(draftName(id, name), { text: edited, basis });
  const command = { does: 'write', key: name, value: edited, expiry: 'kept', metadata: 'kept' } as const;
  return write({ ...command, basis: { sha256: sha256Of(basis) } }, namespace, parts, signal);
}

function draftName(namespaceId: string, key: string): string {
  return `${namespaceId}\n${key}`;
}

/** Deletes a key, and asks before unless undo covers it and the short question is not wanted. */
export function removeKey(
  pane: { ask(dialog: KeyDialog): void; perform(command: KeyCommand): void },
  key: string,
  namespace: Namespace,
  { services: { undo } }: PaneParts,
): void {
  if (undo?.asks === false) pane.perform({ does: 'remove', key });
  else pane.ask(removeDialog(key, namespace, undo));
}

function removeDialog(key: string, namespace: Namespace, undo: UndoService | undefined): KeyDialog {
  const question = {
    question: `Delete the key ${escapeText(key)}?`,
    lost: [
      `Namespace: ${escapeText(namespace.title)} (${escapeText(namespace.id)}).`,
      `Its value, expiry and metadata are lost. ${wayBackWords(undo)}`,
    ],
    yes: 'delete it',
  };
  return { kind: 'confirm', question, command: { does: 'remove', key } };
}

function conflictDialog(write: KeyWrite, theirs: KeyConflict['theirs'], namespace: Namespace): KeyDialog {
  const key = escapeText(write.key);
  const questions = {
    exists: `The key ${key} exists already. Replace it?`,
    changed: `The value of ${key} has changed since you opened it. Replace it with yours?`,
    gone: `The key ${key} has been deleted since you opened it. Write it again?`,
  };
  const lost = {
    exists: `Its value in ${escapeText(namespace.title)} is replaced.`,
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
  };
}
