import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import { keyActs } from '../../src/services/equivalents/kv.ts';
import { closeDuration } from '../../src/text/time.ts';
import { useConsole } from '../console/use-console.ts';
import { useController } from '../console/use-controller.ts';
import { ListPane } from '../lists/ListPane.tsx';
import type { Column } from '../lists/Table.tsx';
import { keyActions } from './key-actions.ts';
import { keyList } from './key-list.ts';

/** The keys of a namespace. */
export function KeysPane({ namespace, visible }: { namespace: Namespace; visible: boolean }) {
  const parts = useConsole();
  const list = useController(() => keyList(namespace, parts));
  return (
    <ListPane
      list={list}
      mode="keys"
      visible={visible}
      rowNames={{ one: 'key', many: 'keys' }}
      columns={keyColumns}
      last={{ heading: 'KEY', cell: ({ name }) => name }}
      emptyWords={({ readOnly }) => (readOnly ? 'No keys.' : 'No keys yet: n writes one.')}
      acts={() => keyActs(namespace.id, list.selected?.name)}
      actions={() => keyActions(list, namespace, parts)}
    />
  );
}

/** The columns before the name, at a point in time (milliseconds). */
function keyColumns(now: number): readonly Column<KeyEntry>[] {
  const seconds = Math.floor(now / 1000);
  return [
    {
      heading: 'EXPIRES',
      width: 7,
      align: 'right',
      cell: ({ expiration }) => (expiration === undefined ? '' : expiryCell(expiration - seconds)),
      role: ({ expiration }) => (expiration !== undefined && expiration - seconds < soon ? 'warning' : 'dim'),
    },
    {
      heading: 'META',
      width: 4,
      cell: ({ metadata }) => (metadata === undefined || metadata === null ? '' : '{}'),
      role: () => 'badge',
    },
  ];
}

/** Seconds below which an expiry is marked. */
const soon = 3600;

function expiryCell(seconds: number): string {
  return seconds <= 0 ? 'expired' : closeDuration(seconds);
}
