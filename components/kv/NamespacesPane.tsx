import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { drawColumns } from '../ui/lists/declared-columns.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { namespaceActions } from './namespace-actions.ts';
import { namespaceColumns, namespaceList } from './namespace-list.ts';
import { namespacePreview } from './previews.ts';

export const columns = drawColumns(namespaceColumns, {
  ID: { width: 32, importance: 1, cell: ({ id }) => id, role: () => 'dim' },
});

/** Lists the account's namespaces. */
export function NamespacesPane({ visible }: { visible: boolean }) {
  const parts = useConsole();
  const list = useController(() => namespaceList(parts));
  const here = () => ({ namespace: list.selected, parts });
  return (
    <ListPane
      list={list}
      mode="namespaces"
      visible={visible}
      rowNames={{ one: 'namespace', many: 'namespaces' }}
      columns={() => columns}
      name={{ heading: 'TITLE', cell: ({ title }) => title }}
      hasDetails
      preview={(namespace) => namespacePreview(namespace, parts)}
      emptyWords={emptyText}
      equivalents={() => listEquivalents(namespaceActions, here())}
      actions={() => actionHandlers(namespaceActions, here(), list.take)}
    />
  );
}

/**
 * The text for an empty list of local namespaces. A local namespace exists if it is bound in the configuration, or as soon as a key is
 * written to it.
 */
const noLocalNamespaces =
  'Local data has no list of namespaces: bind a namespace in edgectl.toml ([[kv_namespaces]]), ' +
  'or write to a namespace with edgectl kv key put';

function emptyText({ readOnly, can }: Situation): string {
  if (can?.listNamespaces === false) return noLocalNamespaces;
  return readOnly ? 'No namespaces.' : 'No namespaces yet. Press n to create one.';
}
