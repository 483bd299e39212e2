import { useMemo } from 'react';
import type { KeyEntry } from '../../src/model/kv/kv.ts';
import { closeDuration } from '../../src/text/time.ts';
import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import type { OpenPane } from '../kit/open-pane.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { type DrawnColumns, drawColumns } from '../ui/lists/declared-columns.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { eachRow, type Rows } from '../ui/lists/rows.ts';
import { countdownValidMs } from '../ui/status/use-age.ts';
import { keyActions } from './key-actions.ts';
import { declaredKeyColumns, keyList } from './key-list.ts';
import { type FieldWidths, measureFields, metadataCell } from './metadata.ts';
import { valuePreview } from './previews.ts';

interface KeysPaneProps {
  readonly opened: Extract<OpenPane, { pane: 'keys' }>;
  readonly visible: boolean;
}

/** Lists the keys of a namespace. */
export function KeysPane({ opened: { namespace, prefix }, visible }: KeysPaneProps) {
  const parts = useConsole();
  const list = useController(() => keyList(namespace, parts, prefix));
  const { rows } = list.list;
  const fields = useMemo(() => measureFields(firstMetadata(rows)), [rows]);
  const here = () => ({ list: list.list, entry: list.selected, namespace, parts });
  return (
    <ListPane
      list={list}
      mode="keys"
      visible={visible}
      rowNames={{ one: 'key', many: 'keys' }}
      columns={(now) => keyColumns(now, fields)}
      name={{ heading: 'KEY', cell: ({ name }) => name }}
      preview={(entry) => valuePreview(namespace, entry, parts)}
      emptyWords={({ readOnly }) => (readOnly ? 'No keys.' : 'No keys yet. Press n to write one.')}
      equivalents={() => listEquivalents(keyActions, here())}
      actions={() => actionHandlers(keyActions, here(), list.take)}
    />
  );
}

/** Number of rows at the start of the list that determine how the fields of metadata are aligned. */
const alignedRows = 200;

function* firstMetadata(rows: Rows<KeyEntry>): Generator<unknown> {
  let left = alignedRows;
  for (const { metadata } of eachRow(rows)) {
    if (left-- === 0) return;
    yield metadata;
  }
}

/** Returns the columns after the name. `now` is in milliseconds. */
export function keyColumns(now: number, fields?: FieldWidths): DrawnColumns<KeyEntry> {
  const seconds = Math.floor(now / 1000);
  return drawColumns(declaredKeyColumns, {
    EXPIRES: {
      width: 7,
      hidesEmpty: true,
      importance: 2,
      align: 'right',
      cell: ({ expiration }) => (expiration === undefined ? '' : expiryCell(expiration - seconds)),
      role: ({ expiration }) => (expiration !== undefined && expiration - seconds < soon ? 'warning' : 'dim'),
      lasts: ({ expiration }) =>
        expiration === undefined ? undefined : countdownValidMs(expiration - seconds),
    },
    META: {
      width: 6,
      maxWidth: 64,
      importance: 1,
      cell: ({ metadata }) => metadataCell(metadata, fields),
      role: () => 'dim',
    },
  });
}

/** A key that expires within this number of seconds is highlighted. */
const soon = 3600;

function expiryCell(seconds: number): string {
  return seconds <= 0 ? 'expired' : closeDuration(seconds);
}
