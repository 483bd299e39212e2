import { lossWords } from '../../src/services/workers/facts.ts';
import type { WorkerSummary } from '../../src/services/workers/workers.ts';
import { escapeText } from '../../src/text/escape.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { deleting, reading } from '../kit/keys/busy.ts';
import { movement, selected, writesSelected } from '../kit/keys/conditions.ts';
import { finding } from '../kit/keys/finding.ts';
import { live } from '../kit/keys/live.ts';
import { serviceOf } from '../kit/service-of.ts';
import type { PaneParts } from '../kit/use-console.ts';
import type { ActionResult, Work } from '../ui/forms/dialog.ts';

/** The selected worker, and the pane. */
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
    about: 'Show its deployments, bindings and the names of its secrets',
    unless: selected,
    run: ({ worker }) => worker && { opens: { pane: 'worker', name: worker.name } },
  },
  {
    does: 'logs',
    press: ['C'],
    label: 'logs',
    about: 'Follow what it does and writes to its console, live',
    unless: selected,
    run: ({ worker }) => worker && { opens: { pane: 'logs', worker: worker.name } },
  },
  {
    does: 'remove',
    press: ['d'],
    label: 'delete',
    about: 'Delete it with its versions and secrets',
    unless: writesSelected,
    run: ({ worker, parts }) => worker && askingToRemove(worker.name, parts),
  },
  ...finding,
  { does: 'refresh', press: ['r'], label: 'reload', about: 'Reload the list; the selection stays' },
  ...live,
  {
    does: 'copy',
    press: ['y'],
    label: 'copy name',
    about: 'Copy its name',
    unless: selected,
    run: ({ worker, parts }) => worker && { notice: parts.copy(Buffer.from(worker.name), 'the name') },
  },
  { does: 'back', press: ['esc'], label: 'back', about: 'Clear the filter', quiet: true },
  ...movement,
];

/** Reads what deleting the worker would lose, and asks for confirmation. */
function askingToRemove(name: string, parts: PaneParts): Work {
  return {
    busy: reading,
    async run(signal) {
      const facts = await serviceOf(parts, 'workers').read(name, signal);
      const question = {
        question: `Delete the worker ${escapeText(`${name}${lossWords(facts)}`)}?`,
        lost: ['It stops answering immediately. This cannot be undone.'],
        yes: 'delete it',
      };
      return { dialog: { kind: 'confirm', question, command: removing(name, parts) } };
    },
  };
}

function removing(name: string, parts: PaneParts): Work {
  return {
    busy: deleting,
    async run(signal) {
      await serviceOf(parts, 'workers').remove(name, signal);
      const change = { changed: 'worker', name } as const;
      return { notice: `Deleted the worker ${escapeText(name)}.`, change };
    },
  };
}
