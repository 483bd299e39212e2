import type { Dialog } from '../forms/dialog.ts';
import type { KeyCommand, KeyFormPurpose, KeySubject } from './key-commands.ts';
import type { MarkedCommand, MarkedForm, MarkedKeys, MarkedPurpose } from './key-marked.ts';
import { formOf, type KeyForm } from './use-key-commands.ts';

/** What the pane asks the services for. */
export type KeysCommand = { readonly does: 'list' } | KeyCommand | MarkedCommand;

export type KeysDialog = Dialog<KeysCommand, KeyFormPurpose | MarkedPurpose, KeySubject | MarkedKeys>;

const markedPurposes: readonly string[] = [
  'remove-marked',
  'expire-marked',
  'export',
  'copy-keys',
  'import',
] satisfies MarkedPurpose[];

function isAboutMany(purpose: string): purpose is MarkedPurpose {
  return markedPurposes.includes(purpose);
}

/** Whether a command is about many keys. */
export function isMarkedCommand(command: KeyCommand | MarkedCommand): command is MarkedCommand {
  return isAboutMany(command.does);
}

/** The form about one key that is open or waits behind a question. */
export function keyFormOf(dialog: KeysDialog | undefined): KeyForm | undefined {
  const open = formOf(dialog);
  if (open === undefined || isAboutMany(open.purpose)) return undefined;
  const { kind, purpose, subject, form } = open;
  return { kind, purpose, form, subject: subject !== undefined && 'entry' in subject ? subject : undefined };
}

/** The form about many keys that is open or waits behind a question. */
export function markedFormOf(dialog: KeysDialog | undefined): MarkedForm | undefined {
  const open = formOf(dialog);
  if (open === undefined || !isAboutMany(open.purpose)) return undefined;
  const { kind, purpose, subject, form } = open;
  return { kind, purpose, form, subject: subject !== undefined && 'names' in subject ? subject : undefined };
}
