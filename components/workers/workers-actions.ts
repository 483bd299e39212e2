import { describeLoss } from '../../src/services/workers/facts.ts';
import type { WorkerSummary } from '../../src/services/workers/workers.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { deleting, reading } from '../kit/keys/busy.ts';
import { cannotWriteSelected, moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { ActionResult, Work } from '../ui/forms/dialog.ts';

/** The input of the actions: the selected worker, and the parts of the pane. */
interface Here {
  readonly worker: WorkerSummary | undefined;
  readonly parts: PaneParts;
}

/** Actions in the list of workers. */
export const workersActions: ReadonlyArray<PaneAction<Here, ActionResult>> = [
  {
    does: 'open',
    press: ['enter', 'right', 'l'],
    label: 'worker',
    about: 'Show the deployments, bindings and secret names of the worker',
    unless: noSelection,
    run: ({ worker }) => worker && { opens: { pane: 'worker', name: worker.name } },
  },
  {
    does: 'logs',
    press: ['C'],
    label: 'logs',
    about: 'Follow the requests and console output of the worker, live',
    unless: noSelection,
    run: ({ worker }) => worker && { opens: { pane: 'logs', worker: worker.name } },
  },
  {
    does: 'remove',
    press: ['d'],
    label: 'delete',
    about: 'Delete the worker with its versions and secrets',
    danger: 'permanent',
    unless: cannotWriteSelected,
    run: ({ worker, parts }) => worker && askToRemoveWork(worker.name, parts),
  },
  ...filterShortcuts,
  {
    does: 'copy',
    press: ['y'],
    label: 'copy name',
    about: 'Copy the name of the worker',
    unless: noSelection,
    run: ({ worker, parts }) => worker && { notice: parts.copy(Buffer.from(worker.name), 'the name') },
  },
  { does: 'refresh', press: ['r'], label: 'reload', about: 'Reload the list and keep the selection' },
  { does: 'back', press: ['esc'], label: 'back', about: 'Clear the filter', quiet: true },
  ...moveShortcuts,
];

/** Returns the work that reads what would be lost with the worker, and asks the user to confirm the deletion. */
function askToRemoveWork(name: string, parts: PaneParts): Work {
  return {
    busy: reading,
    async run(signal) {
      const facts = await requireService(parts, 'workers').read(name, signal);
      const question = {
        question: `Delete the worker ${name}${describeLoss(facts)}?`,
        lost: ['The worker stops serving requests immediately.'],
        danger: 'permanent' as const,
        yes: 'delete it',
      };
      return { dialog: { kind: 'confirm', question, command: removeWork(name, parts) } };
    },
  };
}

function removeWork(name: string, parts: PaneParts): Work {
  return {
    busy: deleting,
    row: name,
    async run(signal) {
      await requireService(parts, 'workers').remove(name, signal);
      const change = { changed: 'worker', name } as const;
      return { notice: `Deleted the worker ${name}.`, change };
    },
  };
}
