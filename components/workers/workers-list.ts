import type { WorkerService } from '../../src/services/console/workers.ts';
import { lossWords } from '../../src/services/workers/facts.ts';
import type { WorkerSummary } from '../../src/services/workers/workers.ts';
import { escapeText } from '../../src/text/escape.ts';
import { deleting, reading } from '../kit/keys/busy.ts';
import { onePage } from '../kit/pages.ts';
import { serviceOf } from '../kit/service-of.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import type { OwnActions } from '../ui/lists/list-action.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { ListOutcome } from '../ui/lists/list-source.ts';
import { byName, compareBytes, nameColumn, type RowKind } from '../ui/lists/row-kind.ts';
import type { WorkersAction } from './keymap.ts';

/** `look` reads what is lost with a worker before it asks. */
interface WorkersCommand {
  readonly does: 'look' | 'remove';
  readonly name: string;
}

/** The list of workers. */
interface WorkersParts {
  readonly row: WorkerSummary;
  readonly command: WorkersCommand;
  readonly purpose: never;
  readonly subject: never;
}

export type WorkersList = ListController<WorkersParts>;

export const declaredWorkerColumns = declareColumns<WorkerSummary>()(
  { CHANGED: ({ modifiedOn }) => ageOf(modifiedOn) },
  nameColumn('NAME'),
);

const workerKind: RowKind<WorkerSummary> = {
  ...byName,
  sorts: declaredWorkerColumns.sorts,
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
    busyWith: { look: reading, remove: deleting },
    carryOut: (command, signal) => carryOut(command, workers, signal),
    readForm: () => ({ errors: {} }),
    rowOf: () => undefined,
    isOutdatedBy: ({ changed }) => changed === 'worker' || changed === 'secret',
  });
}

async function carryOut(
  { does, name }: WorkersCommand,
  workers: WorkerService,
  signal: AbortSignal,
): Promise<ListOutcome<WorkersParts>> {
  if (does === 'look') {
    const question = {
      question: `Delete the worker ${escapeText(`${name}${lossWords(await workers.read(name, signal))}`)}?`,
      lost: ['It answers no more at once, and this cannot be undone.'],
      yes: 'delete it',
    };
    return { dialog: { kind: 'confirm', question, command: { does: 'remove', name } } };
  }
  await workers.remove(name, signal);
  const change = { changed: 'worker', name } as const;
  return { notice: `Deleted the worker ${escapeText(name)}.`, change };
}

/** Actions of the pane's keys. */
export function workersActions(list: WorkersList, parts: PaneParts): OwnActions<WorkersAction> {
  const { selected } = list;
  return {
    remove: () => selected && list.perform({ does: 'look', name: selected.name }),
    open: () => selected && parts.open({ pane: 'worker', name: selected.name }),
    logs: () => selected && parts.open({ pane: 'logs', worker: selected.name }),
    copy: () => selected && parts.notify(parts.copy(Buffer.from(selected.name), 'the name')),
  };
}
