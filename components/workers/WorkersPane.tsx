import { useEffect, useReducer } from 'react';
import type { WorkerSummary } from '../../src/services/workers/workers.ts';
import { compactDuration } from '../../src/text/time.ts';
import { useConsole } from '../console/use-console.ts';
import { useRun } from '../console/use-run.ts';
import { useService } from '../console/use-service.ts';
import { DialogBox, dialogHeight, modeOf } from '../forms/DialogBox.tsx';
import { useShortcuts } from '../keymap/use-shortcuts.ts';
import type { WorkersAction } from '../keymap/workers.ts';
import { isMove } from '../lists/cursor.ts';
import { type Column, Table, tableRows } from '../lists/Table.tsx';
import { bodyHeight, Frame } from '../widgets/Frame.tsx';
import {
  noWorkers,
  reduceWorkers,
  selectedWorker,
  shownWorkers,
  type WorkersState,
  workerCounts,
} from './workers-state.ts';

/** The account's workers. */
export function WorkersPane({ visible }: { visible: boolean }) {
  const { session, columns, redact, rows, world } = useConsole();
  const body = bodyHeight(rows);
  const { state, act, dispatch, list } = useWorkers(tableRows(body));
  const { dialog } = state;
  const situation = { readOnly: session.readOnly, selected: selectedWorker(state) !== undefined };
  useShortcuts('workers', { active: visible && dialog === undefined, situation, act });
  if (!visible) return null;
  const shown = shownWorkers(state);
  const taken = dialogHeight(dialog, { columns, redact }, body);
  return (
    <Frame mode={modeOf(dialog, 'workers')} situation={situation} counts={workerCounts(state)}>
      {taken < body && (
        <Table
          columns={[changedColumn(world.now())]}
          last={{ heading: 'NAME', cell: ({ name }) => name }}
          length={shown.length}
          rowAt={(index) => shown[index]}
          cursor={state.cursor}
          height={body - taken}
          empty={emptyText(state)}
        />
      )}
      <DialogBox
        dialog={dialog}
        height={taken}
        active={visible}
        onFilter={(text) => dispatch({ type: 'filtered', text })}
        onApply={() => dispatch({ type: 'kept' })}
        perform={list}
        close={() => dispatch({ type: 'closed' })}
      />
    </Frame>
  );
}

function useWorkers(height: number) {
  const parts = useConsole();
  const workers = useService('workers');
  const [state, dispatch] = useReducer(reduceWorkers, noWorkers);
  const run = useRun();
  const list = () => {
    dispatch({ type: 'listing' });
    run({
      name: 'list',
      work: (signal) => workers.list(signal),
      done: (found) => dispatch({ type: 'listed', workers: found }),
      failed: (problem) => dispatch({ type: 'failed', problem }),
    });
  };
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when the pane opens
  useEffect(list, []);
  const act = (action: WorkersAction) => {
    const name = selectedWorker(state)?.name;
    if (isMove(action)) dispatch({ type: 'moved', move: action, height });
    else if (action === 'open' && name !== undefined) parts.open({ pane: 'worker', name });
    else if (action === 'copy' && name !== undefined) parts.notify(parts.copy(Buffer.from(name), 'the name'));
    else if (action === 'filter') dispatch({ type: 'filtered', text: state.contains });
    else if (action === 'refresh') list();
    else if (action === 'back' && state.contains !== '') dispatch({ type: 'unfiltered' });
  };
  return { state, act, dispatch, list };
}

/** How long ago a worker was changed, at a point in time (milliseconds). */
function changedColumn(now: number): Column<WorkerSummary> {
  return {
    heading: 'CHANGED',
    width: 7,
    align: 'right',
    cell({ modifiedOn }) {
      const changed = Date.parse(modifiedOn ?? '');
      return Number.isNaN(changed) ? '' : compactDuration((now - changed) / 1000);
    },
    role: () => 'dim',
  };
}

function emptyText(state: WorkersState): string {
  if (state.stopped) return 'The list could not be read: r tries again.';
  if (state.loading) return 'Loading…';
  if (state.contains !== '') return 'No worker matches the filter.';
  return 'No workers yet: edgectl init and edgectl deploy make one.';
}
