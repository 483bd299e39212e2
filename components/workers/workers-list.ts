import type { WorkerSummary } from '../../src/services/workers/workers.ts';
import { onePage } from '../console/pages.ts';
import { serviceOf } from '../console/service-of.ts';
import type { PaneParts } from '../console/use-console.ts';
import type { WorkersAction } from '../keymap/workers.ts';
import type { OwnActions } from '../lists/list-action.ts';
import { ListController } from '../lists/list-controller.ts';
import { byName, compareBytes, nameColumn, type RowKind } from '../lists/row-kind.ts';

/** The list of workers, which only reads. */
interface WorkersParts {
  readonly row: WorkerSummary;
  readonly command: never;
  readonly purpose: never;
  readonly subject: never;
}

export type WorkersList = ListController<WorkersParts>;

const workerKind: RowKind<WorkerSummary> = {
  ...byName,
  sorts: [{ heading: 'CHANGED', by: ({ modifiedOn }) => ageOf(modifiedOn) }, nameColumn('NAME')],
};

/** What grows as a worker becomes older. */
function ageOf(time: string | undefined): number | undefined {
  const milliseconds = Date.parse(time ?? '');
  return Number.isNaN(milliseconds) ? undefined : -milliseconds;
}

/** The workers of the account. */
export function workersList(parts: PaneParts): WorkersList {
  const workers = serviceOf(parts, 'workers');
  const inOrder = async (signal: AbortSignal) => {
    const found = await workers.list(signal);
    return found.toSorted((one, other) => compareBytes(one.name, other.name));
  };
  return new ListController<WorkersParts>(parts, {
    place: { kind: 'workers' },
    kind: workerKind,
    whole: true,
    pages: (_, signal) => onePage(inOrder(signal)),
    busyWith: {},
    carryOut: async () => ({}),
    readForm: () => ({ errors: {} }),
    rowOf: () => undefined,
  });
}

/** Actions of the pane's keys. */
export function workersActions({ selected }: WorkersList, parts: PaneParts): OwnActions<WorkersAction> {
  return {
    open: () => selected && parts.open({ pane: 'worker', name: selected.name }),
    logs: () => selected && parts.open({ pane: 'logs', worker: selected.name }),
    copy: () => selected && parts.notify(parts.copy(Buffer.from(selected.name), 'the name')),
  };
}
