import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import { pageLimit } from '../ui/lists/paged-list.ts';
import { byName, nameColumn, type RowKind } from '../ui/lists/row-kind.ts';
import { isAboutNamespace } from '../ui/tasks/ends.ts';
import { packKeys } from './packed-keys.ts';

export const declaredKeyColumns = declareColumns<KeyEntry>()(
  {
    EXPIRES: ({ expiration }) => expiration,
    META: ({ metadata }) => (metadata === undefined || metadata === null ? undefined : 1),
  },
  nameColumn('KEY'),
);

/** The kind of rows for keys, which are sorted by name. */
export const keyKind: RowKind<KeyEntry> = {
  ...byName,
  pack: packKeys,
  sorts: declaredKeyColumns.sorts,
};

/** Returns the list of a namespace's keys, or only of the keys that start with `prefix`. */
export function keyList(namespace: Namespace, parts: PaneParts, prefix?: string) {
  const { kv } = parts.services;
  return new ListController<KeyEntry>(parts, {
    place: { kind: 'keys', namespace: namespace.id, prefix: '' },
    prefix,
    kind: keyKind,
    whole: false,
    serverFilter: 'prefix',
    pages: (prefix, signal) => kv.listKeys(namespace.id, { prefix, limit: pageLimit, signal }),
    rowChange: (change) =>
      change.changed === 'key' && change.namespaceId === namespace.id
        ? { id: change.name, row: change.entry }
        : undefined,
    tasks: {
      isAbout: (task) => isAboutNamespace(task, namespace.id),
      changes: ({ work }) => work.does !== 'export-keys' && work.does !== 'export-namespace',
    },
  });
}
