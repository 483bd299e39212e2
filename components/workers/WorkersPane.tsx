import type { WorkerSummary } from '../../src/services/workers/workers.ts';
import { compactDuration } from '../../src/text/time.ts';
import { actionHandlers } from '../kit/keys/action.ts';
import { useConsole } from '../kit/use-console.ts';
import { useController } from '../kit/use-controller.ts';
import { type DrawnColumn, drawColumns } from '../ui/lists/declared-columns.ts';
import { ListPane } from '../ui/lists/ListPane.tsx';
import { workerPreview } from './worker-preview.ts';
import { workersActions } from './workers-actions.ts';
import { declaredWorkerColumns, workersList } from './workers-list.ts';

/** Lists the account's workers. */
export function WorkersPane({ visible }: { visible: boolean }) {
  const parts = useConsole();
  const list = useController(() => workersList(parts));
  return (
    <ListPane
      list={list}
      mode="workers"
      visible={visible}
      rowNames={{ one: 'worker', many: 'workers' }}
      columns={(now) => drawColumns(declaredWorkerColumns, { CHANGED: ageColumn(now) })}
      name={{ heading: 'NAME', cell: ({ name }) => name }}
      hasDetails
      readsBelow
      preview={({ name }) => workerPreview(name, parts)}
      emptyWords={() => 'No workers yet: create one with edgectl init and edgectl deploy.'}
      actions={() => actionHandlers(workersActions, { worker: list.selected, parts }, list.take)}
    />
  );
}

/** Returns the column with the time since a worker was last changed. `now` is in milliseconds. */
function ageColumn(now: number): DrawnColumn<WorkerSummary> {
  return {
    width: 7,
    importance: 1,
    align: 'right',
    cell({ modifiedOn }) {
      const changed = Date.parse(modifiedOn ?? '');
      return Number.isNaN(changed) ? '' : compactDuration((now - changed) / 1000);
    },
    role: () => 'dim',
  };
}
