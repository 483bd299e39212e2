import { useState } from 'react';
import { compactDuration } from '../../src/text/time.ts';
import { actionHandlers, listEquivalents } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { type DrawnColumns, drawColumns } from '../ui/lists/declared-columns.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { displayedList } from '../ui/lists/list-pages.ts';
import type { PagedList } from '../ui/lists/paged-list.ts';
import { eachRow } from '../ui/lists/rows.ts';
import { workerActions } from './worker-actions.ts';
import { declaredFactColumns, workerList } from './worker-list.ts';
import { factPreview } from './worker-preview.ts';
import { factCounts, type WorkerRow } from './worker-rows.ts';

/** A worker: its deployments, its bindings, and the names of its secrets. */
export function WorkerPane({ name, visible }: { name: string; visible: boolean }) {
  const parts = useConsole();
  const [worker] = useState(() => workerList(name, parts));
  const controller = useController(() => worker.list);
  const { list } = controller;
  const here = () => ({ list: controller, worker: name, parts });
  return (
    <ListPane
      list={controller}
      mode="worker"
      visible={visible}
      rowNames={{ one: 'row', many: 'rows' }}
      counts={formatCounts(list, worker.compatibilityDate())}
      columns={factColumns}
      name={{ heading: 'WHAT', cell: ({ label }) => label }}
      preview={(row) => factPreview(row, parts.world.now())}
      emptyWords={() => 'This worker has no deployments, bindings or secrets.'}
      equivalents={() => listEquivalents(workerActions, here())}
      actions={() => actionHandlers(workerActions, here(), controller.take)}
    />
  );
}

/** Counts of the rows; kept while they are reloaded. Undefined before the first load, and after a failure. */
function formatCounts(list: PagedList<WorkerRow>, compatibilityDate: string | undefined): string | undefined {
  const { rows, complete, stopped } = displayedList(list);
  if (stopped || (rows.length === 0 && !complete)) return undefined;
  const facts = factCounts([...eachRow(rows)], compatibilityDate);
  return complete ? facts : `loading… · ${facts}`;
}

/** The columns after the text, at a point in time (milliseconds). */
export function factColumns(now: number): DrawnColumns<WorkerRow> {
  return drawColumns(declaredFactColumns, {
    KIND: {
      width: 8,
      importance: 3,
      cell: ({ kind }) => kind,
      role: ({ kind }) => (kind === 'running' ? 'good' : 'dim'),
    },
    VALUE: { width: 16, maxWidth: 48, importance: 1, cell: ({ value }) => value },
    SINCE: {
      width: 5,
      importance: 2,
      align: 'right',
      cell: ({ since }) => (since === undefined ? '' : compactDuration((now - since) / 1000)),
      role: () => 'dim',
    },
  });
}
