import { bindingFault } from '../../src/model/config.ts';
import type { CliEquivalent } from '../../src/services/equivalents/cli-equivalent.ts';
import { secretDelete, secretList, secretPut } from '../../src/services/equivalents/workers.ts';
import type { PaneAction } from '../kit/keys/action.ts';
import { deleting, saving } from '../kit/keys/busy.ts';
import { cannotWrite, cannotWriteSelected, moveShortcuts, noSelection } from '../kit/keys/conditions.ts';
import { filterShortcuts } from '../kit/keys/finding.ts';
import type { Situation } from '../kit/keys/shortcut.ts';
import { requireService } from '../kit/require-service.ts';
import type { PaneParts } from '../kit/use-console.ts';
import { type ActionResult, type Dialog, formDialog, type Work } from '../ui/forms/dialog.ts';
import { type Field, openForm } from '../ui/forms/form-state.ts';
import type { ListController } from '../ui/lists/list-controller.ts';
import { eachRow } from '../ui/lists/rows.ts';
import { findRollBackVersions, secretId, type WorkerRow } from './worker-rows.ts';

/** The input of the actions: a worker's rows, its name, and the parts of the pane. */
interface Here {
  readonly list: Pick<ListController<WorkerRow>, 'list' | 'selected'>;
  readonly worker: string;
  readonly parts: PaneParts;
}

const onlySecrets = 'Only secrets can be changed here; to change the rest, run edgectl deploy';

/** Returns why the selected secret cannot be changed; false if it can be changed. */
function cannotWriteSecret(situation: Situation): string | false {
  return cannotWriteSelected(situation) || (situation.secret === false && onlySecrets);
}

/** Returns an action that runs on the selected secret, and refuses any other row. */
function onSecret(run: (name: string, here: Here) => ActionResult) {
  return (here: Here): ActionResult => {
    const row = here.list.selected;
    if (row?.kind === 'secret') return run(row.name, here);
    return { refusal: `${onlySecrets}.` };
  };
}

function onSelectedSecret(command: (worker: string, secret: string) => CliEquivalent) {
  return ({ list: { selected: row }, worker }: Here) =>
    row?.kind === 'secret' ? [command(worker, row.name)] : [];
}

/** Actions on a worker, and on its secrets, bindings and deployments. */
export const workerActions: ReadonlyArray<PaneAction<Here, ActionResult>> = [
  {
    does: 'logs',
    press: ['C'],
    label: 'logs',
    about: 'Follow the requests and console output of the worker, live',
    run: ({ worker }) => ({ opens: { pane: 'logs', worker } }),
  },
  {
    does: 'roll-back',
    press: ['B'],
    label: 'roll back',
    about: 'Roll back to the selected version, or to the previous one',
    unless: cannotWrite,
    run({ list, worker, parts }) {
      const { running, version, rolledBackAt } = findRollBackVersions(
        [...eachRow(list.list.rows)],
        list.selected,
      );
      if (running === undefined || version === undefined)
        return { refusal: 'The worker has no earlier version.' };
      if (version === running) return { refusal: 'This version is already running.' };
      const command = rollBackWork({ worker, version, force: false }, parts);
      return { dialog: rollBackDialog(worker, { version, running, rolledBackAt }, command) };
    },
  },
  {
    does: 'create',
    press: ['n'],
    label: 'new secret',
    about: 'Set a secret, without showing its value',
    unless: cannotWrite,
    run: ({ worker, parts }) => ({
      dialog: secretForm(worker, undefined, (wanted) => putSecretWork(worker, wanted, parts)),
    }),
  },
  {
    does: 'edit',
    press: ['e'],
    label: 'set value',
    about: 'Change the value of the secret',
    unless: cannotWriteSecret,
    run: onSecret((name, { worker, parts }) => ({
      dialog: secretForm(worker, name, (wanted) => putSecretWork(worker, wanted, parts)),
    })),
    equivalents: onSelectedSecret(secretPut),
  },
  {
    does: 'remove',
    press: ['d'],
    label: 'delete secret',
    about: 'Delete the secret',
    danger: 'permanent',
    unless: cannotWriteSecret,
    run: onSecret((name, { worker, parts }) => askToRemoveSecret(worker, name, parts)),
    equivalents: onSelectedSecret(secretDelete),
  },
  ...filterShortcuts,
  {
    does: 'copy',
    press: ['y'],
    label: 'copy',
    about: 'Copy the id of the selected version, or the name of the binding or secret',
    unless: noSelection,
    run: ({ list: { selected: row }, parts }) =>
      row && { notice: parts.copy(Buffer.from(row.name), row.name) },
  },
  {
    does: 'refresh',
    press: ['r'],
    label: 'reload',
    about: 'Reload the worker',
    equivalents: ({ worker }) => [secretList(worker)],
  },
  {
    does: 'back',
    press: ['esc', 'left', 'h'],
    label: 'back',
    about: 'Go back to the workers',
  },
  ...moveShortcuts,
];

/** A secret to set. `replaces`: whether an existing secret with this name may be overwritten. */
interface SecretInput {
  readonly name: string;
  readonly text: string;
  readonly replaces: boolean;
}

const textField: Field = {
  name: 'text',
  label: 'Value',
  value: '',
  hidden: true,
  multiline: true,
  note: 'The value is hidden, and cannot be read back later. You can paste several lines.',
};

/** Returns the form for a new secret, or for a new value of an existing secret. */
export function secretForm(worker: string, known: string | undefined, put: (wanted: SecretInput) => Work) {
  const where = `for the worker ${worker}`;
  const note = 'The worker reads the secret from env under this name.';
  const form =
    known === undefined
      ? openForm(`New secret ${where}`, [{ name: 'name', label: 'Name', value: '', note }, textField])
      : openForm(`New value of the secret ${known} ${where}`, [textField]);
  return formDialog(form, ({ name: typed = '', text = '' }) => {
    const name = known ?? typed;
    const fault = known === undefined ? bindingFault(name) : undefined;
    const errors = {
      ...(fault === undefined ? {} : { name: `Invalid name: ${fault}.` }),
      ...(text === '' ? { text: 'The value must not be empty.' } : {}),
    };
    if (Object.keys(errors).length > 0) return { errors };
    return { work: put({ name, text, replaces: known !== undefined }) };
  });
}

/** Returns the work that sets a secret. If the secret exists and `replaces` is false, asks before overwriting it. */
function putSecretWork(worker: string, wanted: SecretInput, parts: PaneParts): Work {
  const { name, text, replaces } = wanted;
  return {
    busy: saving,
    row: secretId(name),
    async run(signal) {
      const workers = requireService(parts, 'workers');
      if (!replaces && (await workers.read(worker, signal)).secrets.includes(name)) {
        const question = {
          question: `The secret ${name} already exists. Overwrite its value?`,
          lost: ['The current value cannot be restored.'],
          danger: 'permanent' as const,
          yes: 'overwrite it',
        };
        const command = putSecretWork(worker, { ...wanted, replaces: true }, parts);
        return { dialog: { kind: 'confirm', question, command } };
      }
      await workers.putSecret(worker, name, text, signal);
      const change = { changed: 'worker', name: worker } as const;
      return { notice: `Set the secret ${name}.`, change };
    },
  };
}

/** Asks before deleting a secret. */
function askToRemoveSecret(worker: string, name: string, parts: PaneParts): ActionResult {
  const question = {
    question: `Delete the secret ${name} from the worker ${worker}?`,
    lost: ['The value cannot be restored. The running worker loses the secret immediately.'],
    danger: 'permanent' as const,
    yes: 'delete it',
  };
  return { dialog: { kind: 'confirm', question, command: removeSecretWork(worker, name, parts) } };
}

/** Returns the work that deletes a secret and reloads the list, because the deletion creates a new deployment. */
function removeSecretWork(worker: string, name: string, parts: PaneParts): Work {
  return {
    busy: deleting,
    row: secretId(name),
    async run(signal) {
      await requireService(parts, 'workers').removeSecret(worker, name, signal);
      const change = { changed: 'secret', worker, name } as const;
      return { notice: `Deleted the secret ${name}.`, change, outdated: true };
    },
  };
}

/** Asks before replacing the running version. */
function rollBackDialog(
  worker: string,
  {
    version,
    running,
    rolledBackAt,
  }: {
    readonly version: string;
    readonly running: string;
    readonly rolledBackAt: string | undefined;
  },
  command: Work,
): Dialog<Work> {
  const question = {
    question: `Roll the worker ${worker} back to version ${version}?`,
    lost: [
      ...(rolledBackAt === undefined
        ? []
        : [`A rollback at ${rolledBackAt} replaced this version: this version may be faulty.`]),
      `Version ${running} stops immediately. You can roll back to it later.`,
      'Code and bindings change; data in namespaces and buckets does not.',
    ],
    danger: 'change' as const,
    yes: 'run it',
  };
  return { kind: 'confirm', question, command };
}

interface RollBack {
  readonly worker: string;
  readonly version: string;
  /** Whether to roll back even if secrets have changed since the earlier version. */
  readonly force: boolean;
}

/** Returns the work that rolls back to an earlier version. Asks first if secrets have changed since that version. */
function rollBackWork(wanted: RollBack, parts: PaneParts): Work {
  const { worker, version, force } = wanted;
  return {
    busy: saving,
    async run(signal) {
      const secrets = await requireService(parts, 'workers').rollBack(worker, version, force, signal);
      if (secrets !== undefined) {
        const names = secrets.join(', ');
        const question = {
          question: 'Secrets have changed since that version. Roll back anyway?',
          lost: [`These secrets get an older value, or are deleted: ${names}.`],
          danger: 'permanent' as const,
          yes: 'roll back',
        };
        const command = rollBackWork({ ...wanted, force: true }, parts);
        return { dialog: { kind: 'confirm', question, command } };
      }
      const change = { changed: 'worker', name: worker } as const;
      return { notice: `Rolled back to version ${version}.`, change };
    },
  };
}
