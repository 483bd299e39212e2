import type { Namespace } from '../../src/model/kv/kv.ts';
import type { Target } from '../../src/model/target.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { Change } from '../kit/changes.ts';
import { deleting, reading, saving } from '../kit/keys/busy.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import type { OwnActions } from '../ui/lists/list-action.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { ListOutcome } from '../ui/lists/list-source.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import type { NamespacesAction } from './keymap.ts';
import {
  createForm,
  leftWords,
  type NamespaceParts,
  type NamespacesCommand,
  otherMenu,
  readNamespaceForm,
  removeForm,
  renameForm,
} from './namespace-forms.ts';
import { otherSides } from './sides.ts';

export const namespaceColumns = declareColumns<Namespace>()(
  { ID: ({ id }) => id },
  { heading: 'TITLE', by: ({ title }) => title, isListed: true },
);

/** Namespaces are known by their id, filtered by title and id, and stand in the order of their titles. */
const byId: RowKind<Namespace> = {
  idOf: ({ id }) => id,
  textOf: ({ id, title }) => `${title}\n${id}`,
  order: ({ title }) => title,
  sorts: namespaceColumns.sorts,
};

/** The namespaces of the account. */
export function namespaceList(parts: PaneParts): ListController<NamespaceParts> {
  const { kv } = parts.services;
  return new ListController<NamespaceParts>(parts, {
    place: { kind: 'namespaces' },
    kind: byId,
    whole: true,
    pages: (_, signal) => kv.listNamespaces(signal),
    busyWith: {
      create: saving,
      rename: saving,
      'look-up': { kind: 'reading', words: 'looking up' },
      remove: deleting,
      'choose-other': reading,
      compare: reading,
    },
    carryOut: (command, signal) => carryOut(command, parts, signal),
    readForm: readNamespaceForm,
    rowOf: (change) =>
      change.changed === 'namespace' ? { id: change.id, row: change.namespace } : undefined,
  });
}

async function carryOut(
  command: NamespacesCommand,
  parts: PaneParts,
  signal: AbortSignal,
): Promise<ListOutcome<NamespaceParts>> {
  const { services, session } = parts;
  const { kv } = services;
  const { target } = session;
  switch (command.does) {
    case 'choose-other': {
      const { namespace } = command;
      return { dialog: otherMenu(namespace, await otherSides(namespace, parts, signal)) };
    }
    case 'compare': {
      const { namespace, other } = command;
      return { opens: { pane: 'differences', namespace, other } };
    }
    case 'create': {
      const namespace = await kv.createNamespace(command.title, signal);
      return { change: changeOf(namespace), notice: createdWords(namespace, target), unfilter: true };
    }
    case 'rename': {
      const { namespace, title } = command;
      await kv.renameNamespace(namespace.id, title, signal);
      const notice = `Renamed ${escapeText(namespace.title)} to ${escapeText(title)}.`;
      return { change: changeOf({ ...namespace, title }), notice };
    }
    case 'look-up': {
      const { namespace } = command;
      return { dialog: removeForm(namespace, await kv.bindingsOf(namespace.id)) };
    }
    case 'remove': {
      const { namespace } = command;
      const { id } = namespace;
      await kv.deleteNamespace(id, signal);
      const notice = leftWords(namespace, await kv.bindingsOf(id));
      return { change: { changed: 'namespace', id, namespace: undefined }, notice };
    }
  }
}

/** In a list of previews a namespace of another title is gone when it is read again. */
function createdWords({ title }: Namespace, target: Target): string {
  const isListed = target !== 'preview' || title.endsWith('_preview');
  return `Created ${escapeText(title)}.${isListed ? '' : ' Under preview it is not listed: t turns to production.'}`;
}

function changeOf(namespace: Namespace): Change {
  return { changed: 'namespace', id: namespace.id, namespace };
}

/** Actions of the pane's keys. */
export function namespaceActions(
  list: ListController<NamespaceParts>,
  parts: PaneParts,
): OwnActions<NamespacesAction> {
  const namespace = list.selected;
  return {
    open: () => namespace && parts.open({ pane: 'keys', namespace }),
    create: () => list.ask(createForm()),
    rename: () => namespace && list.ask(renameForm(namespace)),
    remove: () => namespace && list.perform({ does: 'look-up', namespace }),
    compare: () => namespace && list.perform({ does: 'choose-other', namespace }),
    copy: () => namespace && parts.notify(parts.copy(Buffer.from(namespace.id), 'the id')),
  };
}
