import type { Namespace } from '../../src/model/kv/kv.ts';
import type { TaskKind } from '../../src/model/tasks/task.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';

export const namespaceColumns = declareColumns<Namespace>()(
  { ID: ({ id }) => id },
  { heading: 'TITLE', by: ({ title }) => title, isListed: true },
);

/** The kind of rows for namespaces, which are identified by id, filtered by title and id, and ordered by title. */
const byId: RowKind<Namespace> = {
  getId: ({ id }) => id,
  getText: ({ id, title }) => `${title}\n${id}`,
  order: ({ title }) => title,
  sorts: namespaceColumns.sorts,
};

/** Kinds of tasks that this list starts; the list shows their results. */
const startedHere: ReadonlySet<TaskKind> = new Set(['export-namespace', 'clear-namespace', 'import-keys']);

/** Returns the list of the account's namespaces. */
export function namespaceList(parts: PaneParts): ListController<Namespace> {
  const { kv } = parts.services;
  return new ListController<Namespace>(parts, {
    place: { kind: 'namespaces' },
    kind: byId,
    whole: true,
    pages: (_, signal) => kv.listNamespaces(signal),
    rowChange: (change) =>
      change.changed === 'namespace' ? { id: change.id, row: change.namespace } : undefined,
    tasks: {
      isAbout: ({ work }) => startedHere.has(work.does),
      // These actions change keys, not the list of namespaces.
      changes: () => false,
    },
  });
}
