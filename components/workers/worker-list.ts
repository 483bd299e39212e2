import type { WorkerService } from '../../src/services/console/workers.ts';
import { escapeText } from '../../src/text/escape.ts';
import { deleting, saving } from '../kit/keys/busy.ts';
import { onePage } from '../kit/pages.ts';
import { serviceOf } from '../kit/service-of.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { declareColumns } from '../ui/lists/declared-columns.ts';
import type { OwnActions } from '../ui/lists/list-action.ts';
import { ListController } from '../ui/lists/list-controller.ts';
import type { ListOutcome } from '../ui/lists/list-source.ts';
import type { RowKind } from '../ui/lists/row-kind.ts';
import { eachRow } from '../ui/lists/rows.ts';
import type { WorkerAction } from './keymap.ts';
import {
  oldSecretsDialog,
  readSecretForm,
  removeSecretDialog,
  replaceSecretDialog,
  rollBackDialog,
  secretForm,
  type WorkerCommand,
  type WorkerParts,
} from './secret-forms.ts';
import { rollBackOf, secretId, type WorkerRow, workerRows } from './worker-rows.ts';

export const declaredFactColumns = declareColumns<WorkerRow>()(
  { KIND: ({ kind }) => kind, SINCE: ({ since }) => (since === undefined ? undefined : -since) },
  { heading: 'WHAT', by: ({ text }) => text },
);

const rowKind: RowKind<WorkerRow> = {
  idOf: ({ id }) => id,
  textOf: ({ text }) => text,
  order: 'as-listed',
  sorts: declaredFactColumns.sorts,
};

/** The list of a worker's secrets, bindings and deployments. */
export interface WorkerList {
  readonly list: ListController<WorkerParts>;
  /** Date of compatibility, as it was read last. */
  compatibilityDate(): string | undefined;
}

/** The secrets, bindings and deployments of a worker. */
export function workerList(worker: string, parts: PaneParts): WorkerList {
  const workers = serviceOf(parts, 'workers');
  let compatibilityDate: string | undefined;
  const read = async (signal: AbortSignal) => {
    const facts = await workers.read(worker, signal);
    compatibilityDate = facts.compatibilityDate;
    return workerRows(facts);
  };
  const list = new ListController<WorkerParts>(parts, {
    kind: rowKind,
    whole: true,
    pages: (_, signal) => onePage(read(signal)),
    busyWith: { put: saving, remove: deleting, 'roll-back': saving },
    carryOut: (command, signal) => carryOut(command, worker, workers, signal),
    readForm: readSecretForm,
    rowOf: (change) =>
      change.changed === 'secret' && change.worker === worker
        ? { id: secretId(change.name), row: undefined }
        : undefined,
    isOutdatedBy: (change) => change.changed === 'worker' && change.name === worker,
  });
  return { list, compatibilityDate: () => compatibilityDate };
}

/** A secret that changes makes a new deployment: the worker is read again. */
async function carryOut(
  command: WorkerCommand,
  worker: string,
  workers: WorkerService,
  signal: AbortSignal,
): Promise<ListOutcome<WorkerParts>> {
  const deployed = { changed: 'worker', name: worker } as const;
  if (command.does === 'roll-back') {
    const secrets = await workers.rollBack(worker, command.versionId, command.force, signal);
    if (secrets !== undefined) return { dialog: oldSecretsDialog(command, secrets) };
    return { notice: `The version ${escapeText(command.versionId)} runs again.`, change: deployed };
  }
  const { name } = command;
  if (command.does === 'remove') {
    await workers.removeSecret(worker, name, signal);
    const change = { changed: 'secret', worker, name } as const;
    return { notice: `Deleted the secret ${escapeText(name)}.`, change, outdated: true };
  }
  if (!command.replaces && (await workers.read(worker, signal)).secrets.includes(name)) {
    return { dialog: replaceSecretDialog(command) };
  }
  await workers.putSecret(worker, name, command.text, signal);
  return { notice: `Set the secret ${escapeText(name)}.`, change: deployed };
}

/** Actions of the pane's keys. */
export function workerActions(
  list: ListController<WorkerParts>,
  worker: string,
  parts: PaneParts,
): OwnActions<WorkerAction> {
  const row = list.selected;
  const onSecret = (act: (name: string) => void) => () => {
    if (row?.kind === 'secret') act(row.name);
    else parts.notify('Only secrets are changed here: edgectl deploy changes the rest.', 'refused');
  };
  return {
    create: () => list.ask(secretForm(worker, undefined)),
    edit: onSecret((name) => list.ask(secretForm(worker, name))),
    remove: onSecret((name) => list.ask(removeSecretDialog(worker, name))),
    'roll-back': () => {
      const { running, version, rolledBackAt } = rollBackOf([...eachRow(list.list.rows)], row);
      if (running === undefined || version === undefined)
        parts.notify('No other version of it ran before.', 'refused');
      else if (version === running) parts.notify('This version runs already.', 'refused');
      else list.ask(rollBackDialog(worker, { version, running, rolledBackAt }));
    },
    logs: () => parts.open({ pane: 'logs', worker }),
    copy: () => row && parts.notify(parts.copy(Buffer.from(row.name), escapeText(row.name))),
  };
}
