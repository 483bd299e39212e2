import { onePage } from '../kit/pages.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import { secretId, type WorkerRow, workerRows } from './worker-rows.ts';

export const declaredFactColumns = declareColumns<WorkerRow>()(
  {
    KIND: ({ kind }) => kind,
    VALUE: ({ value }) => (value === '' ? undefined : value),
    SINCE: ({ since }) => (since === undefined ? undefined : -since),
  },
  { heading: 'WHAT', by: ({ label }) => label },
);

const rowKind: RowKind<WorkerRow> = {
  getId: ({ id }) => id,
  getText: ({ name, label, value }) => (label === name ? `${label} ${value}` : `${label} ${value} ${name}`),
  order: 'as-listed',
  sorts: declaredFactColumns.sorts,
};

/** The list of a worker's secrets, bindings and deployments. */
export interface WorkerList {
  readonly list: ListController<WorkerRow>;
  /** Compatibility date at the last load. */
  compatibilityDate(): string | undefined;
}

/** The secrets, bindings and deployments of a worker. */
export function workerList(worker: string, parts: PaneParts): WorkerList {
  const workers = requireService(parts, 'workers');
  let compatibilityDate: string | undefined;
  const read = async (signal: AbortSignal) => {
    const facts = await workers.read(worker, signal);
    compatibilityDate = facts.compatibilityDate;
    return workerRows(facts);
  };
  const list = new ListController<WorkerRow>(parts, {
    kind: rowKind,
    whole: true,
    pages: (_, signal) => onePage(read(signal)),
    rowChange: (change) =>
      change.changed === 'secret' && change.worker === worker
        ? { id: secretId(change.name), row: undefined }
        : undefined,
    isOutdatedBy: (change) => change.changed === 'worker' && change.name === worker,
  });
  return { list, compatibilityDate: () => compatibilityDate };
}
