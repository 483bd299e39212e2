import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import { type Busy, deleting, reading, saving, starting } from '../kit/keys/busy.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { FormDialog } from '../ui/forms/dialog.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { FormRead } from '../ui/lists/list-source.ts';
import { pageLimit } from '../ui/lists/paged-list.ts';
import { byName, nameColumn, type RowKind } from '../ui/lists/row-kind.ts';
import { isAboutNamespace } from '../ui/tasks/ends.ts';
import type { KeyCommand, KeyFormPurpose, KeySubject } from './key-commands.ts';
import { readKeyForm } from './key-forms.ts';
import { type MarkedCommand, type MarkedKeys, type MarkedPurpose, readMarkedForm } from './key-marked.ts';
import { carryOutKey } from './key-work.ts';
import { beginMarked } from './marked-work.ts';
import { packKeys } from './packed-keys.ts';

/** The list of keys. */
export interface KeyParts {
  readonly row: KeyEntry;
  readonly command: KeyCommand | MarkedCommand;
  readonly purpose: KeyFormPurpose | MarkedPurpose;
  readonly subject: KeySubject | MarkedKeys;
}

export type KeyList = ListController<KeyParts>;

export const declaredKeyColumns = declareColumns<KeyEntry>()(
  {
    EXPIRES: ({ expiration }) => expiration,
    META: ({ metadata }) => (metadata === undefined || metadata === null ? undefined : 1),
  },
  nameColumn('KEY'),
);

/** Keys come in the order of their names. */
export const keyKind: RowKind<KeyEntry> = {
  ...byName,
  pack: packKeys,
  sorts: declaredKeyColumns.sorts,
};

/** The keys of a namespace; with a prefix, those that begin with it. */
export function keyList(namespace: Namespace, parts: PaneParts, prefix?: string): KeyList {
  const { kv } = parts.services;
  return new ListController<KeyParts>(parts, {
    place: { kind: 'keys', namespace: namespace.id, prefix: '' },
    prefix,
    kind: keyKind,
    whole: false,
    asks: 'prefix',
    pages: (prefix, signal) => kv.listKeys(namespace.id, { prefix, limit: pageLimit, signal }),
    busyWith,
    carryOut: (command, signal) =>
      isMarkedCommand(command)
        ? beginMarked(command, namespace, parts)
        : carryOutKey(command, namespace, parts, signal),
    readForm: (form) => readForm(form, namespace, parts.world.now()),
    rowOf: (change) =>
      change.changed === 'key' && change.namespaceId === namespace.id
        ? { id: change.name, row: change.entry }
        : undefined,
    tasks: {
      isAbout: (task) => isAboutNamespace(task, namespace.id),
      changes: ({ work }) => work.does !== 'export-keys',
    },
  });
}

const busyWith: Readonly<Record<KeyParts['command']['does'], Busy>> = {
  write: saving,
  remove: deleting,
  edit: reading,
  'edit-outside': { kind: 'reading', words: 'editing' },
  'edit-draft': { kind: 'reading', words: 'editing' },
  discard: reading,
  'remove-marked': starting,
  'expire-marked': starting,
  export: starting,
  'copy-keys': { kind: 'reading', words: 'looking up' },
  import: { kind: 'reading', words: 'opening' },
};

type KeysForm = FormDialog<KeyParts['purpose'], KeyParts['subject']>;

function readForm(
  { purpose, subject, form }: KeysForm,
  namespace: Namespace,
  now: number,
): FormRead<KeyParts> {
  if (isAboutMany(purpose)) {
    const marked = subject !== undefined && 'names' in subject ? subject : undefined;
    return readMarkedForm({ kind: 'form', purpose, subject: marked, form }, namespace, now);
  }
  const key = subject !== undefined && 'entry' in subject ? subject : undefined;
  const read = readKeyForm(purpose, key, form, now);
  return 'errors' in read ? read : { command: read };
}

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
function isMarkedCommand(command: KeyCommand | MarkedCommand): command is MarkedCommand {
  return isAboutMany(command.does);
}
