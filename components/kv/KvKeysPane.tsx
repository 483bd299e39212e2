import type { KeyEntry, Namespace } from '../../src/model/kv/kv.ts';
import { closeDuration } from '../../src/text/time.ts';
import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf, submitOf } from '../forms/DialogBox.tsx';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { markCount, markTest } from '../lists/marks.ts';
import { type PagedList, selectedRow, shownLength, shownRow } from '../lists/paged-list.ts';
import { type Column, Table, tableRows } from '../lists/Table.tsx';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import { keyCounts } from './keys-state.ts';
import { useKeys } from './use-keys.ts';

/** The keys of a namespace. */
export function KvKeysPane({ namespace, visible }: { namespace: Namespace; visible: boolean }) {
  const { session, columns, redact, rows, world } = useConsole();
  const body = bodyHeight(rows);
  const { state, act, dispatch, perform, save } = useKeys(namespace, tableRows(body), visible);
  const { list } = state;
  const situation = {
    readOnly: session.readOnly,
    selected: selectedRow(list) !== undefined,
    marked: markCount(list),
    busy: state.busy,
    submit: submitOf(state.dialog),
  };
  useShortcuts('keys', { active: visible && state.dialog === undefined, situation, act });
  if (!visible) return null;
  const taken = dialogHeight(state.dialog, { columns, redact }, body);
  return (
    <Frame
      mode={modeOf(state.dialog, 'keys')}
      situation={situation}
      counts={keyCounts(state, tableRows(body))}
    >
      {taken < body && (
        <Table
          columns={keyColumns(world.now())}
          last={{ heading: 'KEY', cell: ({ name }) => name }}
          length={shownLength(list)}
          rowAt={(index) => shownRow(list, index)}
          cursor={list.cursor}
          isMarked={markTest(list)}
          height={body - taken}
          empty={emptyText(list, session.readOnly)}
        />
      )}
      <DialogBox
        dialog={state.dialog}
        height={taken}
        active={visible}
        onForm={(event) => dispatch({ type: 'form', event })}
        onFilter={(text) => dispatch({ type: 'filtered', text })}
        onApply={(how) => dispatch({ type: how === 'apply' ? 'applied' : 'kept' })}
        save={save}
        perform={perform}
        close={() => dispatch({ type: 'closed' })}
      />
    </Frame>
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

function emptyText(list: PagedList<KeyEntry>, readOnly: boolean): string {
  if (list.stopped) return 'The list could not be read: r tries again.';
  if (list.contains !== '' && !list.complete)
    return 'No loaded key matches: m loads more, Enter asks for a prefix.';
  if (!list.complete || list.refill !== undefined) return 'Loading…';
  if (list.contains !== '' || list.prefix !== '') return 'No key matches the filter.';
  return readOnly ? 'No keys.' : 'No keys yet: n writes one.';
}
