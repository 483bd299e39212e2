import type { WorkerFacts } from '../../src/services/workers/facts.ts';
import { onePage } from '../kit/pages.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import { secretId, type WorkerRow, workerRows } from './worker-rows.ts';

export const declaredFactColumns = declareColumns<WorkerRow>()(
  {
    KIND: ({ type }) => type,
    DETAIL: ({ value }) => (value === '' ? undefined : value),
    SOURCE: ({ source }) => source,
    AGE: ({ since }) => since && -since,
  },
  { heading: 'NAME', by: ({ label }) => label },
);

const rowKind: RowKind<WorkerRow> = {
  getId: ({ id }) => id,
  getText: ({ name, label, type, value, source }) =>
    [label, type, value, ...(source === undefined ? [] : [source]), ...(label === name ? [] : [name])].join(
      ' ',
    ),
  order: 'as-listed',
  sorts: declaredFactColumns.sorts,
};

/** The list of a worker's deployments, bindings and secrets. */
export interface WorkerList {
  readonly list: ListController<WorkerRow>;
  /** Returns the worker as last loaded; undefined before the first load. */
  facts(): WorkerFacts | undefined;
}

/** Returns the list of a worker's deployments, bindings and secrets. */
export function workerList(worker: string, parts: PaneParts): WorkerList {
  const workers = requireService(parts, 'workers');
  let last: WorkerFacts | undefined;
  const read = async (signal: AbortSignal) => {
    const facts = await workers.read(worker, signal);
    last = facts;
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
  return { list, facts: () => last };
}
