import { bindingFault } from '../../src/model/config.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Dialog, FormDialog } from '../ui/forms/dialog.ts';
import { type Field, formValues, openForm } from '../ui/forms/form-state.ts';
import type { FormRead } from '../ui/lists/list-source.ts';
import type { WorkerRow } from './worker-rows.ts';

/** Sets a secret. `replaces` says that there may be one of that name. */
interface SecretPut {
  readonly does: 'put';
  readonly name: string;
  readonly text: string;
  readonly replaces: boolean;
}

/** Commands of the pane to the services. */
export type WorkerCommand = SecretPut | { readonly does: 'remove'; readonly name: string } | RollBack;

/** Makes a version run that ran before. */
interface RollBack {
  readonly does: 'roll-back';
  readonly versionId: string;
  /** Also where secrets have another text since. */
  readonly force: boolean;
}

/** A worker as a list of what belongs to it. A form about a secret that is there has its name as the subject. */
export interface WorkerParts {
  readonly row: WorkerRow;
  readonly command: WorkerCommand;
  readonly purpose: 'create' | 'edit';
  readonly subject: string;
}

type SecretForm = FormDialog<WorkerParts['purpose'], string>;
type SecretDialog = Dialog<WorkerCommand, WorkerParts['purpose'], string>;

const textField: Field = {
  name: 'text',
  label: 'Text',
  value: '',
  hidden: true,
  multiline: true,
  note: 'Not shown, and not to be had back. Paste one of several lines as it is.',
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

/** Reads a filled form: a command, or the faults by the names of the fields. */
export function readSecretForm({ subject, form }: SecretForm): FormRead<WorkerParts> {
  const values = formValues(form);
  const name = subject ?? values['name'] ?? '';
  const text = values['text'] ?? '';
  const fault = subject === undefined ? bindingFault(name) : undefined;
  const errors = {
    ...(fault === undefined ? {} : { name: `Not a name: ${fault}.` }),
    ...(text === '' ? { text: 'A secret is not empty.' } : {}),
  };
  if (Object.keys(errors).length > 0) return { errors };
  return { command: { does: 'put', name, text, replaces: subject !== undefined } };
}

/** Asks before a new secret takes the place of one. */
export function replaceSecretDialog(put: SecretPut): SecretDialog {
  const question = {
    question: `The secret ${escapeText(put.name)} exists already. Replace its text?`,
    lost: ['The text that it has cannot be had back.'],
    yes: 'replace it',
  };
  return { kind: 'confirm', question, command: { ...put, replaces: true } };
}

/** Asks before a version takes the place of the one that runs. */
export function rollBackDialog(
  worker: string,
  {
    version: versionId,
    running,
    rolledBackAt,
  }: {
    readonly version: string;
    readonly running: string;
    readonly rolledBackAt: string | undefined;
  },
): SecretDialog {
  const question = {
    question: `Run the version ${escapeText(versionId)} of the worker ${escapeText(worker)} again?`,
    lost: [
      ...(rolledBackAt === undefined
        ? []
        : [`It was rolled back from at ${escapeText(rolledBackAt)}: it may be the faulty one.`]),
      `The version ${escapeText(running)} stops at once, and can be run again in the same way.`,
      'Its code and bindings are those of the version; what namespaces and buckets hold stays as it is.',
    ],
    yes: 'run it',
  };
  return { kind: 'confirm', question, command: { does: 'roll-back', versionId, force: false } };
}

/** Asks before a rollback brings back older texts of secrets, or takes away those that the version does not have. */
export function oldSecretsDialog(command: RollBack, secrets: readonly string[]): SecretDialog {
  const names = secrets.map((name) => escapeText(name)).join(', ');
  const question = {
    question: 'Secrets have changed since that version. Roll back anyway?',
    lost: [`They become as in that version, with an older text or gone: ${names}.`],
    yes: 'roll back',
  };
  return { kind: 'confirm', question, command: { ...command, force: true } };
}

/** Asks before a secret is deleted. */
export function removeSecretDialog(worker: string, name: string): SecretDialog {
  const question = {
    question: `Delete the secret ${escapeText(name)} of the worker ${escapeText(worker)}?`,
    lost: ['Its text cannot be had back. The worker that runs goes without it at once.'],
    yes: 'delete it',
  };
  return { kind: 'confirm', question, command: { does: 'remove', name } };
}
