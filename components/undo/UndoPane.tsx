import { describeThing } from '../../src/model/undo/entry.ts';
import { describeData, formatPlaceName } from '../../src/model/where.ts';
import type { UndoRow } from '../../src/services/console/undo.ts';
import { formatSize } from '../../src/text/size.ts';
import { compactDuration } from '../../src/text/time.ts';
import { actionHandlers } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { type DrawnColumn, type DrawnColumns, drawColumns } from '../ui/lists/declared-columns.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { undoActions } from './undo-actions.ts';
import { declaredUndoColumns, UndoController } from './undo-list.ts';
import { undoPreview } from './undo-preview.ts';

/** Lists the undo journal: all changes that can be undone. */
export function UndoPane({ visible }: { visible: boolean }) {
  const parts = useConsole();
  const list = useController(() => new UndoController(parts));
  return (
    <ListPane
      list={list}
      mode="undo"
      visible={visible}
      rowNames={{ one: 'entry', many: 'entries' }}
      columns={undoColumns}
      preview={(row) => undoPreview(row, parts)}
      name={{ heading: 'WHAT', cell: ({ entry }) => describeThing(entry.thing) }}
      emptyWords={() =>
        parts.services.undo?.keeps === false
          ? 'The setting undo is off, so nothing is saved. To turn it on, run edgectl setting set undo on.'
          : 'Nothing to restore. The console saves values, objects, records and hostname settings before it deletes or replaces them.'
      }
      actions={() =>
        actionHandlers(undoActions, { row: list.selected, count: list.list.rows.length, parts }, list.take)
      }
    />
  );
}

/** Returns the columns after the name. `now` is in milliseconds. */
export function undoColumns(now: number): DrawnColumns<UndoRow> {
  const role = ({ isHere }: UndoRow) => (isHere ? 'plain' : 'dim');
  const place: DrawnColumn<UndoRow> = {
    width: 12,
    maxWidth: 32,
    importance: 1,
    cell: ({ entry: { where, target } }) =>
      where.kind === 'sandbox' ? describeData(where, target) : `${target} ${formatPlaceName(where)}`,
    role,
  };
  return drawColumns(declaredUndoColumns, {
    AGO: {
      width: 5,
      importance: 4,
      align: 'right',
      cell: ({ entry }) => compactDuration((now - entry.at) / 1000),
      role: () => 'dim',
    },
    WAS: { width: 8, importance: 3, cell: ({ entry }) => entry.did, role },
    SIZE: {
      width: 9,
      importance: 2,
      align: 'right',
      cell: ({ entry }) => formatSize(entry.size),
      role: () => 'dim',
    },
    WHERE: place,
  });
}
