import type { Namespace } from '../../src/model/kv/kv.ts';
import { Problem } from '../../src/model/problem.ts';
import { hashValue, type KeyConflict, type WholeKey } from '../../src/services/kv/key-change.ts';
import { prettyJson } from '../../src/text/json.ts';
import { guessKind } from '../../src/text/kind.ts';
import { decodeUtf8 } from '../../src/text/utf8.ts';
import { dangerWithUndo } from '../kit/danger.ts';
import { type Busy, deleting, reading, saving } from '../kit/keys/busy.ts';
import { undoHint, undoNotice } from '../kit/undo-notice.ts';
import type { Draft, PaneParts } from '../kit/use-console.ts';
import type { ActionResult, Dialog, MenuDialog, Work } from '../ui/forms/dialog.ts';
import type { DialogLine } from '../ui/forms/dialog-lines.ts';
import { compareLines, type DifferenceBlock } from '../ui/forms/difference-rows.ts';
import type { ViewOutcome } from '../ui/viewer/view-source.ts';
import { editKeyForm, expireKeyForm, type KeyWrite, newKeyForm } from './key-forms.ts';
import { type KeyText, withValue } from './value.ts';

/** The namespace whose keys a pane shows, and the parts of the pane. */
export interface NamespacePane {
  readonly namespace: Namespace;
  readonly parts: PaneParts;
}

/** The result of work on one key. The pane of the value shows the result's content; a list ignores the content. */
export type KeyOutcome = ViewOutcome<KeyText>;
type KeyWork = Work<KeyOutcome>;
type KeyDialog = Dialog<KeyWork>;

/** Copies the name of a key. */
export function copyName(key: string, { parts }: NamespacePane): KeyOutcome {
  return { notice: parts.copy(Buffer.from(key), `the name ${key}`) };
}

/** Opens the form for a new key. */
export function createKey(pane: NamespacePane): KeyOutcome {
  return { dialog: newKeyForm(pane.parts.world, (wanted) => writing(wanted, pane)) };
}

/** Opens the form that changes a key, with its current values. */
export function editing(key: string, pane: NamespacePane): KeyWork {
  return opening(reading, key, pane, (subject) => ({
    dialog: editKeyForm(subject, pane.parts.world, (wanted) => writing(wanted, pane)),
  }));
}

/** Opens the form that sets the expiry of a key. */
export function expiring(key: string, pane: NamespacePane): KeyWork {
  return opening(reading, key, pane, (subject) => ({
    dialog: expireKeyForm(subject, pane.parts.world, (wanted) => writing(wanted, pane)),
  }));
}

/** Returns the work that reads a whole key and passes the key to `then`. The work fails if the key no longer exists. */
function opening(
  busy: Busy,
  key: string,
  { namespace, parts }: NamespacePane,
  then: (subject: WholeKey, signal: AbortSignal) => KeyOutcome | Promise<KeyOutcome>,
): KeyWork {
  return {
    busy,
    async run(signal) {
      const subject = await parts.services.kv.readKey(namespace.id, key, signal);
      if (subject === undefined) throw new Problem('not-found', `The key ${key} no longer exists.`);
      return then(subject, signal);
    },
  };
}

function writing(wanted: KeyWrite, pane: NamespacePane): KeyWork {
  return { busy: saving, row: wanted.key, run: (signal) => write(wanted, pane, signal) };
}

async function write(wanted: KeyWrite, pane: NamespacePane, signal: AbortSignal): Promise<KeyOutcome> {
  const { namespace, parts } = pane;
  const { id } = namespace;
  const { key } = wanted;
  const unseen = unseenDialog(wanted, pane);
  if (unseen !== undefined) return { dialog: unseen };
  const { written, canUndo } = await parts.services.kv.writeKey(id, wanted, signal);
  if (written.outcome === 'conflict')
    return { dialog: await askAboutConflict(wanted, written.theirs, pane, signal) };
  parts.drafts.delete(draftName(id, key));
  return { notice: `Stored ${key}.${undoHint(canUndo)}`, ...became(written, namespace) };
}

/** Returns the change for lists and the new content for the pane of the value, after a key was read or written. */
function became(key: WholeKey, { id }: Namespace): KeyOutcome {
  const { entry } = key;
  const change = { changed: 'key', namespaceId: id, name: entry.name, entry } as const;
  return { change, content: (before) => withValue(before, key) };
}

/** Returns the question that shows the diff before a form changes a multi-line value. The answer No returns to the form. */
function unseenDialog({ unseen, ...wanted }: KeyWrite, pane: NamespacePane): KeyDialog | undefined {
  const { key, value } = wanted;
  if (unseen === undefined || value === 'kept') return undefined;
  const title = pane.namespace.title;
  const question = {
    question: `Store this in ${key} of ${title}?`,
    lost: [difference(unseen, value)],
    danger: dangerWithUndo(pane.parts.services.undo),
    yes: 'store it',
  };
  return { kind: 'confirm', question, command: writing(wanted, pane) };
}

const editor: Busy = { kind: 'reading', words: 'editing' };

/**
 * Opens the editor on a value. The edited text is kept in the drafts until it is stored or discarded: neither a failure nor Esc loses it.
 * If a draft exists, asks first what to do with the draft. If the old or the new text has several lines, asks before storing the text.
 */
export function editingOutside(key: string, pane: NamespacePane): KeyWork {
  return opening(editor, key, pane, (subject, signal) => {
    const draft = pane.parts.drafts.get(draftName(pane.namespace.id, key));
    return draft === undefined ? edit(subject, pane, signal) : { dialog: draftMenu(subject, draft, pane) };
  });
}

/** Opens the editor on the draft, or on the value if no draft exists, and returns the next step: a menu, or the write. */
async function edit(subject: WholeKey, pane: NamespacePane, signal: AbortSignal): Promise<KeyOutcome> {
  const { namespace, parts } = pane;
  const { entry, value } = subject;
  const key = entry.name;
  const name = draftName(namespace.id, key);
  const kind = guessKind(value.subarray(0, 512), value.length <= 512).kind;
  const before = parts.drafts.get(name)?.text ?? value;
  const text = await parts.editOutside(before, kind === 'json' ? 'json' : 'txt');
  if (Buffer.compare(text, value) === 0) return discard(subject, pane);
  const draft = { text, basis: value };
  parts.drafts.set(name, draft);
  const lines = text.includes(0x0a) || value.includes(0x0a);
  const now = await parts.services.kv.readKey(namespace.id, key, signal);
  const isOther = now !== undefined && Buffer.compare(now.value, value) !== 0;
  if (now !== undefined && (isOther || lines)) return { dialog: draftMenu(now, draft, pane) };
  return { next: writing(draftWrite(key, draft, value), pane) };
}

/** Returns the write that stores the text from the editor if the stored value is still `value`. */
function draftWrite(key: string, { text }: Draft, value: Uint8Array): KeyWrite {
  return { key, value: text, expiry: 'kept', metadata: 'kept', basis: { sha256: hashValue(value) } };
}

/** Deletes the draft, and shows the stored value. */
function discard(subject: WholeKey, { namespace, parts }: NamespacePane): KeyOutcome {
  const had = parts.drafts.delete(draftName(namespace.id, subject.entry.name));
  const notice = had ? 'Discarded the new text; nothing changed.' : 'Nothing changed.';
  return { notice, ...became(subject, namespace) };
}

/** Asks what to do with the text from the editor, and shows the diff from the current value to this text. */
function draftMenu({ entry, value }: WholeKey, draft: Draft, pane: NamespacePane): MenuDialog<KeyWork> {
  const key = entry.name;
  const isChanged = Buffer.compare(draft.basis, value) !== 0;
  return {
    kind: 'menu',
    title: isChanged ? changedQuestion(key) : `Store new text in ${key}?`,
    lines: [difference(value, draft.text)],
    items: [
      {
        label: isChanged ? 'store the new text, and replace the stored value' : 'store the new text',
        command: writing(draftWrite(key, draft, value), pane),
      },
      {
        label: 'edit it again',
        command: opening(editor, key, pane, (subject, signal) => edit(subject, pane, signal)),
      },
      {
        label: isChanged ? 'discard it, and keep the stored value' : 'discard it',
        command: opening(reading, key, pane, (subject) => discard(subject, pane)),
      },
    ],
    // Enter must not store text that nobody has checked.
    initial: 1,
    asks: true,
    cancel: 'close, keep the draft',
    afterCancel: 'Stored nothing, and kept the draft. Press E to open it again.',
  };
}

/** Returns the name of a key's draft. */
function draftName(namespaceId: string, key: string): string {
  return `${namespaceId}\n${key}`;
}

/** Deletes a key. Asks first, unless undo saves the key and the setting `confirm` turns off short questions. */
export function removeKey(
  key: string,
  pane: NamespacePane,
  after: KeyOutcome = {},
): ActionResult<KeyOutcome> {
  const { namespace, parts } = pane;
  const { undo } = parts.services;
  const command = removing(key, pane, after);
  if (undo?.asks === false) return command;
  const question = {
    question: `Delete the key ${key}?`,
    lost: [
      `Namespace: ${namespace.title} (${namespace.id})`,
      `The value, expiry and metadata ${undoNotice(undo)}`,
    ],
    danger: dangerWithUndo(undo),
    yes: 'delete it',
  };
  return { dialog: { kind: 'confirm', question, command } };
}

function removing(key: string, { namespace: { id }, parts }: NamespacePane, after: KeyOutcome): KeyWork {
  return {
    busy: deleting,
    row: key,
    async run(signal) {
      const canUndo = await parts.services.kv.removeKey(id, key, signal);
      const change = { changed: 'key', namespaceId: id, name: key, entry: undefined } as const;
      return { notice: `Deleted ${key}.${undoHint(canUndo)}`, change, ...after };
    },
  };
}

/** Returns the dialog about a conflict with the current value: a menu for text from the editor, otherwise a question with the diff. */
async function askAboutConflict(
  wanted: KeyWrite,
  theirs: KeyConflict['theirs'],
  pane: NamespacePane,
  signal: AbortSignal,
): Promise<KeyDialog> {
  const { key, value } = wanted;
  const { namespace, parts } = pane;
  const now = theirs === 'gone' ? undefined : await parts.services.kv.readKey(namespace.id, key, signal);
  const draft = parts.drafts.get(draftName(namespace.id, key));
  if (now !== undefined && draft !== undefined && draft.text === value) return draftMenu(now, draft, pane);
  const lines = now === undefined || value === 'kept' ? [] : [difference(now.value, value)];
  return conflictDialog(wanted, theirs, lines, pane);
}

function conflictDialog(
  wanted: KeyWrite,
  theirs: KeyConflict['theirs'],
  difference: readonly DialogLine[],
  pane: NamespacePane,
): KeyDialog {
  const key = wanted.key;
  const questions = {
    exists: `The key ${key} already exists. Replace it?`,
    changed: changedQuestion(key),
    gone: `The key ${key} has been deleted since you opened it. Write it again?`,
  };
  const lost = {
    exists: `The current value in ${pane.namespace.title} will be replaced.`,
    changed: 'Yes replaces the value that someone else wrote. No keeps your text without writing it.',
    gone: 'No keeps your text without writing it.',
  };
  const question = {
    question: questions[theirs],
    lost: [lost[theirs], ...difference],
    danger: theirs === 'gone' ? 'change' : dangerWithUndo(pane.parts.services.undo),
    yes: theirs === 'gone' ? 'write it' : 'replace it',
  };
  return { kind: 'confirm', question, command: writing({ ...wanted, basis: undefined }, pane) };
}

/** Returns the question about a value that someone else has changed, short enough for a border. */
function changedQuestion(key: string): string {
  return `${key} has changed since you opened it. Replace it?`;
}

/** Maximum number of bytes of JSON to format for a diff: a diff of longer JSON would have more lines than a user reads. */
const maxFormatted = 1024 * 1024;

/** Returns the diff from the stored value to the new value. If both are JSON, formats them first, because compact JSON is a single line. */
function difference(stored: Uint8Array, next: Uint8Array): DifferenceBlock {
  const sides = ['stored', 'new'] as const;
  const formatted = formatBoth(stored, next);
  const [before, after] = formatted ?? [stored, next];
  const names = { sides, ...(formatted !== undefined && { note: 'JSON, formatted' }) };
  return compareLines(splitLines(before), splitLines(after), names);
}

/**
 * Returns both values as formatted JSON; undefined if one value is not JSON, if both values already have this format, or if the values
 * differ only in white space.
 */
function formatBoth(
  stored: Uint8Array,
  next: Uint8Array,
): readonly [stored: Uint8Array, next: Uint8Array] | undefined {
  if (Math.max(stored.length, next.length) > maxFormatted) return undefined;
  const [before, after] = [stored, next].map((bytes) => prettyJson(bytes, 4 * maxFormatted));
  if (before === undefined || after === undefined || Buffer.compare(before, after) === 0) return undefined;
  const isFormatted = Buffer.compare(before, stored) === 0 && Buffer.compare(after, next) === 0;
  return isFormatted ? undefined : [before, after];
}

function splitLines(bytes: Uint8Array): string[] {
  return decodeUtf8(bytes).split('\n');
}
