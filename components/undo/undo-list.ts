import type { Task, TaskWork } from '../../src/model/tasks/task.ts';
import { describeThing } from '../../src/model/undo/entry.ts';
import { isSamePlace } from '../../src/model/where.ts';
import type { UndoRow, UndoService } from '../../src/services/console/undo.ts';
import { onePage } from '../kit/pages.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import { taskTitle } from '../ui/tasks/words.ts';
import { restoreDialog } from './undo-actions.ts';

/** The columns of the journal. The user cannot sort by most columns: the rows stay in the order of the journal. */
export const declaredUndoColumns = declareColumns<UndoRow>()(
  { AGO: 'unsorted', WAS: 'unsorted', SIZE: 'unsorted', WHERE: 'unsorted' },
  { heading: 'WHAT', by: ({ entry }) => describeThing(entry.thing) },
);

const undoKind: RowKind<UndoRow> = {
  getId: ({ entry }) => entry.id,
  getText: ({ entry }) => describeThing(entry.thing),
  order: 'as-listed',
};

/**
 * The list of the journal, newest first. Opens with the question that asks whether to undo the last change in the current account and
 * target.
 */
export class UndoController extends ListController<UndoRow> {
  readonly #parts: PaneParts;
  readonly #service: UndoService;

  constructor(parts: PaneParts) {
    const service = requireService(parts, 'undo');
    super(parts, {
      kind: undoKind,
      whole: true,
      pages: (_, signal) => onePage(readRows(service, parts, signal)),
      rowChange: () => undefined,
      // Any change may have added an entry.
      isOutdatedBy: () => true,
    });
    this.#parts = parts;
    this.#service = service;
  }

  protected override begin(): void {
    super.begin();
    this.run({
      name: 'last',
      work: (signal) => this.#service.list(signal),
      done: ({ rows }) => {
        // Does not replace a dialog that the user has opened meanwhile.
        if (this.state.dialog !== undefined) return;
        const last = rows.find(({ entry, isHere }) => isHere && entry.did !== 'restored');
        const unkept = unsavedTaskSince(last?.entry.at ?? 0, this.#parts);
        if (last !== undefined && !this.#parts.session.readOnly)
          this.ask(restoreDialog(last, this.#parts, unkept === undefined ? [] : [`Since then: ${unkept}`]));
        else if (unkept !== undefined) this.#parts.notify(unkept, 'refused');
      },
      failed: () => undefined,
    });
  }
}

async function readRows(
  service: UndoService,
  { notify }: PaneParts,
  signal: AbortSignal,
): Promise<readonly UndoRow[]> {
  const { rows, skipped } = await service.list(signal);
  if (skipped.length > 0) notify(skipped.join(' '), 'refused');
  return rows;
}

/**
 * Returns a sentence about the last task that deletes data in the current account and target without saving the data for undo, if the task
 * began after `since` (milliseconds). The user may have intended to undo this task.
 */
function unsavedTaskSince(
  since: number,
  { session, tasks }: Pick<PaneParts, 'session' | 'tasks'>,
): string | undefined {
  const { where, accountLabel, target } = session;
  const last = tasks.list.tasks.find(
    (task) =>
      deletesData(task.work) &&
      task.where !== undefined &&
      isSamePlace(task.where, where) &&
      task.accountLabel === accountLabel &&
      task.target === target &&
      startTime(task) > since,
  );
  return last && `${taskTitle(last)}: bulk changes are not saved for undo.`;
}

function startTime({ begun, started }: Task): number {
  return begun ?? started;
}

function deletesData(work: TaskWork): boolean {
  switch (work.does) {
    case 'delete-keys':
    case 'clear-namespace':
    case 'sync-objects':
    case 'delete-bucket':
    case 'import-keys':
    case 'delete-hostnames':
    case 'edit-hostnames':
    case 'reconcile-hostnames':
      return true;
    case 'copy-keys':
      return work.onConflict === 'overwrite';
    case 'copy-objects':
      return work.existing === 'replace';
    case 'delete-objects':
      return work.undo !== true;
    case 'upload':
      return work.existing === 'replace' && work.undo !== true;
    case 'expire-keys':
    case 'export-keys':
    case 'export-namespace':
    case 'download':
    case 'refresh-hostnames':
    case 'diagnose-hostnames':
    case 'export-hostnames':
    case 'plan-hostnames':
      return false;
  }
}
