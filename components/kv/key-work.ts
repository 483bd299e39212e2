import type { Namespace } from '../../src/model/kv/kv.ts';
import { Problem } from '../../src/model/problem.ts';
import type { UndoService } from '../../src/services/console/undo.ts';
import { type KeyConflict, sha256Of } from '../../src/services/kv/key-change.ts';
import { escapeText } from '../../src/text/escape.ts';
import { guessKind } from '../../src/text/kind.ts';
import type { Change } from '../kit/changes.ts';
import { fateWords, keptWords } from '../kit/undo-words.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { Dialog } from '../ui/forms/dialog.ts';
import type { DialogLine } from '../ui/forms/dialog-lines.ts';
import { differenceLines, draftMenu, draftName } from './drafts.ts';
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
  if (command.does === 'discard') return discard(subject, namespace, parts);
  if (command.does === 'edit-outside' || command.does === 'edit-draft')
    return editOutside(command.does, subject, namespace, parts, signal);
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
  const unseen = unseenDialog(command, namespace);
  if (unseen !== undefined) return { dialog: unseen };
  const { written, kept } = await parts.services.kv.writeKey(id, command, signal);
  if (written.outcome === 'conflict')
    return { dialog: await conflictOf(command, written.theirs, namespace, parts, signal) };
  parts.drafts.delete(draftName(id, key));
  const change = { changed: 'key', namespaceId: id, name: key, entry: written.entry } as const;
  return { notice: `Stored ${escapeText(key)}.${keptWords(kept)}`, change, value: written.value };
}

/** Shows the difference before a form changes a value of several lines; No goes back to the form. */
function unseenDialog({ unseen, ...command }: KeyWrite, { title }: Namespace): KeyDialog | undefined {
  const { key, value } = command;
  if (unseen === undefined || value === 'kept') return undefined;
  const question = {
    question: `Store this in ${escapeText(key)} of ${escapeText(title)}? + is yours, - is what it replaces.`,
    lost: differenceLines(unseen, value),
    yes: 'store it',
  };
  return { kind: 'confirm', question, command };
}

/**
 * A text from the editor stays in the drafts until it is stored or discarded, so that no failure and no Esc loses it. One
 * that is there already is shown before anything else, and so is what one of several lines would change.
 */
async function editOutside(
  does: 'edit-outside' | 'edit-draft',
  subject: KeySubject,
  namespace: Namespace,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<KeyOutcome> {
  const { value } = subject;
  const key = subject.entry.name;
  const name = draftName(namespace.id, key);
  const draft = parts.drafts.get(name);
  if (draft !== undefined && does === 'edit-outside') return { dialog: draftMenu(subject, draft, namespace) };
  const kind = guessKind(value.subarray(0, 512), value.length <= 512).kind;
  const text = await parts.editOutside(draft?.text ?? value, kind === 'json' ? 'json' : 'txt');
  if (Buffer.compare(text, value) === 0) return discard(subject, namespace, parts);
  const edited = { text, basis: value };
  parts.drafts.set(name, edited);
  const lines = text.includes(0x0a) || value.includes(0x0a);
  const now = await parts.services.kv.readKey(namespace.id, key, signal);
  const isOther = now !== undefined && Buffer.compare(now.value, value) !== 0;
  if (now !== undefined && (isOther || lines)) return { dialog: draftMenu(now, edited, namespace) };
  const command = { does: 'write', key, value: text, expiry: 'kept', metadata: 'kept' } as const;
  return write({ ...command, basis: { sha256: sha256Of(value) } }, namespace, parts, signal);
}

function discard({ entry, value }: KeySubject, { id }: Namespace, { drafts }: PaneParts): KeyOutcome {
  const { name } = entry;
  const had = drafts.delete(draftName(id, name));
  const change = { changed: 'key', namespaceId: id, name, entry } as const;
  return { notice: had ? 'Discarded your text; nothing changed.' : 'Nothing changed.', change, value };
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
      `Its value, expiry and metadata ${fateWords(undo)}`,
    ],
    yes: 'delete it',
  };
  return { kind: 'confirm', question, command: { does: 'remove', key } };
}

/** Asks with what is there now: a text from the editor by its menu, and the rest with the difference. */
async function conflictOf(
  command: KeyWrite,
  theirs: KeyConflict['theirs'],
  namespace: Namespace,
  { services: { kv }, drafts }: PaneParts,
  signal: AbortSignal,
): Promise<KeyDialog> {
  const { key, value } = command;
  const now = theirs === 'gone' ? undefined : await kv.readKey(namespace.id, key, signal);
  const draft = drafts.get(draftName(namespace.id, key));
  if (now !== undefined && draft !== undefined && draft.text === value)
    return draftMenu(now, draft, namespace);
  const lines = now === undefined || value === 'kept' ? [] : differenceLines(now.value, value);
  return conflictDialog(command, theirs, lines, namespace);
}

function conflictDialog(
  write: KeyWrite,
  theirs: KeyConflict['theirs'],
  difference: readonly DialogLine[],
  namespace: Namespace,
): KeyDialog {
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
      lost: [lost[theirs], ...difference],
      yes: theirs === 'gone' ? 'write it' : 'replace it',
    },
    command: { ...write, basis: undefined },
  };
}
