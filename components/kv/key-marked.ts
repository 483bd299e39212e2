import type { Namespace } from '../../src/model/kv/kv.ts';
import type { Target } from '../../src/model/target.ts';
import { escapeText } from '../../src/text/escape.ts';
import { groupDigits } from '../../src/text/size.ts';
import type { Dialog, FormDialog } from '../ui/forms/dialog.ts';
import { hiddenLines, sampleLine } from '../ui/forms/dialog-lines.ts';
import { type Form, formValues, openForm } from '../ui/forms/form-state.ts';
import { readTtl, ttlField } from './key-forms.ts';

/** The purpose of a form about many keys, or about a file of them. */
export type MarkedPurpose = MarkedCommand['does'];

/** Keys as they were marked when a form or a question about them was opened. */
export interface MarkedKeys {
  readonly names: readonly string[];
}

/** Where a copy goes: nothing of it said is here. */
export interface Elsewhere {
  readonly target?: Target;
  readonly profile?: string;
}

/** Commands about many keys. All but `import` start a task; that one opens the preview of a file. */
export type MarkedCommand =
  | { readonly does: 'remove-marked'; readonly names: readonly string[] }
  | {
      readonly does: 'expire-marked';
      readonly names: readonly string[];
      /** UNIX seconds, or null for never. */
      readonly expiration: number | null;
    }
  | {
      readonly does: 'export';
      readonly names: readonly string[];
      /** As it was typed. */
      readonly path: string;
      readonly replace: boolean;
    }
  | {
      readonly does: 'copy-keys';
      readonly names: readonly string[];
      /** Title or id of the namespace there. */
      readonly to: string;
      readonly where: Elsewhere;
      readonly onConflict: 'skip' | 'overwrite' | 'fail';
    }
  | { readonly does: 'import'; readonly path: string };

export type MarkedForm = FormDialog<MarkedPurpose, MarkedKeys>;
export type MarkedDialog = Dialog<MarkedCommand, MarkedPurpose, MarkedKeys>;

/** From how many keys on the title of their namespace is asked for before they are deleted. */
const many = 100;

/** Asks before marked keys are deleted; `hidden` of them are not on the list that the reader sees. */
export function removeMarkedDialog(
  names: readonly string[],
  hidden: number,
  { title, id }: Namespace,
): MarkedDialog {
  const shown = escapeText(title);
  const warning = 'Their values, expiry and metadata are lost. There is no undo.';
  const command = { does: 'remove-marked', names } as const;
  if (names.length < many) {
    const question = {
      question: `Delete ${keysOf(names)} of ${shown}?`,
      lost: [...hiddenLines(hidden), warning, sampleLine(names)],
      yes: names.length === 1 ? 'delete it' : 'delete them',
    };
    return { kind: 'confirm', question, command };
  }
  // The last lines stay in sight on a small screen.
  const lines = [
    sampleLine(names),
    `Namespace id: ${escapeText(id)}.`,
    ...hiddenLines(hidden),
    `${warning} Type the title to delete them.`,
  ];
  const form = openForm(
    `Delete ${keysOf(names)} of ${shown}`,
    [{ name: 'title', label: 'Title', value: '' }],
    lines,
  );
  return {
    kind: 'form',
    purpose: command.does,
    subject: { names },
    form: { ...form, submit: 'delete', asks: true },
  };
}

/** The form that says when marked keys expire. */
export function expireMarkedForm(names: readonly string[], hidden: number): MarkedDialog {
  const note = 'From now: seconds, or 90m, 7d, 1h30m; or a date (2026-12-24T18:00, UTC); or "never".';
  const lines = [
    ...hiddenLines(hidden),
    'Each value is read and written again: a change that others make in that moment is lost.',
    sampleLine(names),
  ];
  const form = openForm(
    names.length === 1 ? 'When does 1 key expire?' : `When do ${keysOf(names)} expire?`,
    [{ ...ttlField, note }],
    lines,
  );
  return { kind: 'form', purpose: 'expire-marked', subject: { names }, form };
}

/** The form that names the file for marked keys. */
export function exportForm(names: readonly string[], hidden: number, { title }: Namespace): MarkedDialog {
  const note = 'From the working directory. NDJSON, or JSON where it ends in .json; .gz compresses.';
  const form = openForm(
    `Export ${keysOf(names)} of ${escapeText(title)}`,
    [{ name: 'path', label: 'File', value: `${fileNameOf(title)}.ndjson`, note, completes: 'path' }],
    [...hiddenLines(hidden), sampleLine(names, 'With values, metadata and expiry: ')],
  );
  return { kind: 'form', purpose: 'export', subject: { names }, form: { ...form, submit: 'export' } };
}

/** The form that says where marked keys are copied to. */
export function copyKeysForm(names: readonly string[], hidden: number, { title }: Namespace): MarkedDialog {
  const form = openForm(
    `Copy ${keysOf(names)} of ${escapeText(title)}`,
    [
      {
        name: 'to',
        label: 'Namespace',
        value: '',
        note: 'Its title or its id; Tab completes it.',
        completes: 'namespace',
      },
      {
        name: 'where',
        label: 'Where',
        value: '',
        note: 'Empty: here. Or production, preview, local, or the name of a profile; Tab completes it.',
        completes: 'place',
      },
      {
        name: 'existing',
        label: 'Existing keys',
        value: 'fail',
        choices: [
          { value: 'fail', label: 'fail: copy nothing where one is there already' },
          { value: 'skip', label: 'skip those that are there already' },
          { value: 'overwrite', label: 'overwrite those that are there already' },
        ],
      },
    ],
    [...hiddenLines(hidden), sampleLine(names)],
  );
  return { kind: 'form', purpose: 'copy-keys', subject: { names }, form: { ...form, submit: 'copy' } };
}

/** The form that names the file to import. */
export function importForm({ title }: Namespace): MarkedDialog {
  const note = 'From the working directory: a JSON array or NDJSON, as an export writes it; .gz as well.';
  const form = openForm(
    `Import into ${escapeText(title)}`,
    [{ name: 'path', label: 'File', value: '', note, completes: 'path' }],
    ['What it would change is shown before anything is written.'],
  );
  const subject = { names: [] };
  return { kind: 'form', purpose: 'import', subject, form: { ...form, submit: 'preview' } };
}

type Read = { readonly command: MarkedCommand } | { readonly errors: Readonly<Record<string, string>> };

/** Reads a filled form: a command, or the faults by the names of the fields. `now` in milliseconds. */
export function readMarkedForm(
  { purpose, subject, form }: MarkedForm,
  { title }: Namespace,
  now: number,
): Read {
  const names = subject?.names ?? [];
  const values = formValues(form);
  switch (purpose) {
    case 'remove-marked':
      if (values['title'] !== escapeText(title)) return { errors: { title: 'This is not its title.' } };
      return { command: { does: purpose, names } };
    case 'expire-marked':
      return readExpiry(names, values['ttl'] ?? '', now);
    case 'export':
      return readPath(values, (path) => ({ does: purpose, names, path, replace: false }));
    case 'copy-keys':
      return readCopy(names, form);
    case 'import':
      return readPath(values, (path) => ({ does: purpose, path }));
  }
}

function readExpiry(names: readonly string[], text: string, now: number): Read {
  const expiry = readTtl(text, 'expire', now);
  if (expiry === 'kept') return { errors: { ttl: 'Give a time, or "never".' } };
  if ('fault' in expiry) return { errors: { ttl: sentence(expiry.fault) } };
  const expiration =
    expiry.expiration ?? (expiry.ttl === undefined ? null : Math.floor(now / 1000) + expiry.ttl);
  return { command: { does: 'expire-marked', names, expiration } };
}

function readPath(values: Record<string, string>, command: (path: string) => MarkedCommand): Read {
  const path = values['path'] ?? '';
  return path.trim() === '' ? { errors: { path: 'Name a file.' } } : { command: command(path) };
}

function readCopy(names: readonly string[], form: Form): Read {
  const { to = '', where = '', existing = '' } = formValues(form);
  const onConflict = (['skip', 'overwrite', 'fail'] as const).find((one) => one === existing.trim());
  const errors = {
    ...(to.trim() === '' && { to: 'Name a namespace.' }),
    ...(onConflict === undefined && { existing: 'Pick skip, overwrite or fail.' }),
  };
  if (onConflict === undefined || to.trim() === '') return { errors };
  return {
    command: { does: 'copy-keys', names, to: to.trim(), where: elsewhereOf(where.trim()), onConflict },
  };
}

const targets = ['production', 'preview', 'local'] as const;

/** A profile without a target would be looked at as the console was opened, perhaps in local data. */
function elsewhereOf(text: string): Elsewhere {
  if (text === '') return {};
  const target = targets.find((one) => one === text);
  return target === undefined ? { profile: text, target: 'production' } : { target };
}

/** `12 keys`. */
export function keysOf({ length }: { readonly length: number }): string {
  return length === 1 ? '1 key' : `${groupDigits(length)} keys`;
}

/** `12 entries`. */
export function entriesOf(count: number): string {
  return count === 1 ? '1 entry' : `${groupDigits(count)} entries`;
}

/** A title as the name of a file: nothing in it leaves the folder, hides the file or needs quoting. */
function fileNameOf(title: string): string {
  const plain = title.replaceAll(/[^A-Za-z0-9._-]+/g, '-').replace(/^[.-]+/, '');
  return plain === '' ? 'keys' : plain.slice(0, 100);
}

function sentence(fault: string): string {
  return `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`;
}
