import { compactDuration } from '../../src/text/time.ts';
import { useConsole } from '../console/use-console.ts';
import { DialogBox, dialogHeight, modeOf } from '../forms/DialogBox.tsx';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import { type Column, Table, tableRows } from '../lists/Table.tsx';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import type { WorkerRow } from './rows.ts';
import { factCounts, selectedRow, type WorkerState } from './state.ts';
import { useWorker } from './use-worker.ts';

/** A worker: its deployments, its bindings, and the names of its secrets. */
export function WorkerPane({ name, visible }: { name: string; visible: boolean }) {
  const { session, columns, redact, rows, world } = useConsole();
  const body = bodyHeight(rows);
  const { state, act, dispatch, perform, save } = useWorker(name, tableRows(body));
  const { busy, dialog } = state;
  const situation = { readOnly: session.readOnly, selected: selectedRow(state) !== undefined, busy };
  useShortcuts('worker', { active: visible && dialog === undefined, situation, act });
  if (!visible) return null;
  const taken = dialogHeight(dialog, { columns, redact }, body);
  return (
    <Frame mode={modeOf(dialog, 'worker')} situation={situation} counts={factCounts(state)}>
      {taken < body && (
        <Table
          columns={factColumns(world.now())}
          last={{ heading: 'WHAT', cell: ({ text }) => text }}
          length={state.rows.length}
          rowAt={(index) => state.rows[index]}
          cursor={state.cursor}
          height={body - taken}
          empty={emptyText(state)}
        />
      )}
      <DialogBox
        dialog={dialog}
        height={taken}
        active={visible}
        onForm={(event) => dispatch({ type: 'form', event })}
        save={save}
        perform={perform}
        close={() => dispatch({ type: 'closed' })}
      />
    </Frame>
  );
}

/** The columns before the text, at a point in time (milliseconds). */
function factColumns(now: number): readonly Column<WorkerRow>[] {
  return [
    {
      heading: 'KIND',
      width: 8,
      cell: ({ kind }) => kind,
      role: ({ kind }) => (kind === 'running' ? 'good' : 'badge'),
    },
    {
      heading: 'SINCE',
      width: 5,
      align: 'right',
      cell: ({ since }) => (since === undefined ? '' : compactDuration((now - since) / 1000)),
      role: () => 'dim',
    },
  ];
}

function emptyText({ busy, dialog }: WorkerState): string {
  if (dialog?.kind === 'problem') return 'The worker could not be read: r tries again.';
  return busy === undefined ? 'This worker has no deployment, no binding and no secret.' : 'Reading…';
}
