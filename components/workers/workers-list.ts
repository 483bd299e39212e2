import type { WorkerSummary } from '../../src/services/workers/workers.ts';
import { onePage } from '../kit/pages.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import { byName, compareBytes, nameColumn, type RowKind } from '../ui/lists/row-kind.ts';

export const declaredWorkerColumns = declareColumns<WorkerSummary>()(
  { CHANGED: ({ modifiedOn }) => sortableAge(modifiedOn) },
  nameColumn('NAME'),
);

const workerKind: RowKind<WorkerSummary> = {
  ...byName,
  sorts: declaredWorkerColumns.sorts,
};

/** Returns a sort key that is greater for older workers; undefined for an unknown time. */
function sortableAge(time: string | undefined): number | undefined {
  const milliseconds = Date.parse(time ?? '');
  return Number.isNaN(milliseconds) ? undefined : -milliseconds;
}

/** Returns the list of the account's workers, sorted by name. */
export function workersList(parts: PaneParts): ListController<WorkerSummary> {
  const workers = requireService(parts, 'workers');
  const inOrder = async (signal: AbortSignal) => {
    const found = await workers.list(signal);
    return found.toSorted((one, other) => compareBytes(one.name, other.name));
  };
  return new ListController<WorkerSummary>(parts, {
    place: { kind: 'workers' },
    kind: workerKind,
    whole: true,
    pages: (_, signal) => onePage(inOrder(signal)),
    rowChange: () => undefined,
    isOutdatedBy: ({ changed }) => changed === 'worker' || changed === 'secret',
  });
}
